"""The tool `run_python`: code in the sandbox session that all its calls of a conversation share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from tablewright.domain.events import CodeFinished, EventBody, StepAnnounced, StepFinished, StepStarted
from tablewright.domain.language import Language
from tablewright.models.base import ToolSpec
from tablewright.models.streams import closing
from tablewright.sandbox.base import TOOLS, LeaseScope, Session, Status
from tablewright.tools.base import ResponseFormat, ToolContext, ToolResult
from tablewright.tools.described import described
from tablewright.tools.execution.artifact_delivery import ArtifactDelivery
from tablewright.tools.execution.step_digest import StepDigest
from tablewright.tools.execution.step_outputs import StepOutputs
from tablewright.tools.execution.workspace import Workspace
from tablewright.tools.prompt_files import phrase
from tablewright.tools.python_imports import IMPORTS, refused_import
from tablewright.tools.shaping import Cap, shaped_text

NAME = "run_python"
CAP = Cap(chars=20_000)
TIMEOUT_S = 60
MOST_TIMEOUT_S = 300
AT_ONCE = 6
LEASE_S = 60.0
STEP_CHARS = 60
_ARGUMENTS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "code": ("run_python_code", {"type": "string", "minLength": 1}),
    "timeout": (
        "run_python_timeout",
        {"type": "integer", "minimum": 5, "maximum": MOST_TIMEOUT_S, "default": TIMEOUT_S},
    ),
}


class RunPython:
    """Implements `Tool` for one run. Of packages, only `imports` may be imported; empty: whatever the sandbox allows.

    Its calls have one session, and are executed in the order in which they come.

    The session is leased with the first call. `close` releases it; where the sandbox is a run's, its end does.
    """

    def __init__(self, imports: Sequence[str] = IMPORTS) -> None:
        self._imports = tuple(imports)
        self._turn = asyncio.Lock()
        self._workspace: Workspace | None = None
        self._files: ArtifactDelivery | None = None
        self._events: list[EventBody] = []

    @property
    def spec(self) -> ToolSpec:
        return self.spec_in("en")

    @property
    def limit_s(self) -> float:
        """As long as the calls of a round take together, and the wait for a session."""
        return AT_ONCE * MOST_TIMEOUT_S + LEASE_S

    def spec_in(self, language: Language) -> ToolSpec:
        """Return the description in `language`."""
        return described(NAME, language, _ARGUMENTS, ("code",), imports=self._importable(language))

    def _importable(self, language: Language) -> str:
        return ", ".join(self._imports) or phrase("run_python_any", language)

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        language, code = context.language, str(arguments["code"])
        if context.sandbox is None:
            yield ToolResult(text=phrase("run_python_no_sandbox", language), failed=True)
            return
        if self._imports and (name := refused_import(code, self._imports)) is not None:
            words = phrase("run_python_import", language, name=name, imports=self._importable(language))
            yield ToolResult(text=words, failed=True)
            return
        async with self._turn, closing(self._executed(code, arguments, context)) as items:
            async for item in items:
                yield item

    async def close(self) -> None:
        """Release the session."""
        workspace, self._workspace, self._files = self._workspace, None, None
        if workspace is not None:
            await workspace.release()

    async def _executed(
        self, code: str, arguments: Mapping[str, Any], context: ToolContext
    ) -> AsyncGenerator[EventBody | ToolResult]:
        step_id = context.ids.new()
        session, files = await self._opened(context)
        digest = StepDigest(language=context.language)
        emit = self._events.append
        outputs = StepOutputs(step_id=step_id, emit=emit, sink=context.artifacts, files=files, digest=digest)
        yield StepAnnounced(name=_step_name(code, context.language), step_id=step_id)
        yield CodeFinished(code=code, step_id=step_id)
        yield StepStarted(step_id=step_id)
        execution = session.execute(code, step_id=step_id, timeout_s=float(arguments["timeout"]))
        async with closing(execution) as items:
            async for output in items:
                await outputs.take(output)
                for event in self._seen():
                    yield event
        if outputs.done is None or outputs.done.session_lost:
            await self.close()
        else:
            kept = len(files.kept)
            await files.rest((step_id,))
            for artifact in files.kept[kept:]:
                digest.file(artifact.name)
        for event in self._seen():
            yield event
        succeeded = outputs.error is None and outputs.done is not None and outputs.done.status == "ok"
        elapsed_s = 0.0 if outputs.done is None else outputs.done.usage.elapsed_s
        yield StepFinished(status="ok" if succeeded else "error", elapsed_s=elapsed_s, step_id=step_id)
        yield _result(outputs, arguments, context.language)

    def _seen(self) -> list[EventBody]:
        """Return what has happened since this was last asked."""
        seen, self._events[:] = [*self._events], []
        return seen

    async def _opened(self, context: ToolContext) -> tuple[Session, ArtifactDelivery]:
        """Return the session, leased with the first call and after the session was lost, and the delivery of files."""
        assert context.sandbox is not None
        if self._workspace is not None and (await (await self._workspace.session()).info()).lost:
            await self.close()
        if self._workspace is None or self._files is None:
            scope = LeaseScope(run_id=context.run_id, scope=TOOLS)
            self._workspace = Workspace(context.sandbox, scope, context.inputs)
            emit = self._events.append
            self._files = ArtifactDelivery(self._workspace, context.artifacts, emit, context.clock)
        try:
            return await self._workspace.session(), self._files
        except Exception:
            await self.close()  # the next call may find a worker
            raise


def _result(outputs: StepOutputs, arguments: Mapping[str, Any], language: Language) -> ToolResult:
    form: ResponseFormat = arguments["response_format"]
    error, done = outputs.error, outputs.done
    status: Status = "backend_lost" if done is None else done.status
    parts = [shaped_text(outputs.digest.words().strip("\n"), form, language, CAP)]
    if error is not None:
        parts.append(shaped_text(f"{error.name}: {error.message}\n{error.traceback}".strip(), form, language, CAP))
    if status != "ok":
        parts.append(_ending(status, arguments, language))
    if done is None or done.session_lost:
        parts.append(phrase("run_python_lost", language, status=status))
    words = "\n".join(part for part in parts if part.strip()) or phrase("run_python_silent", language)
    return ToolResult(text=words, shown=words, failed=error is not None or status != "ok")


def _ending(status: Status, arguments: Mapping[str, Any], language: Language) -> str:
    if status in {"timeout_killed", "interrupted"}:
        return phrase("run_python_timeout_over", language, limit_s=arguments["timeout"])
    return "" if status == "error" else phrase("run_python_stopped", language, status=status)


def _step_name(code: str, language: Language) -> str:
    """Return a name for the step: the first comment or line of its code."""
    first = next((line.strip() for line in code.splitlines() if line.strip()), "")
    return first.lstrip("# ")[:STEP_CHARS] or phrase("run_python_step", language)
