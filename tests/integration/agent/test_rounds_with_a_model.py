"""Rounds planned by a language model over real HTTP: streamed with reasoning, cut by its limit, or broken off."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.agent_bench import LocalSandbox, MemoryArtifacts
from tests.support.gateways import PROVIDERS, Provider, wired
from tests.support.rounds_bench import plan, setting
from tests.support.run_workbooks import FakeRunWorkbook
from tests.support.scripted_http import Cut
from tests.support.wire import Say, Think

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Item
from tablewright.agent.rounds.agent import Rounds
from tablewright.domain.events import PlanProposed, TextDelta, ThinkingDelta, UsageReported
from tablewright.domain.ids import CountingIds, SystemClock
from tablewright.errors import ModelStreamCut
from tablewright.models.base import Model

WRITTEN = plan(setting("B2", 4), setting("B3", 5))
both = pytest.mark.parametrize("kind", PROVIDERS)


@dataclass(slots=True, kw_only=True)
class Asking:
    """One first iteration with a model."""

    folder: Path

    async def items(self, model: Model) -> list[Item]:
        given = AgentInput(run_id="r", question="把金额改成4", language="zh", datasets=(), inputs=())
        context = AgentContext(
            model=model, sandbox=LocalSandbox(), artifacts=MemoryArtifacts(), clock=SystemClock(),
            ids=CountingIds("id"),
            workbook=FakeRunWorkbook(folder=self.folder),
        )  # fmt: skip
        return [item async for item in Rounds().run(given, context)]


@pytest.fixture
def asking(tmp_path: Path) -> Asking:
    return Asking(folder=tmp_path)


@both
async def test_a_streamed_plan_is_proposed_and_its_reasoning_shown(kind: Provider, asking: Asking) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(Think(text="两步。"), *(Say(text=piece) for piece in (WRITTEN[:30], WRITTEN[30:])))
        items = await asking.items(wire.model)
    assert [item.text for item in items if isinstance(item, ThinkingDelta)] == ["两步。"]
    assert not [item for item in items if isinstance(item, TextDelta)]
    (proposed,) = [item for item in items if isinstance(item, PlanProposed)]
    assert [step.function for step in proposed.plan.steps] == ["set_values", "set_values"]
    assert [item for item in items if isinstance(item, UsageReported)]


@both
async def test_a_plan_that_the_models_limit_cut_is_written_once_more(kind: Provider, asking: Asking) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(Say(text=WRITTEN[:-40]), reason="length")
        wire.endpoint.says(Say(text=f"```json\n{WRITTEN}\n```"))
        items = await asking.items(wire.model)
    (proposed,) = [item for item in items if isinstance(item, PlanProposed)]
    assert len(proposed.plan.steps) == 2
    assert len([item for item in items if isinstance(item, UsageReported)]) == 2


@both
async def test_a_connection_that_breaks_is_tried_again_and_thoughts_are_shown_once(
    kind: Provider, asking: Asking
) -> None:
    async with wired(kind) as wire:
        wire.endpoint.says(Think(text="两步。"), Say(text=WRITTEN[:30]), Cut(clean=True))
        wire.endpoint.says(Think(text="两步。"), Say(text=WRITTEN))
        items = await asking.items(wire.model)
    assert [item.text for item in items if isinstance(item, ThinkingDelta)] == ["两步。"]
    (proposed,) = [item for item in items if isinstance(item, PlanProposed)]
    assert len(proposed.plan.steps) == 2


@both
async def test_a_connection_that_keeps_breaking_ends_the_run_and_proposes_nothing(
    kind: Provider, asking: Asking
) -> None:
    async with wired(kind) as wire:
        for _ in range(3):
            wire.endpoint.says(Say(text=WRITTEN), Cut(clean=True))
        with pytest.raises(ModelStreamCut):
            await asking.items(wire.model)
