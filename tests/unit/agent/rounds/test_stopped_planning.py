"""What a model has used whose planning was stopped is told, as an estimate, to whoever still listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.agent_bench import LocalSandbox, MemoryArtifacts
from tests.support.patience import PATIENCE_S
from tests.support.run_workbooks import FakeRunWorkbook

from tablewright.agent.base import AgentContext, AgentInput, Late
from tablewright.agent.rounds.agent import Rounds
from tablewright.domain.events import UsageReported
from tablewright.domain.ids import CountingIds, SystemClock
from tablewright.models.base import BUILTIN, ModelRequest, StreamPart, TextPiece, ThinkingPiece, UsageSeen


class HangingModel:
    """Thinks, begins a plan, and never ends it."""

    def __init__(self, name: str, *, counts: bool) -> None:
        self.name = name
        self.waiting = asyncio.Event()
        self._counts = counts

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        yield ThinkingPiece(text="The amounts are in column B. " * 10)
        yield TextPiece(text='{"execution_plan": [' * 10)
        if self._counts:
            yield UsageSeen(input_tokens=7, output_tokens=3)
        self.waiting.set()
        await asyncio.Event().wait()


async def stopped(folder: Path, model: HangingModel) -> list[UsageReported]:
    """Have rounds planned by `model` and stop that; returns what is told of its use, in time or late."""
    late: list[Late] = []
    context = AgentContext(
        model=model, sandbox=LocalSandbox(), artifacts=MemoryArtifacts(), clock=SystemClock(), ids=CountingIds("id"),
        workbook=FakeRunWorkbook(folder=folder), late=late.append,
    )  # fmt: skip
    given = AgentInput(run_id="r", question="Put the amounts in order", language="en", datasets=(), inputs=())
    told: list[object] = []

    async def iterate() -> None:
        async for item in Rounds().run(given, context):
            told.append(item)  # noqa: PERF401  # what was told before the stop counts

    work = asyncio.create_task(iterate())
    async with asyncio.timeout(PATIENCE_S):
        await model.waiting.wait()
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    return [item for item in (*told, *late) if isinstance(item, UsageReported)]


async def test_what_a_stopped_planner_has_used_is_estimated(tmp_path: Path) -> None:
    (usage,) = await stopped(tmp_path, HangingModel("openai:m", counts=False))
    assert (usage.model, usage.method) == ("openai:m", "estimate")
    assert usage.input_tokens > 100
    assert 60 < usage.output_tokens < 300


@pytest.mark.parametrize(("name", "counts", "known"), [("openai:m", True, 7), (BUILTIN, False, None)])
async def test_what_its_provider_counted_stands_and_the_built_in_analyst_counts_nothing(
    tmp_path: Path, name: str, counts: bool, known: int | None
) -> None:
    told = await stopped(tmp_path, HangingModel(name, counts=counts))
    assert [usage.input_tokens for usage in told] == ([] if known is None else [known])
