"""Random workflows that are answered, killed and taken up in any order come to what a plain interpreter comes to."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from tests.support.databases import sqlite_url
from tests.support.random_workflows import workflows
from tests.support.workflow_history import INNER, Death, WorkflowHistory

from tablewright.domain.workflow import Workflow
from tablewright.store.memory import MemoryStore
from tablewright.store.sql import SqlStore
from tablewright.workflows.validate import faults_of

SHORT = 40
LONG = 2_000
SQLITE = 200


CHECKS = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
DEATHS = st.none() | st.tuples(st.integers(1, 12), st.booleans())
"""When the process dies, in appends, and whether the last of them arrives; or not soon."""


class Histories(RuleBasedStateMachine):
    """What may happen to a run of a workflow, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self._runner = asyncio.Runner()
        self._folder = tempfile.TemporaryDirectory()
        self.history: WorkflowHistory | None = None

    @initialize(definition=workflows(within="inner", timed=True), death=DEATHS)
    def begin(self, definition: Workflow, death: Death) -> None:
        assert faults_of(definition, {"inner": INNER}.get) == ()
        self.history = WorkflowHistory(definition, MemoryStore(), Path(self._folder.name))
        self._runner.run(self.history.begin(death))

    @precondition(lambda self: not self.of_run.life.dead)
    @rule(places=st.lists(st.integers(0, 9), min_size=1, max_size=3), death=DEATHS)
    def answer(self, places: list[int], death: Death) -> None:
        self.of_run.doom(death)
        self._runner.run(self.of_run.answer(*places))

    @precondition(lambda self: not self.of_run.life.dead)
    @rule(seconds=st.sampled_from((30, 60, 100, 700)), death=DEATHS)
    def pass_time(self, seconds: int, death: Death) -> None:
        self.of_run.doom(death)
        self._runner.run(self.of_run.pass_time(seconds))

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
    run_state_machine_as_test(
        Histories,
        settings=settings(max_examples=count, stateful_step_count=10, deadline=None, suppress_health_check=CHECKS),
    )


@pytest.mark.requirement("workflow-histories")
def test_whatever_happens_to_a_workflow_it_comes_to_the_same() -> None:
    check_histories(SHORT)


@pytest.mark.long
@pytest.mark.requirement("workflow-histories")
def test_whatever_happens_to_thousands_of_workflows_they_come_to_the_same() -> None:
    check_histories(LONG)


Step = tuple[list[int], int, Death]
"""What is answered, how many seconds pass then, and when the process dies."""
STEPS: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(st.lists(st.integers(0, 9), max_size=3), st.sampled_from((0, 30, 60, 100, 700)), DEATHS), max_size=6
)


async def on_sqlite(definition: Workflow, death: Death, steps: list[Step], folder: Path) -> None:
    """Let a history happen on SQLite, whose threads make every one of them another."""
    store = SqlStore(sqlite_url(folder / "store.db"))
    await store.open()
    history = WorkflowHistory(definition, store, folder)
    try:
        await history.begin(death)
        for places, seconds, next_death in steps:
            await history.restart(next_death)
            history.doom(next_death)
            if not history.life.dead:
                await history.answer(*places)
            await history.pass_time(seconds)
        await history.finish()
        await history.check()
    finally:
        await store.close()


@pytest.mark.long
@pytest.mark.requirement("workflow-histories")
def test_whatever_happens_to_workflows_on_sqlite_they_come_to_the_same() -> None:
    @settings(max_examples=SQLITE, deadline=None, suppress_health_check=CHECKS)
    @given(definition=workflows(within="inner", timed=True), death=DEATHS, steps=STEPS)
    def happens(definition: Workflow, death: Death, steps: list[Step]) -> None:
        with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
            runner.run(on_sqlite(definition, death, steps, Path(folder)))

    happens()
