"""Code that a person supplies: executed once as it stands, without a model."""

from __future__ import annotations

import pytest
from tests.support.agent_bench import Bench

from tablewright.agent.code.supplied import SuppliedCode
from tablewright.domain.events import ArtifactCreated, OutputError
from tablewright.domain.supplied_code import code_message
from tablewright.errors import StepExhausted, SuppliedCodeFailed
from tablewright.models.scripted import ScriptedModel


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
