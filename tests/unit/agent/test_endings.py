"""How a run's code may end it, in a person's words."""

from __future__ import annotations

import pytest
from tests.support.agent_bench import Bench, code

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.agent.code.step_runner import EXHAUSTED, LOST
from tablewright.domain.language import Language
from tablewright.errors import StepExhausted, StepsFailed
from tablewright.models.scripted import ScriptedModel
from tablewright.texts.catalogue import catalogue
from tablewright.texts.errors import describe


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_ending_has_its_words(language: Language) -> None:
    known = catalogue(language)
    assert {f"exhausted_{status}" for status in EXHAUSTED} | {f"lost_{status}" for status in LOST} <= known.keys()


async def test_what_was_used_up_is_named_with_the_setting_that_limits_it() -> None:
    agent_bench = Bench(agent=CodeAnalyst(), model=ScriptedModel([code(("Sum", "end('oom')"))]))
    with pytest.raises(StepExhausted) as failure:
        await agent_bench.ask()
    said = describe(failure.value, "en")
    assert "“Sum” used up what it may: memory (sandbox.worker.memory_limit). Ask for less" in said


async def test_a_step_that_cannot_be_repaired_is_told_with_its_last_error() -> None:
    agent_bench = Bench(agent=CodeAnalyst(), model=ScriptedModel([code(("Sum", "raise KeyError('Amount')"))] * 4))
    with pytest.raises(StepsFailed) as failure:
        await agent_bench.ask()
    assert "“Sum” failed 4 times, at last with: KeyError: 'Amount'. Say it" in describe(failure.value, "en")
    assert "最后的错误是：KeyError: 'Amount'。" in describe(failure.value, "zh")
