from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from tests.support.agent_bench import Bench, LocalSandbox, code

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.agent.code.rules import LoopRules
from tablewright.agent.stream.writer import Mode
from tablewright.domain.events import (
    AnswerCompleted,
    StepAnnounced,
    StepFinished,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    UsageReported,
    WarningRaised,
)
from tablewright.errors import ModelStreamCut
from tablewright.models.base import BUILTIN, ModelRequest, StreamPart, TextPiece, ThinkingPiece
from tablewright.models.scripted import Reply, ScriptedModel, StreamCut


class HeldModel:
    """Writes its pieces, then waits for the test before the rest."""

    name = "held:model"

    def __init__(self, before: str, after: str) -> None:
        self._script = ScriptedModel([Reply.of(after), "done"])
        self._before = before
        self.go_on = asyncio.Event()
        self.waiting = asyncio.Event()
        self.stopped = False

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        if not self._script.requests:
            for char in self._before:
                yield TextPiece(text=char)
            yield ThinkingPiece(text="…")
            self.waiting.set()
            try:
                await self.go_on.wait()
            finally:
                self.stopped = not self.go_on.is_set()
        async for part in self._script.stream(request):
            yield part


BEFORE = "<|begin_code|>\n# @step: A\nx = 1\nprint(x)\n# @step: B\ny"
AFTER = " = 2\n<|end_code|>"


@pytest.mark.requirement("analyst-step-by-step")
async def test_a_segment_runs_while_the_model_goes_on_writing() -> None:
    model = HeldModel(BEFORE, AFTER)
    agent_bench = Bench(agent=CodeAnalyst(), model=model)
    work = asyncio.create_task(agent_bench.ask())
    await agent_bench.until(StepFinished)
    assert agent_bench.sandbox.executed == ["x = 1\nprint(x)"]
    assert not model.go_on.is_set()
    model.go_on.set()
    assert (await work).statuses == [("A", "ok"), ("B", "ok")]


async def test_a_step_is_announced_while_its_line_is_the_last_thing_written() -> None:
    model = HeldModel("<|begin_code|>\n# @step: A\n", "x = 1\n<|end_code|>")
    agent_bench = Bench(agent=CodeAnalyst(), model=model)
    work = asyncio.create_task(agent_bench.ask())
    await agent_bench.until(StepAnnounced)
    model.go_on.set()
    await work


@pytest.mark.parametrize(("mode", "announced"), [("whole_block", 0), ("announce", 2), ("pre_execute", 2)])
async def test_what_is_told_and_run_before_the_block_is_whole(mode: Mode, announced: int) -> None:
    model = HeldModel(BEFORE, AFTER)
    agent_bench = Bench(agent=CodeAnalyst(LoopRules(mode=mode)), model=model)
    work = asyncio.create_task(agent_bench.ask())
    await agent_bench.until(ThinkingDelta)
    if mode == "pre_execute":
        await agent_bench.until(StepFinished)
    assert len(agent_bench.took.of(StepAnnounced)) == announced
    assert len(agent_bench.took.of(StepStarted)) == (mode == "pre_execute")
    model.go_on.set()
    assert (await work).statuses == [("A", "ok"), ("B", "ok")]


@pytest.mark.parametrize("mode", ["whole_block", "announce", "pre_execute"])
async def test_in_every_mode_a_failing_step_is_repaired_alone(mode: Mode) -> None:
    model = ScriptedModel([code(("A", "x = 1"), ("B", "1 / 0"), ("C", "z = 1")), code(("B", "y = 1")), "ok"])
    agent_bench = Bench(agent=CodeAnalyst(LoopRules(mode=mode)), model=model)
    took = await agent_bench.ask()
    assert took.statuses == [("A", "ok"), ("B", "error"), ("C", "dropped"), ("B", "ok")]


async def test_a_failing_segment_stops_the_model_at_once() -> None:
    model = HeldModel("<|begin_code|>\n# @step: A\n1 / 0\n# @step: B\ny", "never")
    agent_bench = Bench(agent=CodeAnalyst(), model=model)
    work = asyncio.create_task(agent_bench.ask())
    await model.waiting.wait()
    await agent_bench.until(StepFinished, 2)
    assert model.stopped
    assert agent_bench.took.statuses == [("A", "error"), ("B", "dropped")]
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def test_what_a_stopped_stream_has_used_is_estimated_and_what_its_provider_counted_stands() -> None:
    model = HeldModel("<|begin_code|>\n# @step: A\n1 / 0\n# @step: B\ny", "never")
    agent_bench = Bench(agent=CodeAnalyst(), model=model)
    work = asyncio.create_task(agent_bench.ask())
    await agent_bench.until(UsageReported)
    usage = agent_bench.took.only(UsageReported)
    assert (usage.model, usage.method, usage.cached_tokens) == ("held:model", "estimate", 0)
    assert usage.input_tokens > 100
    assert 10 < usage.output_tokens < 40
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def test_a_stream_left_for_want_of_steps_is_estimated_and_the_built_in_analyst_never_is() -> None:
    script = [code(*[(f"S{number}", "x = 1") for number in range(3)]), "done"]
    took = await Bench(agent=CodeAnalyst(), model=ScriptedModel(script)).ask(steps=2)
    assert [usage.method for usage in took.of(UsageReported)] == ["estimate"]
    builtin = ScriptedModel(script, name=BUILTIN)
    assert (await Bench(agent=CodeAnalyst(), model=builtin).ask(steps=2)).of(UsageReported) == []


