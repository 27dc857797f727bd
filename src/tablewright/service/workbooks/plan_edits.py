"""A person's edits of a plan, checked before the plan is confirmed with them."""

from __future__ import annotations

from tablewright.domain.rounds.confirmation import check_columns, edited_steps
from tablewright.domain.run import RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.service.workbooks.run_workbook import RunWorkbooks


class PlanEdits:
    """Checks edited plans against the workbook of the run that proposed them."""

    def __init__(self, run_workbooks: RunWorkbooks) -> None:
        self._run_workbooks = run_workbooks

    async def check(self, scope: Scope, run: Run, answer: RequestAnswer) -> None:
        """Raise `PlanInvalid` if a step of the edited plan in `answer` names a column that there is not.

        Columns that an earlier step of the plan makes, renames or removes count as that step leaves them.
        """
        if answer.decision != "approve" or answer.plan is None:
            return
        run_workbook = await self._run_workbooks.of(scope, run)
        if run_workbook is not None:
            steps = edited_steps(answer.plan)
            check_columns(steps, await run_workbook.check(steps))
