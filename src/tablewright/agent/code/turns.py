"""The turns of one run: each asks the model with the run's rules and what is left of its steps."""

from __future__ import annotations

from tablewright.agent.base import AgentContext
from tablewright.agent.code.rules import LoopRules
from tablewright.agent.code.step_runner import StepRunner
from tablewright.agent.code.turn import Turn, TurnRecord
from tablewright.agent.emission import Emit
from tablewright.agent.stream.writer import WriterRules
from tablewright.domain.events import WarningRaised
from tablewright.models.base import ModelRequest
from tablewright.texts.catalogue import text
from tablewright.tools.execution.workspace import Workspace


class Turns:
    """Takes the turns of one run, one after the other."""

    def __init__(
        self, context: AgentContext, rules: LoopRules, runner: StepRunner, workspace: Workspace, emit: Emit
    ) -> None:
        self._context = context
        self._rules = rules
        self._runner = runner
        self._workspace = workspace
        self._emit = emit

    async def take(self, request: ModelRequest, *, steps_left: int, may_run: bool) -> TurnRecord:
        """Let the model answer `request`; raises what the model or a step raises to end the run."""
        rules = WriterRules(
            tags=self._rules.tags,
            mode=self._rules.mode,
            unnamed=text("agent.step_unnamed", request.task.language),
            steps_left=steps_left,
            may_run=may_run,
        )
        turn = Turn(ids=self._context.ids, emit=self._emit, runner=self._runner, workspace=self._workspace)
        record = await turn.take(self._context.model, request, rules)
        if record.cut_short:
            self._emit(WarningRaised(code="answer_cut"))
        return record
