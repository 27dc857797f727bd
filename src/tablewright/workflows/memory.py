"""A fake of what nodes use: functions in place of tools, code and queries, which remember what they were asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from tablewright.data.base import WebRequest, WebResponse
from tablewright.domain.plan_file import SheetShape
from tablewright.domain.task import Chat
from tablewright.domain.workflow import Workflow
from tablewright.errors import NodeFailed, WorkflowUnknown
from tablewright.workflows.base import (
    CodeFiles,
    CodeOutcome,
    Emit,
    PageOutcome,
    QueryOutcome,
    WorkbookOutcome,
    WrittenOutcome,
)

Function = Callable[[Mapping[str, Any], str], Awaitable[Any]]
"""Takes what it is called with and the idempotency key; returns what it gives, or raises `NodeFailed`."""


class MemoryServices:
    """Implements `NodeServices`. `functions` are called by the names of tools and by the text of code; what a tool or
    code is not found for, it does not have. `calls` has the key of every call that began, in order."""

    def __init__(
        self,
        functions: Mapping[str, Function] | None = None,
        *,
        pages: Mapping[str, str] | None = None,
        rows: Sequence[tuple[Any, ...]] = (),
        workflows: Sequence[Workflow] = (),
    ) -> None:
        self._functions = dict(functions or {})
        self._pages = dict(pages or {})
        self._rows = tuple(rows)
        self._workflows = {workflow.id: workflow for workflow in workflows}
        self.calls: list[str] = []

    async def call_tool(self, name: str, arguments: Mapping[str, Any], *, key: str, emit: Emit) -> str:
        return str(await self._called(name, arguments, key))

    async def run_code(
        self, code: str, variables: Mapping[str, Any], *, key: str, emit: Emit, files: CodeFiles | None = None
    ) -> CodeOutcome:
        return CodeOutcome(result=await self._called(code, variables, key), text="")

    async def write(self, task: Chat, *, emit: Emit, chunk: Callable[[str], None]) -> WrittenOutcome:
        chunk(task.question)
        return WrittenOutcome(text=task.question, values=None if task.schema is None else {})

    async def query(self, database: str, statement: str, parameters: Mapping[str, Any], *, rows: int) -> QueryOutcome:
        return QueryOutcome(columns=("value",), rows=self._rows[:rows], total=len(self._rows))

    async def fetch(self, url: str) -> PageOutcome:
        if url not in self._pages:
            raise NodeFailed("workflow_no_web")
        return PageOutcome(url=url, title="", text=self._pages[url])

    async def send(self, request: WebRequest, *, key: str) -> WebResponse:
        self.calls.append(key)
        if request.url not in self._pages:
            raise NodeFailed("workflow_no_web")
        return WebResponse(url=request.url, status=200, headers={}, text=self._pages[request.url])

    async def change_workbook(
        self, steps: Sequence[Mapping[str, Any]], *, key: str, made_for: Sequence[SheetShape] = ()
    ) -> WorkbookOutcome:
        self.calls.append(key)
        return WorkbookOutcome(version=2, changed=len(steps), file={})

    def require_files(self) -> None:
        """Do nothing: there are no files."""

    async def workflow(self, name: str) -> Workflow:
        if name not in self._workflows:
            raise WorkflowUnknown(name=name)
        return self._workflows[name]

    async def close(self) -> None:
        """Do nothing."""

    async def _called(self, name: str, given: Mapping[str, Any], key: str) -> Any:
        self.calls.append(key)
        if name not in self._functions:
            raise NodeFailed(words=name)
        return await self._functions[name](given, key)