async def test_segments_run_strictly_in_order_one_at_a_time() -> None:
    gate = asyncio.Event()
    agent_bench = Bench(
        agent=CodeAnalyst(),
        model=ScriptedModel([code(*[(f"S{number}", f"print({number})") for number in range(5)]), "ok"]),
        sandbox=LocalSandbox(gate=gate),
    )
    work = asyncio.create_task(agent_bench.ask())
    await agent_bench.sandbox.held.wait()
    assert agent_bench.sandbox.executed == ["print(0)"]
    gate.set()
    await work
    assert agent_bench.sandbox.executed == agent_bench.sandbox.ended == [f"print({number})" for number in range(5)]


async def test_a_session_is_leased_while_the_first_segment_is_written() -> None:
    model = HeldModel("Let me see.\n<|begin_code|>\n", "x = 1\n<|end_code|>")
    agent_bench = Bench(agent=CodeAnalyst(), model=model)
    work = asyncio.create_task(agent_bench.ask())
    await model.waiting.wait()
    await agent_bench.until(TextDelta)
    assert len(agent_bench.sandbox.sessions) == 1
    model.go_on.set()
    await work


async def test_a_stream_that_breaks_ends_the_run_and_its_code() -> None:
    reply = Reply.of("<|begin_code|>\n# @step: A\nhang()\n# @step: B\ny = 1\n", StreamCut())
    agent_bench = Bench(agent=CodeAnalyst(), model=ScriptedModel([reply]))
    with pytest.raises(ModelStreamCut):
        await agent_bench.ask()
    assert agent_bench.sandbox.all_released


BEGUN = "I will add it up.\n<|begin_code|>\n# @step: Add"


@pytest.mark.requirement("models-cut-before-code-retried")
@pytest.mark.parametrize("cut_at", [5, 17, 40, len(BEGUN)])
async def test_a_stream_cut_before_any_code_ran_is_tried_again_and_nothing_is_shown_twice(cut_at: int) -> None:
    whole = BEGUN + "\nprint(1 + 1)\n<|end_code|>\nIt is 2."
    model = ScriptedModel([Reply.of(BEGUN[:cut_at], StreamCut()), Reply.of(*whole), Reply.of("never")])
    agent_bench = Bench(agent=CodeAnalyst(), model=model)
    await agent_bench.ask()
    assert agent_bench.sandbox.executed == ["print(1 + 1)"]
    assert "".join(delta.text for delta in agent_bench.took.of(TextDelta)) == "I will add it up.\n\nIt is 2."
    assert len(agent_bench.took.of(StepAnnounced)) == 1
    assert agent_bench.took.statuses == [("Add", "ok")]
    assert len(model.requests) == 2


async def test_a_model_that_writes_something_else_after_a_cut_is_said_to_have_begun_anew() -> None:
    other = "<|begin_code|>\n# @step: Multiply\nprint(2 * 3)\n<|end_code|>\nIt is 6."
    model = ScriptedModel(
        [Reply.of(ThinkingPiece(text="hm"), BEGUN + "\n", StreamCut()), Reply.of(ThinkingPiece(text="hmm"), other)]
    )
    agent_bench = Bench(agent=CodeAnalyst(), model=model)
    await agent_bench.ask()
    assert agent_bench.sandbox.executed == ["print(2 * 3)"]
    assert [step.name for step in agent_bench.took.of(StepAnnounced)] == ["Add", "Multiply"]
    assert [step.status for step in agent_bench.took.of(StepFinished)] == ["dropped", "ok"]
    assert [warning.code for warning in agent_bench.took.of(WarningRaised)] == ["model_began_anew"]
    assert "".join(thought.text for thought in agent_bench.took.of(ThinkingDelta)) == "hmm"
    assert agent_bench.took.only(AnswerCompleted).answer.text == "It is 6."


async def test_a_stream_that_is_cut_again_and_again_ends_the_run() -> None:
    model = ScriptedModel([Reply.of("I will", StreamCut()) for _ in range(5)])
    agent_bench = Bench(agent=CodeAnalyst(), model=model)
    with pytest.raises(ModelStreamCut):
        await agent_bench.ask()
    assert len(model.requests) == 3


async def test_cancelling_stops_the_code_and_releases_the_session() -> None:
    agent_bench = Bench(agent=CodeAnalyst(), model=ScriptedModel([code(("A", "hang()"))]))
    work = asyncio.create_task(agent_bench.ask())
    await agent_bench.sandbox.hanging.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert agent_bench.sandbox.ended == ["hang()"]
    assert agent_bench.sandbox.all_released
    assert len(agent_bench.sandbox.sessions) == 1


async def test_cancelling_stops_the_model() -> None:
    model = HeldModel(BEFORE, AFTER)
    agent_bench = Bench(agent=CodeAnalyst(), model=model)
    work = asyncio.create_task(agent_bench.ask())
    await model.waiting.wait()
    await agent_bench.until(StepFinished)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert model.stopped
    assert agent_bench.sandbox.all_released


async def test_who_stops_iterating_stops_the_work() -> None:
    model = HeldModel(BEFORE, AFTER)
    agent_bench = Bench(agent=CodeAnalyst(), model=model)
    items = agent_bench.agent.run(agent_bench.given(), agent_bench.context())
    async for item in items:
        if isinstance(item, StepFinished):
            break
    await items.aclose()  # type: ignore[attr-defined]  # the agent's iterator is a generator
    assert model.stopped
    assert agent_bench.sandbox.all_released
