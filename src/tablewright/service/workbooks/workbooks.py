"""Create, read and edit workbooks, and return them to earlier versions."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from tablewright.domain.cells import SheetChanges
from tablewright.domain.dataset import StoredFile
from tablewright.domain.ids import Ids
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation
from tablewright.domain.outline import WorkbookOutline
from tablewright.domain.rounds.round import Round
from tablewright.domain.scope import Scope
from tablewright.domain.workbook import Author, Version
from tablewright.errors import Conflict, InvalidInput, NotFound, PlanInvalid, WorkbookChanged
from tablewright.service.labels import file_name
from tablewright.service.workbooks.round_history import line_to
from tablewright.service.workbooks.states import Edition, WorkbookState, WorkbookStates, file_at
from tablewright.store.base import Store
from tablewright.workbook.base import (
    Applied,
    ApplyPolicy,
    CellPage,
    Difference,
    NewSheet,
    StepOutcome,
    WorkbookEditor,
)

ERRORS_SHOWN = 10
"""The number of new formula errors that are reported individually."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """The result of an edit: `version` is the head now, a new one if `changed`.

    `warnings` name new formula errors and, at the first edit of a file, the features it lost.
    """

    version: Version
    changed: bool
    steps: tuple[StepOutcome, ...]
    changes: tuple[SheetChanges, ...]
    warnings: tuple[Notice, ...]


class Workbooks:
    """The use cases of a workbook. A workbook of another owner raises `NotFound`.

    `workbook_id` is the id of the workbook's file, or of a conversation or channel, which stands for the newest
    workbook in it. Methods that open the file may also raise `FileUnreadable` and its subclasses.
    """

    def __init__(self, store: Store, states: WorkbookStates, editor: WorkbookEditor, ids: Ids) -> None:
        self._store = store
        self._states = states
        self._editor = editor
        self._ids = ids

    async def create(
        self, scope: Scope, *, name: str, sheets: Sequence[NewSheet], conversation_id: str | None = None
    ) -> StoredFile:
        """Create a workbook from these sheets; version 1 is authored by the client.

        Raises `InvalidInput` or `FileTooLarge`.
        """
        if not sheets:
            raise InvalidInput("sheets_missing", field="sheets")
        name = file_name(f"{PurePath(name).stem or 'workbook'}.xlsx")
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            path = Path(folder) / "new.xlsx"
            await self._editor.create(path, sheets)
            content = await self._states.contents.keep_whole(scope, path)
        bare = StoredFile(id=self._ids.new(), name=name, mime="", kind="xlsx", size_bytes=0, sha256="")
        file = file_at(bare, name, content)
        file = await self._store.files.add(scope, file, refs=(content,), conversation_id=conversation_id)
        await self._states.begin(scope, file, author="client")
        return file

    async def state(self, scope: Scope, workbook_id: str) -> WorkbookState:
        """Return the current state of the workbook. Raises `NotFound` or `FormatUnsupported`."""
        return await self._states.state(scope, workbook_id)

    async def of_conversation(self, scope: Scope, conversation_id: str) -> StoredFile | None:
        """Return the newest workbook that was put into a conversation, ignoring files that runs made."""
        return await self._states.of_conversation(scope, conversation_id)

    async def outline(
        self, scope: Scope, workbook_id: str, *, tokens: int = 4_000, version: int | None = None
    ) -> WorkbookOutline:
        """Describe all sheets of a version, by default of the head."""
        state = await self._states.state(scope, workbook_id)
        found = await self._version(scope, state, version)
        async with self._states.opened(scope, state, found) as path:
            return await self._editor.outline(path, tokens=tokens, name=found.name)

    async def cells(
        self, scope: Scope, workbook_id: str, sheet: str | None, wanted: str | None = None, *, limit: int = 2_000
    ) -> CellPage:
        """Return a page of cells of the head. Raises `InvalidInput` for a sheet or range that does not exist."""
        state = await self._states.state(scope, workbook_id)
        path = await self._states.path(scope, state)
        return await self._editor.cells(path, sheet, wanted, limit=limit, name=state.head.name)

    async def versions(self, scope: Scope, workbook_id: str) -> tuple[Version, ...]:
        """Return all versions, oldest first."""
        state = await self._states.state(scope, workbook_id)
        return await self._store.workbooks.versions(scope, state.file.id) if state.stored else (state.head,)

    async def version(self, scope: Scope, workbook_id: str, number: int | None = None) -> Version:
        """Return a version, by default the head."""
        return await self._version(scope, await self._states.state(scope, workbook_id), number)

    def content(self, scope: Scope, version: Version) -> AsyncIterator[bytes]:
        """Yield the exact bytes of a version."""
        return self._states.contents.stream(scope, version)

    async def compare(self, scope: Scope, workbook_id: str, before: int, after: int) -> Difference:
        """Return the differences between two versions, cell by cell."""
        state = await self._states.state(scope, workbook_id)
        one, other = [await self._version(scope, state, number) for number in (before, after)]
        async with self._states.opened(scope, state, one) as old, self._states.opened(scope, state, other) as new:
            return await self._editor.diff(old, new)

    async def edit(
        self,
        scope: Scope,
        workbook_id: str,
        operations: Sequence[AnyOperation],
        *,
        base_version: int | None = None,
        author: Author = "person",
        summary: str = "",
    ) -> Edited:
        """Apply all of `operations` as one new version, or none of them.

        Raises `PlanInvalid` naming the first operation that cannot be done, and `WorkbookChanged` if the workbook is
        not at `base_version`. New formula errors are reported but not rolled back: whoever types a formula sees them.
        """
        state = await self._states.state(scope, workbook_id)
        if base_version not in {None, state.head.number}:
            raise WorkbookChanged(version=state.head.number, base=base_version)
        policy = ApplyPolicy(roll_back_on_errors=False)
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            target = Path(folder) / "edited.xlsx"
            source = await self._states.path(scope, state)
            applied = await self._editor.apply(source, target, operations, policy=policy, name=state.head.name)
            _refuse_failed(operations, applied)
            version = state.head
            if applied.written:
                edition = Edition(
                    author=author, request_id=self._ids.new(), summary=summary, changes=applied.changes
                )  # fmt: skip
                version = await self._states.commit(scope, state, target, edition)
        losses = applied.losses if applied.written and state.workbook.latest == 1 else ()
        return Edited(
            version=version,
            changed=applied.written,
            steps=applied.steps,
            changes=applied.changes,
            warnings=(*losses, *applied.warnings, *formula_error_notices(applied)),
        )

    async def undo(self, scope: Scope, workbook_id: str) -> Version:
        """Return to the version that the head was made from, byte for byte. Raises `Conflict` if there is none."""
        state = await self._states.state(scope, workbook_id)
        if state.head.parent is None:
            raise Conflict("nothing_to_undo")
        return await self._states.move(scope, state, state.head.parent)

    async def redo(self, scope: Scope, workbook_id: str) -> Version:
        """Move on to the newest version made from the head. Raises `Conflict` if there is none, as after an edit."""
        state = await self._states.state(scope, workbook_id)
        versions = await self.versions(scope, state.file.id)
        following = [version.number for version in versions if version.parent == state.head.number]
        if not following:
            raise Conflict("nothing_to_redo")
        return await self._states.move(scope, state, following[-1])

    async def rollback(self, scope: Scope, workbook_id: str, request_id: str) -> Version:
        """Return to the state before `request_id` (a round, an edit, or a plan with all its rounds), undoing everything
        after it too. What is already undone stays undone. Raises `NotFound` if no such request was executed."""
        state = await self._states.state(scope, workbook_id)
        versions = await self.versions(scope, state.file.id)
        rounds = await self._store.workbooks.rounds(scope, state.file.id) if state.stored else ()
        before = _before(request_id, state.head, versions, rounds)
        return state.head if before == state.head.number else await self._states.move(scope, state, before)

    async def _version(self, scope: Scope, state: WorkbookState, number: int | None) -> Version:
        if number is None or number == state.head.number:
            return state.head
        if not state.stored:
            raise NotFound(kind="version", id=str(number))
        return await self._store.workbooks.version(scope, state.file.id, number)


def formula_error_notices(applied: Applied) -> tuple[Notice, ...]:
    """Report the formulas that give an error they did not give before; beyond `ERRORS_SHOWN`, only their number."""
    shown = applied.new_errors[:ERRORS_SHOWN]
    told = [
        Notice(
            code="formula_error_new",
            params={"sheet": error.sheet, "cell": error.ref, "error": error.error, "formula": error.formula},
        )
        for error in shown
    ]
    if len(applied.new_errors) > len(shown):
        told.append(Notice(code="formula_errors_more", params={"count": len(applied.new_errors) - len(shown)}))
    return tuple(told)


def _refuse_failed(operations: Sequence[AnyOperation], applied: Applied) -> None:
    for number, (operation, outcome) in enumerate(zip(operations, applied.steps, strict=True), 1):
        if outcome.error is not None:
            params = {**outcome.error.params, "step": number, "function": operation.function}
            raise PlanInvalid(problem=outcome.error.code, field=f"operations.{number - 1}", **params)


def _before(request_id: str, head: Version, versions: Sequence[Version], rounds: Sequence[Round]) -> int:
    """Return the number of the version before a request's changes; the head's if they are undone or there were none."""
    meant = [found for found in rounds if request_id in {found.id, found.plan_id}]
    made = {found.version for found in meant}
    made |= {found.number for found in versions if found.request_id == request_id and found.parent is not None}
    if not made:
        raise NotFound(kind="round", id=request_id)
    line = line_to(head.number, versions)
    first = next((version for version in line if version.number in made), None)
    if made == {None}:  # the request only read: undo what came after it
        since = min(found.created_at for found in meant)
        first = next((version for version in line if version.created_at > since), None)
    return head.number if first is None or first.parent is None else first.parent
