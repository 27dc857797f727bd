"""Code that a person supplies: executed once as it stands, without a model."""

from __future__ import annotations

import pytest
from tests.support.agent_bench import Bench

from tablewright.agent.code.supplied import SuppliedCode
from tablewright.domain.events import ArtifactCreated, OutputError
from tablewright.domain.language import Language
from tablewright.domain.supplied_code import code_message
from tablewright.errors import StepExhausted, SuppliedCodeFailed
from tablewright.models.scripted import ScriptedModel
from tablewright.sandbox.worker.formula_text import changed_text


@pytest.fixture
def bench() -> Bench:
    return Bench(agent=SuppliedCode(), model=ScriptedModel([]))


async def test_what_the_code_prints_is_the_answer_and_its_numbers_have_their_origin(bench: Bench) -> None:
    took = await bench.ask("Run it", transcript=(code_message("result = 6 * 7\nprint('it is', result)"),))
    assert took.answer.text == "it is 42"
    assert took.answer.result is not None
    assert [source.step_id for source in took.answer.sources] == ["id-0001"]
    assert took.statuses == [("Run it", "ok")]
    assert bench.sandbox.all_released


async def test_code_that_prints_nothing_says_so(bench: Bench) -> None:
    took = await bench.ask("Run it", transcript=(code_message("x = 1"),))
    assert took.answer.text.startswith("The code has run and printed nothing")


async def test_code_that_fails_is_not_written_anew_and_its_files_are_handed_over(bench: Bench) -> None:
    code = "write('output/part.csv', b'a')\nprint('half')\nraise KeyError('sales')"
    with pytest.raises(SuppliedCodeFailed) as failed:
        await bench.ask("Run it", transcript=(code_message(code),))
    assert failed.value.params["words"] == "KeyError: 'sales'"
    assert bench.took.only(OutputError).name == "KeyError"
    assert bench.took.only(ArtifactCreated).artifact.name == "part.csv"
    assert bench.sandbox.executed == [code]
    assert bench.sandbox.all_released


async def test_code_that_exceeds_a_limit_ends_as_any_step_does(bench: Bench) -> None:
    with pytest.raises(StepExhausted):
        await bench.ask("Run it", transcript=(code_message("end('oom')"),))
    assert bench.sandbox.all_released


@pytest.mark.requirement("formula-guard-told")
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "3 cells that begin like formulas got an apostrophe"), ("zh", "有 3 个单元格的开头像公式，已加上撇号")],
)
async def test_how_many_cells_were_guarded_is_part_of_the_answer(bench: Bench, language: Language, words: str) -> None:
    printed = changed_text(2) + f"result.csv: {changed_text(1)}done"
    took = await bench.ask("Run it", language=language, transcript=(code_message(f"print({printed!r})"),))
    assert words in took.answer.text.splitlines()[-1]
    assert all(source.step_id is not None for source in took.answer.sources)
