"""What was done in a conversation, as far as it can be done again: code that answered, and rounds on a workbook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tablewright.domain.dataset import DatasetFacts, StoredFile
from tablewright.domain.plan_file import PlanFile
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.round import Round
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.domain.workflow.forms import TableForm, bound_to_rows, form_of
from tablewright.errors import FileUnreadable, NotFound, TablewrightError
from tablewright.sandbox.base import SHARED_FOLDER
from tablewright.service.history import CELL_TYPES, EarlierRun, cells_of, events_of, takes_up
from tablewright.service.runs.inputs import places_of
from tablewright.service.workbooks.round_history import rounds_of
from tablewright.service.workbooks.workbooks import Workbooks
from tablewright.store.base import Store
from tablewright.workbook.shapes import plan_file

WHOLE = 1_000_000
"""A token budget for outlines from which nothing is left out."""
CODE = "code_analyst"
TALK = frozenset({"chat", "unavailable"})
"""Agents that do nothing to do again."""
Reason = Literal["after_edit", "agent", "database", "other_workbook", "by_hand", "version_gone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeWork:
    """A question that code has answered: the code of its steps and, where they use it, of the questions before.

    `anew`: the code counts the rows of its file, or reads what is not there any more; the question is asked again.
    """

    question: str
    code: str
    anew: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EditWork:
    """A round on the workbook: the steps that changed it, and the sheets as they were before."""

    question: str
    plan: PlanFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Omission:
    """Something that was done and cannot be done again: what was asked for, or a version's summary, and why."""

    words: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationRecord:
    """What was done, in order. `files` are those that it works on, the workbook first, each under its name in code.

    Code `reads` these, or none; `tables` are the forms of what it reads.
    """

    work: tuple[CodeWork | EditWork, ...]
    files: tuple[str, ...]
    reads: tuple[str, ...]
    tables: tuple[TableForm, ...]
    omitted: tuple[Omission, ...]


class ConversationWork:
    """Reads back what was done in a conversation."""

    def __init__(self, store: Store, workbooks: Workbooks) -> None:
        self._store = store
        self._workbooks = workbooks

    async def of(self, scope: Scope, conversation_id: str) -> ConversationRecord:
        """Return what was done. Raises `NotFound`."""
        runs = await self._runs(scope, conversation_id)
        linked = await self._store.files.linked(scope, conversation_id)
        book, rounds = await self._rounds(scope, linked, runs)
        reading = _Reading(book=None if book is None else book.id)
        for run in runs:
            if own := [(file_id, each) for file_id, each in rounds if each.run_id == run.id]:
                for file_id, each in own:
                    await self._edit(scope, reading, run, file_id, each)
            else:
                await self._code(scope, reading, run, linked)
        if book is not None:
            reading.omitted += await self._by_hand(scope, book.id, [each for _, each in rounds])
        return reading.record(book, linked)

    async def _runs(self, scope: Scope, conversation_id: str) -> list[Run]:
        """Return the runs of the conversation that have ended well, oldest first."""
        said = await self._store.conversations.questions(scope, conversation_id)
        found: list[Run] = []
        for run_id in dict.fromkeys(message.run_id for message in said if message.run_id is not None):
            run = await self._store.runs.get(scope, run_id)
            if run.outcome == "completed" and run.agent not in TALK:
                found.append(run)
        return found

    async def _rounds(
        self, scope: Scope, linked: Sequence[StoredFile], runs: Sequence[Run]
    ) -> tuple[StoredFile | None, list[tuple[str, Round]]]:
        """Return the workbook that was changed last, and the rounds that changed any and stand, by workbook."""
        found: list[tuple[str, Round]] = []
        for file in linked:
            rounds = await rounds_of(self._store, scope, file.id, run_ids=[run.id for run in runs])
            found += [(file.id, each) for each in rounds if _stands(each)]
        if not found:
            return None, []
        last = max(found, key=lambda one: one[1].created_at)[0]
        return next(file for file in linked if file.id == last), found

    async def _edit(self, scope: Scope, reading: _Reading, run: Run, file_id: str, round_: Round) -> None:
        if file_id != reading.book:
            reading.omit(run, "other_workbook")
            return
        steps = [result.step for result in round_.steps if result.status == "completed" and result.wrote]
        versions = {version.number: version for version in await self._workbooks.versions(scope, file_id)}
        base = None if round_.version is None else versions[round_.version].parent
        try:
            outline = await self._workbooks.outline(scope, file_id, tokens=WHOLE, version=base)
        except (NotFound, FileUnreadable):
            reading.omit(run, "version_gone")
            return
        if steps:
            reading.work.append(EditWork(question=run.question, plan=plan_file(_numbered(steps), outline)))

    async def _code(self, scope: Scope, reading: _Reading, run: Run, linked: Sequence[StoredFile]) -> None:
        cells = cells_of(run.id, await events_of(self._store, scope, run.id, CELL_TYPES))
        if run.agent not in {CODE, None} or not cells.cells:
            if run.agent != "rounds":
                reading.omit(run, "agent")
            return
        if any(isinstance(each, EditWork) for each in reading.work):
            reading.omit(run, "after_edit")
            return
        own = [cell.code for cell in cells.cells]
        if _asks_database(own, run, linked):
            reading.omit(run, "database")
            return
        before = reading.cells if takes_up(reading.cells, own) else []
        code = "\n\n".join([*(cell.code for one in before for cell in one.cells), *own])
        reading.work.append(CodeWork(question=run.question, code=code))
        reading.cells.append(cells)

    async def _by_hand(self, scope: Scope, workbook_id: str, rounds: Sequence[Round]) -> list[Omission]:
        """Return the versions that people or their programs made from the first round on."""
        first = min((each.version for each in rounds if each.version is not None), default=0)
        try:
            versions = await self._workbooks.versions(scope, workbook_id)
        except TablewrightError:
            return []
        made = [each for each in versions if each.number > first and each.author in {"person", "client"}]
        return [Omission(words=str(each.number), reason="by_hand") for each in made]


