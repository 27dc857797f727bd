"""Progress of a run: which steps succeeded, which is being repaired, and how much of the limits is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from tablewright.agent.base import AgentInput
from tablewright.agent.steps import StepRecord
from tablewright.domain.task import AnalyzeTable, AskedPair, RepairStep, StepFacts, Summarize, Task, TaskBase
from tablewright.errors import StepsFailed

T = TypeVar("T", bound=TaskBase)
REASON_CHARS = 300


class Progress:
    """Tracks steps and repairs.

    A step counts once, however often it is repaired; `question` is the question that tasks pose, `asked` what the
    person was asked back about it, `queries` the steps that databases took.
    """

    def __init__(
        self, given: AgentInput, *, max_step_retry: int, max_total_retry: int, queries: Sequence[StepRecord] = ()
    ) -> None:
        self.queries = queries
        self._given = given
        self._max_step_retry = max_step_retry
        self._max_total_retry = max_total_retry
        self._step_count = 0
        self._failures = 0
        self._repairs = 0
        self._failed: StepRecord | None = None
        self.question = given.question
        self.asked: tuple[AskedPair, ...] = ()
        self.succeeded: list[StepRecord] = []

    @property
    def steps_left(self) -> int:
        """How many more named steps may begin, including a repair."""
        return self._given.limits.steps - self._step_count + (self._failed is not None)

    def add(self, records: Sequence[StepRecord]) -> None:
        """Add the steps of one turn; only the last may have failed."""
        if not records:
            return
        counted = records[1:] if self._failed is not None else records
        named = sum(record.step.named for record in counted)
        self._step_count += max(named, min(1, len(counted)))
        succeeded = [record for record in records if record.error is None]
        self.succeeded.extend(succeeded)
        failed = records[-1] if records[-1].error is not None else None
        if failed is not None:
            self._failures = 1 if succeeded else self._failures + 1
        self._failed = failed

    def attempt(self) -> int:
        """Count a repair of the failed step; return how often it has failed in a row.

        Raises `StepsFailed` when no repair is left.
        """
        assert self._failed is not None
        self._repairs += 1
        if self._failures > self._max_step_retry or self._repairs > self._max_total_retry:
            raise StepsFailed(step=self._failed.step.name, attempts=self._failures, words=_reason(self._failed))
        return self._failures

    def task(self) -> Task:
        """Return the model's next task: analyze, or rewrite the failed step."""
        if self._failed is None:
            return self._task_of(AnalyzeTable)
        return self._task_of(RepairStep, self._failed.facts, attempt=self._failures)

    def summary(self) -> Task:
        """Return the last task: to conclude from what there is."""
        return self._task_of(Summarize)

    def _task_of(self, kind: type[T], *unfinished: StepFacts, **fields: Any) -> T:
        """Return a task about the question, after the steps that succeeded and the `unfinished` ones."""
        given = self._given
        return kind(
            question=self.question,
            language=given.language,
            datasets=given.datasets,
            relations=given.relations,
            notes=given.notes,
            preferred=given.preferred if self.question == given.question else None,
            history=given.history,
            progress=(*self._facts(), *unfinished),
            asked=self.asked,
            **fields,
        )

    def _facts(self) -> tuple[StepFacts, ...]:
        return tuple(record.facts for record in (*self.queries, *self.succeeded))


def _reason(failed: StepRecord) -> str:
    """Return the first line of a step's error, shortened."""
    return (failed.facts.error or "").partition("\n")[0][:REASON_CHARS]
