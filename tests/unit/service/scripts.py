"""Agents that play a part."""

from __future__ import annotations

import asyncio

from tests.support.service_bench import Items

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, ApprovalRequested, QuestionAsked, TextDelta, TextFinished
from tablewright.domain.message import Message, TextPart, TranscriptEntry


def answer(text: str = "42") -> AnswerCompleted:
    return AnswerCompleted(answer=Answer(text=text, outcome="completed"))


def said(text: str) -> TranscriptEntry:
    return TranscriptEntry(message=Message(role="assistant", parts=(TextPart(text=text, origin="output"),)))


async def answering(given: AgentInput, context: AgentContext) -> Items:
    """Answers at once."""
    yield TextDelta(text="4")
    yield TextDelta(text="2")
    yield said("42")
    yield TextFinished(text="42")
    yield answer()


async def endless(given: AgentInput, context: AgentContext) -> Items:
    """Writes and never comes to an end."""
    while True:
        yield TextDelta(text=".")
        await asyncio.sleep(0.01)


async def asking(given: AgentInput, context: AgentContext) -> Items:
    """Asks for approval, then answers with the decision."""
    if not given.answered:
        yield said("asked")
        yield ApprovalRequested(request_id="q-1", prompt="May I?")
        return
    decision = given.answered[0].answer
    yield answer(decision.decision if decision else "nothing")


async def wondering(given: AgentInput, context: AgentContext) -> Items:
    """Asks a question that has no default, and gets no further."""
    if given.answered:
        yield answer("known")
        return
    yield QuestionAsked(request_id="q-1", prompt="Which year?")
    await asyncio.Event().wait()
