"""What is asked within a chat's workflow: by a workflow or an agent that runs in one of its nodes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.chat_bench import STOCK, ChatBench
from tests.support.workflow_bench import node, workflow

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, EventBody
from tablewright.domain.workflow import Workflow
from tablewright.workflows.assistant import assistant

COLOUR = workflow(
    [
        node("start", "start"),
        node("which", "ask_user", form="choice", options_from="['red paint', 'blue paint']", prompt="Which?"),
        node("end", "end", text="{{ which.choice }}"),
    ],
    "start > which > end",
    name="colour",
)
PAINT = workflow(
    [
        node("start", "start"),
        node("inner", "sub_workflow", workflow="colour"),
        node("end", "end", text="{{ inner.text }}"),
    ],
    "start > inner > end",
    name="paint",
    examples=["paint it"],
)


@pytest.mark.parametrize("flow", [replace(COLOUR, examples=("paint it",)), PAINT])
async def test_a_choice_within_a_sub_workflow_is_judged_as_one_that_is_asked_directly(
    tmp_path: Path, flow: Workflow
) -> None:
    other = replace(STOCK, examples=("blue paint",))
    chat = ChatBench(tmp_path, (flow, other), within=(COLOUR,))
    conversation = await chat.conversation()
    assert (await chat.say(conversation, "paint it"))[-1].is_waiting_input
    assert (await chat.say(conversation, "blue paint"))[-1].content == "blue paint"
    await chat.close()


@pytest.mark.parametrize("words", ["你好！请上传一个文件。", ""])
async def test_what_an_agent_says_as_it_declines_is_the_answer(tmp_path: Path, words: str) -> None:
    async def declining(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody]:
        yield AnswerCompleted(answer=Answer(text=words, outcome="declined"))

    chat = ChatBench(tmp_path, default=assistant(), agents={"code_analyst": declining})
    last = (await chat.say(await chat.conversation(), "你好"))[-1]
    assert (last.type, last.content) == ("done", words) if words else last.type == "error"
    await chat.close()
