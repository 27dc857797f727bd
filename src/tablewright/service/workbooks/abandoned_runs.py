"""Runs on workbooks whose process ended before they had: another run can take one up where its transcript ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tablewright.domain.message import Message
from tablewright.domain.rounds.confirmation import SUBJECT
from tablewright.domain.rounds.ledger import (
    Ledger,
    LedgerEntry,
    Pause,
    PersonQuestion,
    PlanApproval,
    PlanExecution,
    PlanProposal,
    PlanRejection,
    PlanSupplied,
    PriorRounds,
    StopOrder,
    Takeover,
    entry_for_answer,
    ledger_message,
)
from tablewright.domain.run import OpenRequest, RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound, OwnerLost
from tablewright.service.workbooks.states import newest
from tablewright.store.base import Store

Kind = Literal["approval", "question", "continue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AbandonedRun:
    """A run that ended with its process, and the entries of its ledger, answers that it had not yet taken included."""

    run: Run
    entries: tuple[LedgerEntry, ...]

    @property
    def asked(self) -> OpenRequest:
        """What a person has to say for the run to go on: whether its plan is to be executed, the answer to its
        question, or only that it is to continue."""
        match left := self._left:
            case PlanApproval() | PlanProposal() | PlanSupplied():
                return self._request(left.id, "approval", subject_kind=SUBJECT)
            case PersonQuestion():
                return self._request(left.id, "question", prompt=left.question)
            case _:
                return self._request(left.id, "continue")

    @property
    def takes_words(self) -> bool:
        """Whether there is something to say to it besides that it is to continue."""
        return isinstance(self._left, PlanApproval | PlanProposal | PlanSupplied | PersonQuestion | Pause)

    @property
    def turned_down(self) -> bool:
        """Whether the person wanted nothing more of it: its plan was rejected without words, or it was to stop."""
        match left := self._left:
            case PlanRejection():
                return not left.words
            case _:
                return isinstance(left, StopOrder)

    def concerns(self, request_id: str) -> bool:
        """Return whether an id stands for where the run was left: what it asked last, or the round it executed last."""
        done = [place for place, entry in enumerate(self.entries) if isinstance(entry, PlanExecution)]
        newest = self.entries[done[-1] if done else 0 :]
        rounds = {entry.round_id for entry in newest if isinstance(entry, PlanExecution)}
        return request_id in {entry.id for entry in newest} | rounds

    def opening(self, answer: RequestAnswer | None = None) -> tuple[Message, ...]:
        """Return the entries that a run taking up this one begins with; `answer` is that to `asked`.

        Without it, what was asked is asked again, and a plan that was confirmed is to be confirmed again.
        """
        entries: list[LedgerEntry] = [*self.entries, Takeover(id=self.run.id)]
        if answer is not None and (said := entry_for_answer(self._open, answer)) is not None:
            entries.append(said)
        return tuple(ledger_message(entry) for entry in entries)

    @property
    def _left(self) -> LedgerEntry:
        return next(entry for entry in reversed(self.entries) if not isinstance(entry, Takeover))

    @property
    def _open(self) -> LedgerEntry:
        """The last entry, as one that waits for an answer if it is a plan, whatever was answered before."""
        match left := self._left:
            case PlanApproval() | PlanProposal() | PlanSupplied():
                return PlanProposal(id=left.id, plan=left.plan)
            case _:
                return left

    def _request(self, own_id: str, kind: Kind, *, prompt: str = "", subject_kind: str | None = None) -> OpenRequest:
        return OpenRequest(
            id=own_id, run_id=self.run.id, kind=kind, prompt=prompt, created_at=self.run.finished_at or
            self.run.created_at, subject_kind=subject_kind,
        )  # fmt: skip


class AbandonedRuns:
    """Finds the runs that were left."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of_conversation(self, scope: Scope, conversation_id: str) -> AbandonedRun | None:
        """Return the newest run of a conversation if its process ended while it worked on a workbook, else None."""
        said = await self._store.conversations.latest_messages(scope, conversation_id, 1)
        run_id = said[-1].run_id if said else None
        if run_id is None:
            return None
        try:
            run = await self._store.runs.get(scope, run_id)
        except NotFound:
            return None
        if run.state != "finished" or run.failure is None or run.failure.code != OwnerLost.code:
            return None
        ledger = Ledger(await self._store.log.transcript(scope, run_id))
        if (decided := ledger.decided(await self._store.log.requests(scope, run_id))) is not None:
            ledger.add(decided)
        if all(isinstance(entry, PriorRounds | Takeover) for entry in ledger.entries):
            return None
        return AbandonedRun(run=run, entries=tuple(ledger.entries))

    async def asked_again(
        self, scope: Scope, conversation_id: str, question: str, file_ids: Sequence[str]
    ) -> AbandonedRun | None:
        """Return the run that was left with a question, if the question is asked about the same workbook, else None.

        A person who asks again what they had turned down wants it done anew.
        """
        left = await self.of_conversation(scope, conversation_id)
        if left is None or left.run.question != question or left.turned_down:
            return None
        own, linked = set(left.run.file_ids), await self._store.files.linked(scope, conversation_id)
        later = newest(
            file for file in linked if file.run_id is None and file.id > left.run.id and file.id not in own
        )  # what came with the question itself is its own, though it was stored after it
        same = own == set(file_ids) if file_ids else later is None
        return left if same and own <= {file.id for file in linked} else None

    async def last_of(self, scope: Scope, conversation_ids: Iterable[str]) -> AbandonedRun | None:
        """Return the last run of several conversations if it was left; None where another was begun after it."""
        said = [await self._store.conversations.latest_messages(scope, one, 1) for one in conversation_ids]
        last = max((messages[-1] for messages in said if messages), key=lambda one: one.run_id or "", default=None)
        return None if last is None else await self.of_conversation(scope, last.conversation_id)

    async def of_conversations(self, scope: Scope, conversation_ids: Iterable[str]) -> tuple[AbandonedRun, ...]:
        """Return the runs that were left in several conversations, newest first."""
        found = [await self.of_conversation(scope, one) for one in conversation_ids]
        return tuple(
            sorted((one for one in found if one is not None), key=lambda one: one.run.created_at, reverse=True)
        )