class _Reading:
    """What has been read back so far."""

    def __init__(self, *, book: str | None) -> None:
        self.book = book
        self.work: list[CodeWork | EditWork] = []
        self.cells: list[EarlierRun] = []
        self.omitted: list[Omission] = []

    def omit(self, run: Run, reason: Reason) -> None:
        """Leave out what a run did."""
        omission = Omission(words=run.question, reason=reason)
        if omission not in self.omitted:
            self.omitted.append(omission)

    def record(self, book: StoredFile | None, linked: Sequence[StoredFile]) -> ConversationRecord:
        """Return all of it, with the files that it works on: the workbook, then those that the code names."""
        places = places_of(linked)
        read = {
            file.id: [facts for facts in file.datasets if self._reads(facts, places[file.id])]
            for file in linked
            if file.run_id is None and self._names(places[file.id])
        }
        edits = any(isinstance(each, EditWork) for each in self.work)
        files = dict.fromkeys([*([book.id] if book is not None and edits else []), *read])
        bound = any(bound_to_rows(facts) for tables in read.values() for facts in tables)
        bound = bound or self._unknown([places[file_id] for file_id in read])
        forms = [form_of(facts, places[file_id]) for file_id, tables in read.items() for facts in tables]
        return ConversationRecord(
            work=tuple(replace(each, anew=bound) if isinstance(each, CodeWork) else each for each in self.work),
            files=tuple(places[file_id] for file_id in files),
            reads=tuple(places[file_id] for file_id in files) if read else (),
            tables=tuple(forms),
            omitted=tuple(self.omitted),
        )

    def _unknown(self, places: Sequence[str]) -> bool:
        """Return whether code reads what is not among the uploads, or not any more under that name."""
        folder = f"{SHARED_FOLDER}/"
        code = [each.code for each in self.work if isinstance(each, CodeWork)]
        return any(each.count(folder) != sum(each.count(folder + place) for place in places) for each in code)

    def _names(self, place: str) -> bool:
        return any(f"{SHARED_FOLDER}/{place}" in each.code for each in self.work if isinstance(each, CodeWork))

    def _reads(self, facts: DatasetFacts, place: str) -> bool:
        code = [each.code for each in self.work if isinstance(each, CodeWork)]
        sheet = facts.read.sheet
        return any(f"{SHARED_FOLDER}/{place}" in each and (sheet is None or sheet in each) for each in code)


def _asks_database(code: Sequence[str], run: Run, linked: Sequence[StoredFile]) -> bool:
    """Return whether a run was given, or its code reads, an excerpt of a table of a database."""
    places = places_of(linked)
    excerpts = [file for file in linked if any(facts.table is not None for facts in file.datasets)]
    return any(
        file.id in run.file_ids or any(f"{SHARED_FOLDER}/{places[file.id]}" in each for each in code)
        for file in excerpts
    )


def _stands(round_: Round) -> bool:
    return round_.version is not None and not round_.undone and not round_.rolled_back


def _numbered(steps: Sequence[PlanStep]) -> list[PlanStep]:
    return [
        PlanStep(step=number, function=step.function, parameters=step.parameters, description=step.description)
        for number, step in enumerate(steps, 1)
    ]
