"""What nodes use in a real run: the tools, the sandbox, the model, the databases and the workbook of that run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tablewright.agent.base import AgentContext, AgentInput, RunWorkbook
from tablewright.data.base import READING, WebPages, WebRequest, WebRequests, WebResponse
from tablewright.data.sql.base import Database
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.codec import to_python
from tablewright.domain.plan_file import SheetShape
from tablewright.domain.rounds.plan import OperationPlan
from tablewright.domain.rounds.round import Round
from tablewright.domain.task import Chat
from tablewright.domain.workflow import Workflow
from tablewright.errors import NodeFailed, TablewrightError, WorkflowUnknown
from tablewright.tools.base import ToolProvider
from tablewright.tools.toolset import Toolset
from tablewright.workflows.base import (
    CodeFiles,
    CodeOutcome,
    Emit,
    PageOutcome,
    QueryOutcome,
    WorkbookOutcome,
    WrittenOutcome,
)
from tablewright.workflows.code_runner import CodeRunner, named_files
from tablewright.workflows.fitted_steps import WHOLE, fitted_steps
from tablewright.workflows.model_writer import ModelWriter
from tablewright.workflows.opening import lineage, opened
from tablewright.workflows.planned_steps import planned_steps
from tablewright.workflows.table_forms import check_forms
from tablewright.workflows.validate.nesting import MOST_DEEP

IDEMPOTENCY = "idempotency-key"
"""The header by which a server knows a request that it has seen before."""
Library = Callable[[str], Workflow | None]
"""Returns a workflow by its name, or None."""


class ContextServices:
    """Implements `NodeServices` for one iteration of a run. `library` has the templates; the others are the run's."""

    def __init__(
        self,
        given: AgentInput,
        context: AgentContext,
        *,
        tools: ToolProvider | None = None,
        pages: WebPages | None = None,
        requests: WebRequests | None = None,
        library: Library = lambda _: None,
    ) -> None:
        self._given = given
        self._context = context
        self._provider = tools
        self._pages = pages
        self._requests = requests
        self._library = library
        self._toolset: Toolset | None = None

    async def call_tool(self, name: str, arguments: Mapping[str, Any], *, key: str, emit: Emit) -> str:  # noqa: ARG002
        toolset = await self._tools()
        result = await toolset.call(name, arguments, self._context.for_tools(self._given), emit)
        if result.failed:
            raise NodeFailed(words=result.text[:500])
        return result.text

    async def run_code(
        self, code: str, variables: Mapping[str, Any], *, key: str, emit: Emit, files: CodeFiles | None = None
    ) -> CodeOutcome:
        given, context = self._given, self._context
        self.require_files()
        inputs = given.inputs
        if files is not None:
            inputs = named_files(inputs, files.reads)
            check_forms(files.made_for, files.reads, given.inputs, given.datasets)
        runner = CodeRunner(
            run_id=given.run_id,
            sandbox=context.sandbox,
            inputs=inputs,
            artifacts=context.artifacts,
            clock=context.clock,
            ids=context.ids,
            language=given.language,
        )
        return await runner.run(code, variables, key=key, emit=emit)

    async def write(self, task: Chat, *, emit: Emit, chunk: Callable[[str], None]) -> WrittenOutcome:
        return await ModelWriter(model=self._context.model, emit=emit, chunk=chunk).write(task)

    async def query(self, database: str, statement: str, parameters: Mapping[str, Any], *, rows: int) -> QueryOutcome:
        if self._context.databases is None:
            raise NodeFailed("workflow_no_databases")
        source = await self._context.databases.open(database)
        try:
            found = await source.query(statement, parameters, max_rows=rows)
            total = await _counted(source, statement, parameters) if found.truncated else len(found.rows)
        finally:
            await source.close()
        return QueryOutcome(columns=tuple(found.columns), rows=tuple(found.rows), total=total)

    async def fetch(self, url: str) -> PageOutcome:
        if self._pages is None:
            raise NodeFailed("workflow_no_web")
        page = await self._pages.read(url)
        return PageOutcome(url=page.url, title=page.title, text=page.text)

    async def send(self, request: WebRequest, *, key: str) -> WebResponse:
        if self._requests is None:
            raise NodeFailed("workflow_no_web")
        if request.method not in READING and not any(name.lower() == IDEMPOTENCY for name in request.headers):
            request = replace(request, headers={**request.headers, IDEMPOTENCY: self._once(key)})
        return await self._requests.send(request)

    def _once(self, key: str) -> str:
        """Return the key of an attempt as one that is unique among all runs."""
        return hashlib.sha256(f"{self._given.run_id} {key}".encode()).hexdigest()[:32]

    async def change_workbook(
        self, steps: Sequence[Mapping[str, Any]], *, key: str, made_for: Sequence[SheetShape] = ()
    ) -> WorkbookOutcome:
        workbook, plan_id = self._context.workbook, self._once(key)
        self.require_files()
        if workbook is None:
            raise NodeFailed("workflow_no_workbook")
        before = [each for each in await workbook.rounds() if each.plan_id == plan_id]
        done = before[0] if before else await self._executed(workbook, steps, made_for, plan_id)
        if done.failed or done.rolled_back:
            raise NodeFailed("workflow_operations_failed", words=_faults_of(done), round_id=done.id)
        file = to_python(ArtifactRef, await workbook.artifact())
        changed = sum(len(sheet.cells) for sheet in done.changes)
        return WorkbookOutcome(version=await workbook.version(), changed=changed, file=file, round_id=done.id)

    async def _executed(
        self, workbook: RunWorkbook, steps: Sequence[Mapping[str, Any]], made_for: Sequence[SheetShape], plan_id: str
    ) -> Round:
        planned = planned_steps(steps)
        if made_for:
            planned = fitted_steps(steps, made_for, await workbook.outline(tokens=WHOLE), self._given.language)
        problems = [notice.code for notices in await workbook.check(planned) for notice in notices]
        if problems:
            raise NodeFailed("workflow_operations_wrong", words=", ".join(problems)[:500])
        plan = OperationPlan(steps=planned, base_version=await workbook.version())
        return await workbook.execute(plan, plan_id=plan_id)

    def require_files(self) -> None:
        if not self._given.missing:
            return
        _, inputs = opened(self._given.transcript)
        gone = {str(file_id): name for name, file_id in inputs.items() if str(file_id) in self._given.missing}
        raise NodeFailed("workflow_file_gone", names=", ".join(gone.get(each, each) for each in self._given.missing))

    async def workflow(self, name: str) -> Workflow:
        found = self._library(name)
        if found is None and self._context.workflows is not None:
            found = await self._context.workflows(name)
        if found is None:
            raise WorkflowUnknown(name=name)
        above = lineage(self._given.transcript)
        if found.id in above or len(above) >= MOST_DEEP:
            raise NodeFailed("workflow_recursion", path=" → ".join((*above, found.id)))
        return found

    async def close(self) -> None:
        if self._toolset is not None:
            await self._toolset.close()

    async def _tools(self) -> Toolset:
        if self._toolset is None:
            tools = () if self._provider is None else await self._provider.tools()
            self._toolset = Toolset(tools, language=self._given.language)
        return self._toolset


async def _counted(database: Database, statement: str, parameters: Mapping[str, Any]) -> int | None:
    """Return how many rows a statement has, or None if that cannot be counted."""
    try:
        # the database checks that it only reads, as it does any statement
        counting = f"SELECT COUNT(*) AS n FROM (\n{statement.strip().rstrip(';')}\n) AS t"  # noqa: S608
        found = await database.query(counting, parameters)
    except TablewrightError:
        return None
    count = found.rows[0][0]
    return count if isinstance(count, int) else None


def _faults_of(done: Round) -> str:
    """Say which steps failed, and why."""
    failed = [f"{each.step.step} {each.step.function}: {each.error.code if each.error else ''}" for each in done.failed]
    return "; ".join(failed)[:500]
