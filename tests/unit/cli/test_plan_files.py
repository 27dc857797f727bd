"""Saved plans as files: written for people, read with care."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tablewright.cli.exits import WrongUse
from tablewright.cli.plan_files import executed_steps, free_for_plan, read_plan, write_plan
from tablewright.domain.notice import Notice
from tablewright.domain.plan_file import ColumnShape, PlanFile, SheetShape, TableShape
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.round import Round, StepResult
from tablewright.errors import PlanFileInvalid
from tablewright.texts.errors import describe

COLUMN = ColumnShape(letters="A", header="金额", kind="number")
PLAN = PlanFile(
    steps=(PlanStep(step=1, function="set_fill", parameters={"sheet": "S", "range": "A1", "color": None}),),
    sheets=(SheetShape(name="S", tables=(TableShape(columns=(COLUMN,), header_rows=(1, 1), data_rows=(2, 9)),)),),
    request="把表头涂黄",
)


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    path = write_plan(tmp_path / "new" / "plan.json", PLAN)
    assert read_plan(path) == PLAN
    assert "把表头涂黄" in path.read_text(encoding="utf-8")
    with pytest.raises(WrongUse):
        free_for_plan(str(path))


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("{\n[", "line 2"),
        (json.dumps({"format": 2}), "format 2"),
        ("[]", "format"),
        (json.dumps({"steps": [], "sheets": [{}]}), "sheets.0.name"),
        ("\udcff", "line 1"),
    ],
)
def test_what_is_no_plan_is_told_by_what_is_wrong(tmp_path: Path, content: str, word: str) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(PlanFileInvalid) as raised:
        read_plan(path)
    assert word in describe(raised.value, "en")
    assert "plan.json" in describe(raised.value, "zh")


def test_what_was_done_is_saved_once_and_in_order() -> None:
    def step(number: int, text: str, retries: int | None = None) -> PlanStep:
        return PlanStep(step=number, function="set_fill", description=text, retries=retries)

    def executed(*results: StepResult, rolled_back: bool = False) -> Round:
        return Round(
            id="r", workbook_id="w", run_id="run", plan_id="p", number=2, created_at=datetime(2026, 1, 1, tzinfo=UTC),
            steps=results, rolled_back=rolled_back,
        )  # fmt: skip

    failed = StepResult(step=step(2, "b"), status="failed", error=Notice(code="internal", params={}))
    rounds = [
        executed(StepResult(step=step(1, "undone"), status="completed"), rolled_back=True),
        executed(StepResult(step=step(1, "a"), status="completed"), failed),
        executed(StepResult(step=step(1, "b again", retries=2), status="completed")),
    ]
    assert [(found.step, found.description, found.retries) for found in executed_steps(rounds)] == [
        (1, "a", None),
        (2, "b again", None),
    ]
