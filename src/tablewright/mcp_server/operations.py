"""Implements `table_operation`: changes a copy of the one table, or makes a new table from the given ones."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from fastmcp.exceptions import ToolError

from tablewright.domain.answer import Answer
from tablewright.domain.answer_note import with_note
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.formula_text import guarded_cells
from tablewright.domain.language import Language
from tablewright.mcp_server.calls import CallObserver, CallOutcome, CallQuestion, answered, ask
from tablewright.mcp_server.results import left_as
from tablewright.mcp_server.translate import shape
from tablewright.routing.instructions import changes_table
from tablewright.sandbox.base import LeaseScope
from tablewright.service.app import App
from tablewright.service.files.local_outputs import MACROS, check_macros
from tablewright.service.files.sources import DOWNLOAD_PATH, Caller
from tablewright.service.files.table_writer import is_book
from tablewright.texts.catalogue import text

COLUMNS_NAMED = 12
HIDING = frozenset({"filter_rows", "hide"})
"""Operations that may hide rows; a file format without formatting cannot hide them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationOutput:
    """A new file; `kept` if it is already stored among the caller's files."""

    name: str
    description: str
    content: AsyncIterator[bytes]
    conversation_id: str
    kept: ArtifactRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOperationCall:
    """One instruction of a caller.

    `asked.deliver` names the file to make; `names` are the file names of its places, as far as known.
    """

    app: App
    caller: Caller
    asked: CallQuestion
    names: Sequence[str | None]
    teller: CallObserver
    language: Language

    @property
    def name(self) -> str:
        """The name of the file to make."""
        return self.asked.deliver or ""

    async def made(self) -> OperationOutput:
        """Carry out the instruction. Raises `ToolError`, without leaving a file, if it was not understood or failed."""
        single = len(self.asked.places) == 1
        if self._changes():
            ended = await self._edited(self.asked)
            if answered(ended).outcome == "declined" or not ended.seen.rounds:
                raise ToolError(with_note(answered(ended), self.language))
            return await self._changed(ended)
        ended = await ask(self.app, self.caller, self.asked, self.teller, self.language)
        answer = answered(ended)
        if answer.outcome != "declined":
            return self._written(ended, answer)
        if single:
            other = await self._edited(replace(self.asked, again=True))
            if any(round_.version is not None for round_ in other.seen.rounds):
                return await self._changed(other)
        raise ToolError(with_note(answer, self.language))

    def _changes(self) -> bool:
        """Return whether to change a copy of the one table.

        Raises `OutputRefused` if the copy cannot have the requested name.
        """
        with_macros = self.name.lower().endswith(MACROS)
        changes = len(self.names) == 1 and (with_macros or changes_table(self.asked.question))
        if changes and self.names[0] is not None:
            check_macros(self.name, self.names[0])
        if with_macros and not changes:
            check_macros(self.name, "")
        return changes

    async def _edited(self, asked: CallQuestion) -> CallOutcome:
        return await ask(
            self.app, self.caller, replace(asked, mode="edit", deliver=None), self.teller, self.language
        )  # fmt: skip

    def _written(self, ended: CallOutcome, answer: Answer) -> OperationOutput:
        kept = left_as(answer, self.name)
        if kept is None:
            words = with_note(answer, self.language)
            raise ToolError(text("mcp.not_written", self.language, name=self.name, answer=words))
        described = _described(answer, kept.name, self.language)
        count = sum(guarded_cells(step.output) for step in ended.seen.steps.values())
        if count:
            described = f"{described}\n{text('agent.cells_guarded', self.language, count=count)}"
        return OperationOutput(
            name=kept.name,
            description=described,
            content=self._stored(kept),
            conversation_id=ended.conversation_id,
            kept=kept,
        )

    async def _stored(self, kept: ArtifactRef) -> AsyncIterator[bytes]:
        opened = await self.app.files.open(self.caller.scope, kept.id)
        async for piece in opened.content:
            yield piece

    async def _changed(self, ended: CallOutcome) -> OperationOutput:
        """Return the edited copy: the workbook itself if that is wanted, otherwise the table that was changed."""
        rounds, scope = ended.seen.rounds, self.caller.scope
        if rounds[-1].failed:
            raise ToolError(with_note(answered(ended), self.language))
        version = await self.app.workbooks.version(scope, ended.file_ids[0])
        content = self.app.workbooks.content(scope, version)
        suffix = PurePath(self.name).suffix.lower()
        if suffix in {".xlsx", MACROS} and is_book(version.name):
            check_macros(self.name, version.name)
        else:
            sheets = [change.sheet for round_ in rounds for change in round_.changes]
            functions = {result.step.function for round_ in rounds for result in round_.steps}
            content = self.app.table_writer.written(
                content,
                LeaseScope(run_id=ended.run_id, scope="output"),
                source=version.name,
                sheet=sheets[-1] if sheets else None,
                name=self.name,
                filtered=bool(functions & HIDING),
                guard=self.asked.guard,
            )
        done = [result.step.description or result.step.function for round_ in rounds for result in round_.steps]
        steps = ("；" if self.language == "zh" else "; ").join(done)
        described = text("mcp.path_desc_steps", self.language, name=self.name, steps=steps)
        return OperationOutput(
            name=self.name, description=described, content=content, conversation_id=ended.conversation_id
        )


async def kept_place(app: App, caller: Caller, made: OperationOutput) -> str:
    """Return the download path of a made file, storing it among the caller's files if necessary."""
    if made.kept is not None:
        return DOWNLOAD_PATH.format(id=made.kept.id)
    file = await app.files.upload(caller.scope, name=made.name, content=made.content)
    await app.calls.note(caller.scope, made.conversation_id, [file.id])
    return DOWNLOAD_PATH.format(id=file.id)


def _described(answer: Answer, name: str, language: Language) -> str:
    table = answer.result or answer.table
    if table is None:
        return text("mcp.path_desc_plain", language, name=name)
    rows, columns = shape(table)
    names = text("agent.list_comma", language).join(table.columns[:COLUMNS_NAMED])
    return text("mcp.path_desc", language, name=name, rows=rows, columns=columns, names=names)
