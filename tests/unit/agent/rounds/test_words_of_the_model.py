"""What a model says beside its plans: numbers that it has neither read nor found are marked as unverified."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support.rounds_bench import plan, rounds_bench, setting
from tests.support.run_workbooks import FakeRunWorkbook


@pytest.fixture
def run_workbook(tmp_path: Path) -> FakeRunWorkbook:
    return FakeRunWorkbook(folder=tmp_path)


@pytest.mark.requirement("figures-marked-in-rounds")
@pytest.mark.parametrize(
    "written",
    [
        {"isConversational": True, "response": "Tea sold 3; all in all 4711."},
        {"execution_plan": [], "message": "Tea sold 3; all in all 4711."},
        {"error": "Tea sold 3; all in all 4711."},
    ],
)
async def test_a_number_that_is_nowhere_in_the_workbook_is_marked(
    run_workbook: FakeRunWorkbook, written: dict[str, object]
) -> None:
    bench = rounds_bench(run_workbook, json.dumps(written))
    await bench.go()
    assert bench.answer.unverified == ("4711",)


async def test_what_the_rounds_did_is_verified_and_our_own_words_are_not_looked_at(
    run_workbook: FakeRunWorkbook,
) -> None:
    done = json.dumps({"completed": True, "message": "B2 is 40 now, instead of 17."})
    bench = rounds_bench(run_workbook, plan(setting("B2", 40), covers_request=False), done)
    await bench.go()
    await bench.approve()
    await bench.approve()
    assert bench.answer.text.startswith("B2 is 40 now")
    assert bench.answer.unverified == ("17",)


async def test_a_run_that_says_nothing_of_its_own_marks_nothing(run_workbook: FakeRunWorkbook) -> None:
    bench = rounds_bench(run_workbook, plan(setting("B2", 4)))
    await bench.go()
    await bench.approve()
    assert bench.answer.sources == ()
