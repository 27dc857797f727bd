"""A client's request on a channel, and how it answers what the channel's runs ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.operations.aliases import translated
from tablewright.domain.rounds.confirmation import edited_steps
from tablewright.domain.rounds.ledger import PriorRounds
from tablewright.domain.rounds.plan import PlanStep, ReportedStep
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.errors import InvalidInput
from tablewright.service.channels.channels import PendingRequest
from tablewright.service.channels.client_sheets import ClientSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelRequest:
    """A client's request.

    `goes_on`: it continues earlier work, with `edited_plan`, `rejection` or `answer` if given. `sheets` is the workbook
    as the client has it. Without `language`, the channel's applies; a new channel gets `accepted`.
    """

    operation: str
    channel: str | None = None
    language: Language | None = None
    accepted: Language = "en"
    sheets: tuple[ClientSheet, ...] = ()
    uid: str = ""
    goes_on: bool = False
    request_id: str | None = None
    edited_plan: tuple[dict[str, Any], ...] | None = None
    rejection: str | None = None
    answer: str | None = None
    previous_rounds: int = 0
    previous_steps: tuple[ReportedStep, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether it says more than that the work is to go on, so that there must be something it answers."""
        return any(one is not None for one in (self.edited_plan, self.rejection, self.answer))


def addressed(wish: ChannelRequest, waiting: Sequence[PendingRequest]) -> PendingRequest | None:
    """Return the request that a wish without an id refers to: the newest it can answer, or else the newest."""
    kind = "approval" if wish.edited_plan is not None or wish.rejection is not None else None
    kind = "question" if kind is None and wish.answer is not None else kind
    fitting = (one for one in waiting if kind in {None, one.request.kind})
    return next(fitting, next(iter(waiting), None))


def answer_of(wish: ChannelRequest, request: OpenRequest) -> RequestAnswer:
    """Return the wish as an answer to the waiting request."""
    if request.kind == "question":
        words = (wish.answer or wish.operation).strip()
        if not words:
            raise InvalidInput("excel_answer_missing", field="answer")
        return RequestAnswer(decision="answer", text=words)
    if wish.rejection is not None:
        return RequestAnswer(decision="reject", text=wish.rejection)
    if wish.edited_plan is None:
        return RequestAnswer(decision="approve")
    if request.kind != "approval":
        raise InvalidInput("excel_not_a_plan", field="requestId")
    return RequestAnswer(decision="approve", plan={"execution_plan": list(wish.edited_plan)})


def answers_otherwise(wish: ChannelRequest, executed: Sequence[PlanStep]) -> bool:
    """Return whether a wish answers a plan in another way than it was answered, by the steps that were `executed`.

    Without edits, words or an answer it is the same answer again. Raises `InvalidInput` for edits that are no plan.
    """
    if wish.edited_plan is None:
        return wish.says_something
    steps = edited_steps({"execution_plan": list(wish.edited_plan)})
    return [_work(step) for step in steps] != [_work(step) for step in executed]


def _work(step: PlanStep) -> tuple[str, dict[str, Any]]:
    return translated(step.function, step.parameters)


def reported_rounds(wish: ChannelRequest, own_id: str) -> PriorRounds:
    """Return what the client says about rounds before, as the entry `own_id`."""
    return PriorRounds(id=own_id, rounds=wish.previous_rounds, steps=wish.previous_steps)
