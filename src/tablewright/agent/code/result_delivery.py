"""Leaves the result of a run in the file that its caller wants: one more step before the answer."""

from __future__ import annotations

from tablewright.agent.code.result_file import result_code, result_path
from tablewright.agent.code.step_runner import StepRunner
from tablewright.agent.emission import Emit
from tablewright.agent.steps import CodeStep, StepRecord
from tablewright.domain.events import CodeFinished, StepAnnounced
from tablewright.domain.ids import Ids
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text


class ResultDelivery:
    """Delivers the file called `name`; with None, there is nothing to deliver. `guard`: see `result_code`."""

    def __init__(
        self, name: str | None, runner: StepRunner, ids: Ids, language: Language, emit: Emit, *, guard: bool = True
    ) -> None:
        self._name = name
        self._guard = guard
        self._runner = runner
        self._ids = ids
        self._language = language
        self._emit = emit
        self.done: tuple[StepRecord, ...] = ()
        """The step that has delivered the file, if any."""

    async def deliver(self) -> StepRecord | None:
        """Write the file and hand it over; return the step if it failed, otherwise None."""
        if self._name is None:
            return None
        name = text("agent.step_delivering", self._language, name=self._name)
        step = CodeStep(id=self._ids.new(), name=name, code=result_code(self._name, guard=self._guard), named=False)
        record = await run_unwritten(step, self._runner, self._emit)
        if record.error is not None:
            return record
        self.done = (record,)
        await self._runner.files.hand_over(result_path(self._name), step.id)
        return None


async def run_unwritten(step: CodeStep, runner: StepRunner, emit: Emit) -> StepRecord:
    """Run a step that no model wrote in this iteration: it is announced and shown like any other."""
    emit(StepAnnounced(name=step.name, step_id=step.id))
    emit(CodeFinished(code=step.code, step_id=step.id))
    return await runner.run(step)
