"""Queries of databases within a run: each is shown as a step with its statement; its rows become a file for code."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Emit
from tablewright.agent.steps import CodeStep, StepRecord
from tablewright.domain.events import CodeFinished, EventBody, StepAnnounced, StepFinished, StepStarted, WarningRaised
from tablewright.domain.message import Message, ToolResultPart
from tablewright.domain.task import QueryFacts, StepFacts
from tablewright.errors import TablewrightError
from tablewright.models.base import ToolCalled
from tablewright.sandbox.base import SHARED_FOLDER, Input
from tablewright.texts.catalogue import text
from tablewright.tools.base import Tool, ToolContext, ToolResult
from tablewright.tools.execution.workspace import Workspace
from tablewright.tools.prompt_files import phrase
from tablewright.tools.query_database import NAME, QueryDatabase
from tablewright.tools.toolset import Toolset


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A file that has only the first rows of what it is called after."""

    label: str
    rows: int


class QuerySteps:
    """The queries of one run."""

    def __init__(self, given: AgentInput, context: AgentContext, workspace: Workspace, emit: Emit) -> None:
        self._given = given
        self._context = context
        self._workspace = workspace
        self._emit = emit
        self._excerpts = {
            dataset.path: Excerpt(label=dataset.table.label, rows=dataset.table.held)
            for dataset in given.datasets
            if dataset.table is not None and not dataset.table.complete
        }
        self.records: list[StepRecord] = []

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tool that queries, if tables of the run are in a database."""
        asked = any(dataset.table is not None for dataset in self._given.datasets)
        return (QueryDatabase(),) if asked and self._context.databases is not None else ()

    async def make(self, call: ToolCalled, toolset: Toolset, context: ToolContext) -> ToolResult:
        """Make a call of `query_database` as a step of the run."""
        step = CodeStep(id=self._context.ids.new(), name=self._name(call.arguments), code=_statement(call.arguments))
        self._emit(StepAnnounced(name=step.name, step_id=step.id))
        self._emit(CodeFinished(code=step.code, step_id=step.id))
        self._emit(StepStarted(step_id=step.id))
        begun = self._context.clock.monotonic()
        finished = StepFinished(step_id=step.id, status="interrupted", elapsed_s=0.0)

        def of_step(body: EventBody) -> None:
            self._emit(replace(body, step_id=step.id))

        try:
            result = await toolset.call(call.name, call.arguments, context, of_step)
            finished = replace(finished, status="error" if result.failed else "ok")
        finally:
            self._emit(replace(finished, elapsed_s=self._context.clock.monotonic() - begun))
        path = await self._placed(result)
        if result.kept is not None:
            result = replace(result, text=f"{result.text}\n{self._place(path)}")
        self._keep(step, result, path, str(call.arguments.get("connection", "")))
        return result

    async def restore(self, transcript: Sequence[Message]) -> None:
        """Give a new session the files of queries that were made before the run waited."""
        told = [
            part.text
            for message in transcript
            for part in message.parts
            if isinstance(part, ToolResultPart) and part.name == NAME and not part.failed
        ]
        if told and self._context.files is not None:
            for file in await self._context.files.all():
                if any(file.name in words for words in told):
                    await self._workspace.add(Input(path=file.path, name=file.input_name or file.name))

    def warn(self, records: Sequence[StepRecord]) -> None:
        """Say which files with only the first rows of a table or of a result the code of these steps read."""
        for path, excerpt in self._excerpts.items():
            if any(path in record.step.code for record in records):
                params: dict[str, str | int | float | None] = {"table": excerpt.label, "rows": excerpt.rows}
                self._emit(WarningRaised(code="database_rows_bounded", params=params))

    async def _placed(self, result: ToolResult) -> str | None:
        """Make the rows that were kept readable for code; return where, or None if the session cannot."""
        if result.kept is None or self._context.files is None:
            return None
        try:
            file = await self._context.files.find(result.kept.name)
        except TablewrightError:
            return None
        name = file.input_name or file.name
        if not await self._workspace.add(Input(path=file.path, name=name)):
            return None
        path = f"{SHARED_FOLDER}/{name}"
        if result.kept.truncated:
            self._excerpts[path] = Excerpt(label=name, rows=result.kept.rows)
        return path

    def _place(self, path: str | None) -> str:
        language = self._given.language
        if path is None:
            return phrase("query_database_late", language)
        return phrase("query_database_place", language, path=json.dumps(path, ensure_ascii=False))

    def _keep(self, step: CodeStep, result: ToolResult, path: str | None, connection: str) -> None:
        kept = result.kept
        query = QueryFacts(
            connection=connection,
            path=path,
            rows=0 if kept is None else kept.rows,
            truncated=kept is not None and kept.truncated,
        )
        error = result.text if result.failed else None
        facts = StepFacts(name=step.name, code=step.code, text=result.text, error=error, query=query)
        self.records.append(StepRecord(step=step, facts=facts, digest=result.text))

    def _name(self, arguments: Mapping[str, Any]) -> str:
        connection = str(arguments.get("connection", "primary"))
        return text("agent.step_query", self._given.language, connection=connection[:80])


def _statement(arguments: Mapping[str, Any]) -> str:
    return str(arguments.get("query", ""))
