"""What has passed between a run on a workbook and the person, kept in the run's transcript.

The run resumes from this alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from tablewright.domain.codec import from_python, to_python
from tablewright.domain.message import Message, ToolCallPart
from tablewright.domain.rounds.confirmation import confirmed
from tablewright.domain.rounds.plan import OperationPlan, RejectedPlan, ReportedStep
from tablewright.domain.run import OpenRequest, RequestAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorRounds:
    """What a client says about rounds before this run, which are not recorded: their number and their steps."""

    id: str
    rounds: int
    steps: tuple[ReportedStep, ...] = ()
    type: Literal["before"] = "before"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProposal:
    """A plan was shown; `asked` if the person has to decide on it."""

    id: str
    plan: OperationPlan
    asked: bool = True
    type: Literal["plan_proposed"] = "plan_proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanSupplied:
    """The person supplied a plan to be executed as it stands, and nothing else."""

    id: str
    plan: OperationPlan
    type: Literal["plan_brought"] = "plan_brought"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanApproval:
    """The plan `id` is to be executed as it stands here."""

    id: str
    plan: OperationPlan
    type: Literal["plan_approved"] = "plan_approved"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRejection:
    """The person rejected the plan; without `words` they want no plan at all."""

    id: str
    plan: OperationPlan
    words: str = ""
    type: Literal["plan_rejected"] = "plan_rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOutdated:
    """The workbook was changed by somebody else before the plan was executed."""

    id: str
    type: Literal["plan_outdated"] = "plan_outdated"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanExecution:
    """The plan was executed as the round `round_id`."""

    id: str
    plan: OperationPlan
    round_id: str
    type: Literal["plan_executed"] = "plan_executed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonQuestion:
    """The person was asked something."""

    id: str
    question: str
    type: Literal["question_asked"] = "question_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonReply:
    """The person answered a question."""

    id: str
    question: str
    words: str
    type: Literal["question_answered"] = "question_answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """The person was asked whether to continue after a round."""

    id: str
    type: Literal["pause"] = "pause"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption:
    """The person wants to continue."""

    id: str
    type: Literal["go_on"] = "go_on"


@dataclass(frozen=True, slots=True, kw_only=True)
class StopOrder:
    """The person wants to stop."""

    id: str
    type: Literal["stop"] = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover:
    """The entries before this one are those of the run `id`, whose process ended; this run goes on from there."""

    id: str
    type: Literal["taken_up"] = "taken_up"


LedgerEntry = Annotated[
    PriorRounds
    | PlanSupplied
    | PlanProposal
    | PlanApproval
    | PlanRejection
    | PlanOutdated
    | PlanExecution
    | PersonQuestion
    | PersonReply
    | Pause
    | Resumption
    | StopOrder
    | Takeover,
    Field(discriminator="type"),
]
E = TypeVar("E")
NAME = "round"
"""The tool name under which the transcript keeps entries."""


class Ledger:
    """The entries of one run, in order."""

    def __init__(self, transcript: Sequence[Message]) -> None:
        parts = [part for message in transcript for part in message.parts]
        self.entries: list[LedgerEntry] = [
            from_python(LedgerEntry, part.arguments)
            for part in parts
            if isinstance(part, ToolCallPart) and part.name == NAME
        ]

    @property
    def before(self) -> PriorRounds:
        """What the client said about rounds before this run."""
        return next(iter(self.of(PriorRounds)), PriorRounds(id="", rounds=0))

    @property
    def begins(self) -> bool:
        """Whether nothing has been planned yet."""
        return all(isinstance(entry, PriorRounds) for entry in self.entries)

    @property
    def last(self) -> LedgerEntry | None:
        """The newest entry, or None."""
        return self.entries[-1] if self.entries else None

    @property
    def left(self) -> LedgerEntry | None:
        """The newest entry that tells where a run stands: what a run that takes up another goes on from."""
        return next((entry for entry in reversed(self.entries) if not isinstance(entry, Takeover)), None)

    @property
    def earlier_runs(self) -> tuple[str, ...]:
        """The ids of the runs that this run takes up, oldest first: their rounds are its own."""
        return tuple(entry.id for entry in self.of(Takeover))

    @property
    def since_executed(self) -> list[LedgerEntry]:
        """The entries after the last executed plan."""
        executed = [place for place, entry in enumerate(self.entries) if isinstance(entry, PlanExecution)]
        return self.entries[executed[-1] + 1 :] if executed else list(self.entries)

    def of(self, kind: type[E]) -> list[E]:
        """Return the entries of a type."""
        return [entry for entry in self.entries if isinstance(entry, kind)]

    @property
    def rejected(self) -> tuple[RejectedPlan, ...]:
        """The plans rejected with words since the last round."""
        return tuple(
            RejectedPlan(plan=entry.plan, words=entry.words)
            for entry in self.since_executed
            if isinstance(entry, PlanRejection) and entry.words
        )

    @property
    def asked(self) -> tuple[tuple[str, str], ...]:
        """The questions answered so far, as `(question, answer)`."""
        return tuple((entry.question, entry.words) for entry in self.of(PersonReply))

    def add(self, entry: LedgerEntry) -> Message:
        """Add an entry and return the message that records it."""
        self.entries.append(entry)
        return ledger_message(entry)

    def decided(self, requests: Sequence[OpenRequest]) -> LedgerEntry | None:
        """Return the entry that the person's answer to the newest entry leads to, or None if it is unanswered."""
        last = self.last
        request = next((request for request in requests if last is not None and request.id == last.id), None)
        if request is None or request.answer is None:
            return None
        return None if last is None else entry_for_answer(last, request.answer)


def entry_for_answer(entry: LedgerEntry, answer: RequestAnswer) -> LedgerEntry | None:
    """Return the entry that a person's answer to `entry` leads to, or None if it asks for none."""
    match entry:
        case PlanProposal(asked=True):
            return _on_plan(entry, answer)
        case PersonQuestion():
            return _on_question(entry, answer)
        case Pause():
            return (StopOrder if answer.decision == "reject" else Resumption)(id=entry.id)
        case _:
            return None


def ledger_message(entry: LedgerEntry) -> Message:
    """Return the message that records an entry."""
    call = ToolCallPart(call_id=entry.id, name=NAME, arguments=to_python(LedgerEntry, entry))
    return Message(role="assistant", parts=(call,))


def is_kept_by_rounds(transcript: Sequence[Message]) -> bool:
    """Return whether a transcript is that of a run on a workbook."""
    parts = (part for message in transcript for part in message.parts)
    return any(isinstance(part, ToolCallPart) and part.name == NAME for part in parts)


def _on_plan(proposed: PlanProposal, answer: RequestAnswer) -> LedgerEntry:
    """Return the entry for an answer to a plan.

    It is approved as it stands or as edited; words without an approval count as a rejection.
    """
    if answer.decision == "approve":
        return PlanApproval(id=proposed.id, plan=confirmed(proposed.plan, answer))
    return PlanRejection(id=proposed.id, plan=replace(proposed.plan, problems=()), words=(answer.text or "").strip())


def _on_question(asked: PersonQuestion, answer: RequestAnswer) -> LedgerEntry:
    words = (answer.text or "").strip()
    if not words and answer.values:
        words = ", ".join(f"{name}: {value}" for name, value in answer.values.items())
    if answer.decision == "reject" or not words:
        return StopOrder(id=asked.id)
    return PersonReply(id=asked.id, question=asked.question, words=words)
