"""Any edits and rounds in any order, with undo and redo between them: every version gives back its very bytes."""

from __future__ import annotations

import asyncio
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.integration.workbook.test_random_operations import OPERATIONS
from tests.support.workbook_bench import WorkbookBench
from tests.support.workbooks import write_rich

from tablewright.domain.codec import to_python
from tablewright.domain.dataset import StoredFile
from tablewright.domain.operations import AnyOperation
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.workbook import Version
from tablewright.errors import Conflict, PlanInvalid

pytestmark = pytest.mark.long

BATCHES = st.lists(OPERATIONS, min_size=1, max_size=3)


class Editing(RuleBasedStateMachine):
    """A person and an agent at one workbook; `expected` holds the bytes of each version as they were made."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.bench = WorkbookBench(folder=Path(self.folder.name))
        self.expected: dict[int, bytes] = {}
        self.plans = 0

    @initialize()
    def begin(self) -> None:
        content = write_rich(self.bench.folder / "rich.xlsx").read_bytes()
        self.file: StoredFile = asyncio.run(self.bench.put(content))
        self.expected[1] = content

    @rule(operations=BATCHES)
    def edit(self, operations: list[AnyOperation]) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                edited = asyncio.run(self.bench.workbooks.edit(self.bench.scope, self.file.id, operations))
            except PlanInvalid:
                return
        assert edited.changed == (edited.version.number not in self.expected)
        self.expected.setdefault(edited.version.number, self.bytes())

    @rule(operations=BATCHES)
    def execute(self, operations: list[AnyOperation]) -> None:
        self.plans += 1
        steps = [
            PlanStep(step=number, function=operation.function, parameters=_parameters(operation))
            for number, operation in enumerate(operations, 1)
        ]
        before = self.head()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            done = asyncio.run(self.bench.execute(self.file, *steps, plan_id=f"plan-{self.plans}"))
        assert (done.version is None) == (self.head().number == before.number)
        assert not (done.rolled_back and any(result.wrote for result in done.steps))
        if done.version is not None:
            assert self.head().request_id == done.id
            self.expected[done.version] = self.bytes()
            if self.plans % 2:
                restored = asyncio.run(self.bench.workbooks.rollback(self.bench.scope, self.file.id, done.id))
                assert restored.number == before.number

    @rule()
    def undo(self) -> None:
        try:
            asyncio.run(self.bench.workbooks.undo(self.bench.scope, self.file.id))
        except Conflict:
            assert self.head().parent is None

    @rule()
    def redo(self) -> None:
        head = self.head().number
        try:
            moved = asyncio.run(self.bench.workbooks.redo(self.bench.scope, self.file.id))
        except Conflict:
            return
        assert moved.parent == head

    @invariant()
    def the_file_is_the_head(self) -> None:
        if self.expected:
            assert self.bytes() == self.expected[self.head().number]

    def teardown(self) -> None:
        for number, content in self.expected.items():
            assert asyncio.run(self.bench.bytes_of(self.file, number)) == content
        self.folder.cleanup()

    def head(self) -> Version:
        return asyncio.run(self.bench.workbooks.version(self.bench.scope, self.file.id))

    def bytes(self) -> bytes:
        return asyncio.run(self.bench.file_bytes(self.file))


def _parameters(operation: AnyOperation) -> dict[str, object]:
    plain: dict[str, object] = to_python(type(operation), operation)
    return {name: value for name, value in plain.items() if name != "function"}


TestEditing = Editing.TestCase
TestEditing.settings = settings(
    max_examples=12, stateful_step_count=8, deadline=None, suppress_health_check=list(HealthCheck)
)
