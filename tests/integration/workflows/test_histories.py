"""Random workflows that are answered, killed and taken up in any order come to what a plain interpreter comes to."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from tests.support.random_workflows import workflows
from tests.support.workflow_history import INNER, Death, WorkflowHistory

from tablewright.domain.workflow import Workflow
from tablewright.store.memory import MemoryStore
from tablewright.workflows.validate import faults_of

SHORT = 40
LONG = 2_000


DEATHS = st.none() | st.tuples(st.integers(1, 12), st.booleans())
"""When the process dies, in appends, and whether the last of them arrives; or not soon."""


class Histories(RuleBasedStateMachine):
    """What may happen to a run of a workflow, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._folder = tempfile.TemporaryDirectory()
        self.history: WorkflowHistory | None = None

    @initialize(definition=workflows(within="inner"), death=DEATHS)
    def begin(self, definition: Workflow, death: Death) -> None:
        assert faults_of(definition, {"inner": INNER}.get) == ()
        self.history = WorkflowHistory(definition, MemoryStore(), Path(self._folder.name))
        self._runner.run(self.history.begin(death))

    @precondition(lambda self: not self.of_run.life.dead)
    @rule(places=st.lists(st.integers(0, 9), min_size=1, max_size=3), death=DEATHS)
    def answer(self, places: list[int], death: Death) -> None:
        self.of_run.doom(death)
        self._runner.run(self.of_run.answer(*places))

    @precondition(lambda self: self.of_run.life.dead)
    @rule(death=DEATHS)
    def restart(self, death: Death) -> None:
        self._runner.run(self.of_run.restart(death))

    @property
    def of_run(self) -> WorkflowHistory:
        assert self.history is not None
        return self.history

    def teardown(self) -> None:
        try:
            if self.history is not None:
                self._runner.run(self.history.finish())
                self._runner.run(self.history.check())
        finally:
            self._runner.close()
            self._folder.cleanup()


def check_histories(count: int) -> None:
    checks = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
    run_state_machine_as_test(
        Histories,
        settings=settings(max_examples=count, stateful_step_count=10, deadline=None, suppress_health_check=checks),
    )


@pytest.mark.requirement("workflow-histories")
def test_whatever_happens_to_a_workflow_it_comes_to_the_same() -> None:
    check_histories(SHORT)


@pytest.mark.long
@pytest.mark.requirement("workflow-histories")
def test_whatever_happens_to_thousands_of_workflows_they_come_to_the_same() -> None:
    check_histories(LONG)
