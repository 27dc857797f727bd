"""Who takes a run depends on whether it has a workbook when it begins, and stays so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.agent_bench import Bench
from tests.support.rounds_bench import plan, setting
from tests.support.run_workbooks import FakeRunWorkbook

from tablewright.agent.base import AgentContext
from tablewright.agent.by_workbook import ByWorkbook
from tablewright.agent.chat import Chat
from tablewright.agent.rounds.agent import Rounds
from tablewright.domain.message import Message, TextPart
from tablewright.models.scripted import ScriptedModel

AGENT = ByWorkbook(Rounds(), Chat("thanks"))
WORDS = (Message(role="user", parts=(TextPart(text="?", origin="user"),)),)


def bench() -> Bench:
    return Bench(agent=AGENT, model=ScriptedModel([plan(setting("B2", 1))]))


class WithWorkbook(Bench):
    """A bench whose runs have a workbook."""

    run_workbook: FakeRunWorkbook

    def context(self) -> AgentContext:
        return replace(super().context(), workbook=self.run_workbook)


def with_workbook(folder: Path) -> WithWorkbook:
    made = WithWorkbook(agent=AGENT, model=ScriptedModel([plan(setting("B2", 1))]))
    made.run_workbook = FakeRunWorkbook(folder=folder)
    return made


async def test_a_run_with_a_workbook_goes_to_the_one_and_without_to_the_other(tmp_path: Path) -> None:
    assert "plan.proposed" in (await with_workbook(tmp_path).ask()).types
    assert "answer.completed" in (await bench().ask()).types


@pytest.mark.parametrize("workbook", [True, False])
async def test_a_run_that_goes_on_stays_with_its_agent(tmp_path: Path, workbook: bool) -> None:
    begun = await with_workbook(tmp_path).ask()
    going_on = begun.transcript if not workbook else WORDS
    took = await (with_workbook(tmp_path) if workbook else bench()).ask(transcript=going_on)
    expected = "You are welcome!" if workbook else "a workbook is needed"
    assert expected in took.answer.text
