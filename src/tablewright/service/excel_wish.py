"""A client's request on a channel, and how it answers what the channel's runs ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tablewright.agent.rounds.ledger import Before
from tablewright.domain.language import Language
from tablewright.domain.rounds import ToldStep
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.errors import InvalidInput
from tablewright.service.channels import Waiting
from tablewright.service.client_cells import ClientSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
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
    previous_steps: tuple[ToldStep, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether it says more than that the work is to go on, so that there must be something it answers."""
        return any(one is not None for one in (self.edited_plan, self.rejection, self.answer))


def meant(wish: Wish, waiting: Sequence[Waiting]) -> Waiting | None:
    """Return the request that a wish without an id refers to: the newest it can answer, or else the newest."""
    kind = "approval" if wish.edited_plan is not None or wish.rejection is not None else None
    kind = "question" if kind is None and wish.answer is not None else kind
    fitting = (one for one in waiting if kind in {None, one.request.kind})
    return next(fitting, next(iter(waiting), None))


def answer_of(wish: Wish, request: OpenRequest) -> RequestAnswer:
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


def told_by(wish: Wish, own_id: str) -> Before:
    """Return what the client says about rounds before, as the entry `own_id`."""
    return Before(id=own_id, rounds=wish.previous_rounds, steps=wish.previous_steps)
