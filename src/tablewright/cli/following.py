"""Follows a run to its end, answering what it asks where a person is there to answer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass

from tablewright.cli.clients.base import Client
from tablewright.cli.show.clean import clean
from tablewright.cli.show.screens import Screen
from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.events import AnswerCompleted, ApprovalRequested, QuestionAsked, RunFinished
from tablewright.domain.language import Language
from tablewright.domain.run import RequestAnswer, RunFailure
from tablewright.errors import OwnerLost
from tablewright.texts.catalogue import text

Asking = Callable[[ApprovalRequested | QuestionAsked], Awaitable[RequestAnswer]]
"""Gets a person's answer."""
YES = frozenset({"y", "yes", "是", "好", "可以"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """How a run came out. `waiting` is what it asks when nobody was there to answer."""

    run_id: str
    outcome: Outcome
    answer: Answer | None = None
    failure: RunFailure | None = None
    stopped_by: str | None = None
    waiting: str | None = None


async def follow(service: Client, run_id: str, screen: Screen, ask: Asking | None = None) -> Followed:
    """Show every event; ends with the run, or when it asks something and nobody is there (`ask` None)."""
    answer: Answer | None = None
    events = service.follow(run_id)
    async with aclosing(events):  # type: ignore[type-var]  # async generators all, under the protocol's wider name
        async for event in events:
            screen.show(event)
            body = event.body
            if isinstance(body, AnswerCompleted):
                answer = body.answer
            elif isinstance(body, ApprovalRequested | QuestionAsked):
                if ask is None:
                    return Followed(run_id=run_id, outcome="declined", answer=answer, waiting=body.prompt)
                screen.close()
                await service.answer(run_id, body.request_id, await ask(body))
            elif isinstance(body, RunFinished):
                return Followed(
                    run_id=run_id, outcome=body.outcome, answer=answer, failure=body.failure, stopped_by=body.stopped_by
                )
    raise OwnerLost("the run's events ended without its end", run_id=run_id)


def asking_person(language: Language, read: Callable[[str], str] = input) -> Asking:
    """Return what asks the person at the terminal; `read` shows a prompt and returns a line."""

    async def ask(body: ApprovalRequested | QuestionAsked) -> RequestAnswer:
        prompt = clean(body.prompt)
        if isinstance(body, ApprovalRequested):
            said = await asyncio.to_thread(read, text("cli_approve", language, prompt=prompt))
            return RequestAnswer(decision="approve" if said.strip().lower() in YES else "reject")
        options = "".join(f"\n  {number}. {clean(option)}" for number, option in enumerate(body.options, 1))
        said = (await asyncio.to_thread(read, text("cli_answer", language, prompt=prompt + options))).strip()
        if said.isdecimal() and 0 < int(said) <= len(body.options):
            said = body.options[int(said) - 1]
        return RequestAnswer(decision="answer", text=said or body.default)

    return ask
