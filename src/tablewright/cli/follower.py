"""Follows a run to its end, having a person answer its requests if one is there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from tablewright.cli.clients.base import Client
from tablewright.cli.forms import fill
from tablewright.cli.plan_review import YES, decide
from tablewright.cli.show.clean import clean
from tablewright.cli.show.screens import Screen
from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import (
    AnswerCompleted,
    ApprovalRequested,
    ArtifactCreated,
    ContinueAsked,
    EventBody,
    PlanProposed,
    QuestionAsked,
    RoundExecuted,
    RunFinished,
)
from tablewright.domain.language import Language
from tablewright.domain.offer import OfferedReading, chosen_option
from tablewright.domain.rounds.plan import OperationPlan
from tablewright.domain.rounds.round import Round
from tablewright.domain.run import RequestAnswer, RunFailure
from tablewright.errors import OwnerLost, PlanInvalid, TablewrightError
from tablewright.texts.catalogue import text
from tablewright.texts.errors import describe

PLAN_INVALID = PlanInvalid.code
AsksSomebody = ApprovalRequested | QuestionAsked | ContinueAsked


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingQuestion:
    """A request to a person, with the plan it is about; `refused` says why the previous answer was not accepted."""

    body: AsksSomebody
    plan: OperationPlan | None = None
    refused: TablewrightError | None = None


Asking = Callable[[PendingQuestion], Awaitable[RequestAnswer]]
"""Gets a person's answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """The outcome of a run.

    `waiting` is the prompt of a request that nobody was there to answer, with its `options` and what those offer as
    `readings`; `plan` is the last plan proposed. `files` are those of its answer, or, for a run that was stopped or
    failed, those it had delivered.
    """

    run_id: str
    outcome: Outcome
    answer: Answer | None = None
    failure: RunFailure | None = None
    stopped_by: str | None = None
    waiting: str | None = None
    options: tuple[str, ...] = ()
    readings: tuple[OfferedReading, ...] = ()
    plan: OperationPlan | None = None
    rounds: tuple[Round, ...] = ()
    files: tuple[ArtifactRef, ...] = ()


@dataclass(slots=True, kw_only=True)
class _Told:
    """What the events have reported so far."""

    answer: Answer | None = None
    plans: dict[str, OperationPlan] = field(default_factory=dict[str, OperationPlan])
    rounds: list[Round] = field(default_factory=list[Round])
    files: list[ArtifactRef] = field(default_factory=list[ArtifactRef])

    def take(self, body: EventBody) -> None:
        """Process one event."""
        if isinstance(body, AnswerCompleted):
            self.answer = body.answer
        elif isinstance(body, PlanProposed):
            self.plans[body.request_id] = body.plan
        elif isinstance(body, RoundExecuted):
            self.rounds.append(body.round)
        elif isinstance(body, ArtifactCreated):
            self.files.append(body.artifact)

    def waits(self, run_id: str, asked: AsksSomebody) -> Followed:
        """Return the outcome of the run that waits for an answer."""
        readings = asked.readings if isinstance(asked, QuestionAsked) else ()
        ended = self.ended(run_id, None)
        return replace(ended, waiting=asked.prompt, options=asked.options, readings=readings)

    def ended(self, run_id: str, body: RunFinished | None) -> Followed:
        """Return the outcome of the run."""
        left = () if body is None else tuple(self.files)
        return Followed(
            run_id=run_id, outcome=body.outcome if body else "declined", answer=self.answer,
            failure=body.failure if body else None, stopped_by=body.stopped_by if body else None,
            plan=next(reversed(self.plans.values()), None), rounds=tuple(self.rounds),
            files=left if self.answer is None else self.answer.files,
        )  # fmt: skip


async def follow(
    service: Client,
    run_id: str,
    screen: Screen,
    ask: Asking | None = None,
    *,
    attended: bool = True,
    answered: str | None = None,
) -> Followed:
    """Show every event until the run ends, or until it asks something and nobody is there to answer (`ask` is None).

    With `attended` false, the service answers requests by policy: nobody is asked, and the run never waits. All
    requests up to the one whose id is `answered` have had their answers.
    """
    told = _Told()
    settled = answered is not None
    events = service.follow(run_id)
    async with aclosing(events):  # type: ignore[type-var]  # all are async generators; the protocol promises less
        async for event in events:
            body = event.body
            if event.run_id == run_id:
                screen.show(event)
                told.take(body)
            elif isinstance(body, PlanProposed):
                told.take(body)  # a child's question, which is answered here, may be about it
            if settled and isinstance(body, AsksSomebody):
                settled = body.request_id != answered
            elif attended and isinstance(body, AsksSomebody):
                if ask is None:
                    return told.waits(run_id, body)
                screen.close()
                await _answer(service, run_id, PendingQuestion(body=body, plan=told.plans.get(body.request_id)), ask)
            elif isinstance(body, RunFinished) and event.ends(run_id):
                return told.ended(run_id, body)
    raise OwnerLost(run_id=run_id)


async def _answer(service: Client, run_id: str, asked: PendingQuestion, ask: Asking) -> None:
    """Send a person's answer; one to what has expired is dropped. If an edited plan cannot be executed, ask again."""
    while True:
        answer = await ask(asked)
        try:
            await service.answer(run_id, asked.body.request_id, answer)
        except TablewrightError as error:
            if "request_expired" in {error.detail, error.params.get("detail")}:
                return
            if answer.plan is None or PLAN_INVALID not in {error.code, error.params.get("remote_code")}:
                raise
            asked = replace(asked, refused=error)
        else:
            return


def asking_person(language: Language, read: Callable[[str], str] = input) -> Asking:
    """Return a callable that asks the person at the terminal; `read` shows a prompt and returns a line."""

    async def ask(asked: PendingQuestion) -> RequestAnswer:
        body, prompt = asked.body, clean(asked.body.prompt)
        if asked.refused is not None:
            print(describe(asked.refused, language))
        if asked.plan is not None:
            return await asyncio.to_thread(decide, asked.plan.steps, language, read)
        if isinstance(body, ApprovalRequested | ContinueAsked):
            said = await asyncio.to_thread(read, text("cli_approve", language, prompt=prompt))
            return RequestAnswer(decision="approve" if said.strip().lower() in YES else "reject")
        if body.schema is not None and body.schema.get("properties"):
            print(prompt)
            values = await asyncio.to_thread(fill, body.schema, language, read)
            return RequestAnswer(decision="answer", values=values)
        options = "".join(f"\n  {number}. {clean(option)}" for number, option in enumerate(body.options, 1))
        said = (await asyncio.to_thread(read, text("cli_answer", language, prompt=prompt + options))).strip()
        if (place := chosen_option(body.options, said) if said.isdecimal() else None) is not None:
            said = body.options[place]
        return RequestAnswer(decision="answer", text=said or body.default)

    return ask
