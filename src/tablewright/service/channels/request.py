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


def addressed(request: ChannelRequest, waiting: Sequence[PendingRequest]) -> PendingRequest | None:
    """Return the pending request that one without an id refers to: the newest it can answer, or else the newest."""
    kind = "approval" if request.edited_plan is not None or request.rejection is not None else None
    kind = "question" if kind is None and request.answer is not None else kind
    fitting = (one for one in waiting if kind in {None, one.request.kind})
    return next(fitting, next(iter(waiting), None))


def answer_of(request: ChannelRequest, open_request: OpenRequest) -> RequestAnswer:
    """Return the request as an answer to the open request."""
    if open_request.kind == "question":
        words = (request.answer or request.operation).strip()
        if not words:
            raise InvalidInput("excel_answer_missing", field="answer")
        return RequestAnswer(decision="answer", text=words)
    if request.rejection is not None:
        return RequestAnswer(decision="reject", text=request.rejection)
    if request.edited_plan is None:
        return RequestAnswer(decision="approve")
    if open_request.kind != "approval":
        raise InvalidInput("excel_not_a_plan", field="requestId")
    return RequestAnswer(decision="approve", plan={"execution_plan": list(request.edited_plan)})


def answers_otherwise(request: ChannelRequest, executed: Sequence[PlanStep]) -> bool:
    """Return whether a request answers a plan in another way than it was answered, by the steps that were `executed`.

    Without edits, words or an answer it is the same answer again. Raises `InvalidInput` for edits that are no plan.
    """
    if request.edited_plan is None:
        return request.says_something
    steps = edited_steps({"execution_plan": list(request.edited_plan)})
    return [_work(step) for step in steps] != [_work(step) for step in executed]


def _work(step: PlanStep) -> tuple[str, dict[str, Any]]:
    return translated(step.function, step.parameters)


def reported_rounds(request: ChannelRequest, own_id: str) -> PriorRounds:
    """Return what the client says about rounds before, as the entry `own_id`."""
    return PriorRounds(id=own_id, rounds=request.previous_rounds, steps=request.previous_steps)
