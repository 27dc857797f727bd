"""Runs the code of a node in a sandbox session of its own, shown as a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from tablewright.domain.artifact import ArtifactSink
from tablewright.domain.events import CodeFinished, StepAnnounced, StepFinished, StepStarted
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.language import Language
from tablewright.errors import NodeFailed
from tablewright.models.streams import closing
from tablewright.sandbox.base import Input, LeaseScope, Sandbox, Session, TextOutput
from tablewright.tools.execution.artifact_delivery import ArtifactDelivery
from tablewright.tools.execution.step_digest import StepDigest
from tablewright.tools.execution.step_outputs import StepOutputs
from tablewright.tools.execution.workspace import Workspace
from tablewright.workflows.base import CodeOutcome, Emit
from tablewright.workflows.code import AFTER, before, result_in

TIMEOUT_S = 300.0
SILENT_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRunner:
    """Runs code for the nodes of one run, on the run's files."""

    run_id: str
    sandbox: Sandbox
    inputs: tuple[Input, ...]
    artifacts: ArtifactSink
    clock: Clock
    ids: Ids
    language: Language

    async def run(self, code: str, variables: Mapping[str, Any], *, key: str, emit: Emit) -> CodeOutcome:
        """Run code with variables and return the value of `result`. Raises `NodeFailed` with the code's own error."""
        workspace = Workspace(self.sandbox, LeaseScope(run_id=self.run_id, scope=key), self.inputs)
        try:
            session = await workspace.session()
            await self._silently(session, before(variables))
            text = await self._shown(workspace, session, code, emit)
            return CodeOutcome(result=await self._result(session), text=text)
        finally:
            await workspace.release()

    async def _shown(self, workspace: Workspace, session: Session, code: str, emit: Emit) -> str:
        step_id = self.ids.new()
        files = ArtifactDelivery(workspace, self.artifacts, emit, self.clock)
        digest = StepDigest(language=self.language)
        outputs = StepOutputs(step_id=step_id, emit=emit, sink=self.artifacts, files=files, digest=digest)
        first = next((line.strip("# ") for line in code.splitlines() if line.strip()), "")
        emit(StepAnnounced(name=first[:60], step_id=step_id))
        emit(CodeFinished(code=code, step_id=step_id))
        emit(StepStarted(step_id=step_id))
        async with closing(session.execute(code, step_id=step_id, timeout_s=TIMEOUT_S)) as items:
            async for output in items:
                await outputs.take(output)
        done, error = outputs.done, outputs.error
        if done is not None and not done.session_lost:
            await files.rest((step_id,))
        well = error is None and done is not None and done.status == "ok"
        elapsed_s = 0.0 if done is None else done.usage.elapsed_s
        emit(StepFinished(status="ok" if well else "error", elapsed_s=elapsed_s, step_id=step_id))
        if well:
            return "".join(outputs.texts)
        words = f"{error.name}: {error.message}" if error is not None else "" if done is None else done.status
        raise NodeFailed("workflow_code_failed", words=words[:500])

    async def _result(self, session: Session) -> Any:
        printed = await self._silently(session, AFTER)
        try:
            return result_in(printed)
        except ValueError as error:
            raise NodeFailed("workflow_result_unreadable") from error

    @staticmethod
    async def _silently(session: Session, code: str) -> str:
        async with closing(session.execute(code, step_id="node", timeout_s=SILENT_S)) as items:
            texts = [each async for each in items if isinstance(each, TextOutput)]
        return "".join(each.text for each in texts if each.stream == "stdout")


def named_files(inputs: Sequence[Input], reads: Sequence[str]) -> tuple[Input, ...]:
    """Return a run's files as code sees them: the first of them under the names `reads`, if it has any.

    Raises `NodeFailed` if there are fewer, or if one is of another kind than its name says.
    """
    if len(inputs) < len(reads):
        raise NodeFailed("workflow_files_missing", count=len(reads), names=", ".join(reads))
    for given, name in zip(inputs, reads, strict=False):
        if PurePath(given.name).suffix.lower() != PurePath(name).suffix.lower():
            raise NodeFailed("workflow_file_kind", name=given.name, suffix=PurePath(name).suffix)
    others = [given for given in inputs[len(reads) :] if given.name not in reads]
    return (*(replace(given, name=name) for given, name in zip(inputs, reads, strict=False)), *others)
