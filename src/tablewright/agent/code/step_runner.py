"""Runs steps in the session, one at a time, in order."""

from __future__ import annotations

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Emit, closing
from tablewright.agent.steps import CodeStep, StepRecord
from tablewright.domain.events import StepFinished, StepStarted, StepStatus
from tablewright.domain.task import StepFacts
from tablewright.errors import SandboxLost, StepExhausted, TablewrightError
from tablewright.sandbox.base import Done, ErrorOutput, Status
from tablewright.texts.catalogue import text
from tablewright.tools.execution.artifact_delivery import ArtifactDelivery
from tablewright.tools.execution.step_digest import StepDigest
from tablewright.tools.execution.step_outputs import StepOutputs
from tablewright.tools.execution.workspace import Workspace

EXHAUSTED: frozenset[Status] = frozenset(
    {"interrupted", "timeout_killed", "oom", "oom_killed", "disk_quota", "cpu_limit"}
)
"""Statuses of steps stopped by a limit: they end the run."""
LOST: frozenset[Status] = frozenset({"crashed", "exited", "protocol_violation", "backend_lost"})
"""Statuses of a session that ended itself: they end the run."""


class StepRunner:
    """Runs steps for one run."""

    def __init__(
        self, given: AgentInput, context: AgentContext, workspace: Workspace, emit: Emit, *, step_timeout_s: float
    ) -> None:
        self._given = given
        self._context = context
        self._workspace = workspace
        self._emit = emit
        self._step_timeout_s = step_timeout_s
        self.files = ArtifactDelivery(workspace, context.artifacts, emit, context.clock)

    async def run(self, step: CodeStep) -> StepRecord:
        """Execute one step to its end and return its record.

        `StepExhausted`, `SandboxLost` and whatever leasing raises end the run.
        """
        outputs = StepOutputs(
            step_id=step.id,
            emit=self._emit,
            sink=self._context.artifacts,
            files=self.files,
            digest=StepDigest(language=self._given.language),
        )
        self._started(step)
        status: StepStatus = "interrupted"
        try:
            if step.cut:
                await outputs.take(self._cut_off())
            else:
                await self._execute(step, outputs)
            status = "ok" if outputs.error is None else "error"
        except TablewrightError:
            status = "error"
            raise
        finally:
            self._finished(step, status, outputs.done)
        self.files.step_ended()
        return StepRecord(
            step=step,
            facts=_facts(step, outputs),
            digest=outputs.digest.words(),
            artifacts=tuple(outputs.artifacts),
            error=outputs.error,
        )

    async def _execute(self, step: CodeStep, outputs: StepOutputs) -> None:
        session = await self._workspace.session()
        await self.files.step_begins()
        execution = session.execute(step.code, step_id=step.id, timeout_s=self._step_timeout_s)
        async with closing(execution) as items:
            async for output in items:
                await outputs.take(output)
        done = outputs.done
        if done is None or done.status in LOST or (done.session_lost and done.status not in EXHAUSTED):
            status = "backend_lost" if done is None else done.status
            raise SandboxLost(f"lost_{status}", step=step.name, status=status)
        if done.status in EXHAUSTED:
            raise StepExhausted(f"exhausted_{done.status}", step=step.name, status=done.status)
        if done.status == "error" and outputs.error is None:
            await outputs.take(ErrorOutput(name="Error", message="", traceback=""))

    def _cut_off(self) -> ErrorOutput:
        return ErrorOutput(
            name="CodeIncomplete", message=text("agent.code_incomplete", self._given.language), traceback=""
        )

    def _started(self, step: CodeStep) -> None:
        self._emit(StepStarted(step_id=step.id))
        for inner in step.also:
            self._emit(StepStarted(step_id=inner, parent_id=step.id))

    def _finished(self, step: CodeStep, status: StepStatus, done: Done | None) -> None:
        elapsed_s = 0.0 if done is None else done.usage.elapsed_s
        for inner in step.also:
            self._emit(StepFinished(step_id=inner, parent_id=step.id, status=status, elapsed_s=elapsed_s))
        self._emit(StepFinished(step_id=step.id, status=status, elapsed_s=elapsed_s))


def _facts(step: CodeStep, outputs: StepOutputs) -> StepFacts:
    error = outputs.error
    return StepFacts(
        name=step.name,
        code=step.code,
        text="".join(outputs.texts),
        result=outputs.result,
        tables=tuple(outputs.tables),
        charts=tuple(outputs.charts),
        files=tuple(artifact.name for artifact in outputs.artifacts),
        error=None if error is None else f"{error.name}: {error.message}\n{error.traceback}".rstrip(),
    )
