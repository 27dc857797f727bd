"""The time that a run may take counts over everything that it does, and not while it waits for a person."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import Bench, Items, bench

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.events import QuestionAsked, TextFinished, UsageReported
from tablewright.domain.ids import ManualClock
from tablewright.domain.run import RequestAnswer, Run, RunLimits

YES = RequestAnswer(decision="answer", text="yes")


async def working(given: AgentInput, context: AgentContext) -> Items:
    """Works for 20 seconds, then asks."""
    yield UsageReported(model="m", input_tokens=1, output_tokens=1)
    await context.clock.sleep(20)
    yield TextFinished(text="worked")
    yield QuestionAsked(request_id=f"q-{context.clock.monotonic()}", prompt="Go on?")


async def asked_after(service: Bench, clock: ManualClock, run: Run, seconds: float) -> str:
    """Let the run work for `seconds`, until it asks; returns the request."""
    seen = service.runs.follow(service.scope, run.id, after=(await service.runs.get(service.scope, run.id)).last_seq)
    async with asyncio.timeout(PATIENCE_S):
        while (await anext(seen)).body.type != "usage.reported":
            pass
        await clock.advance(seconds)
        while (body := (await anext(seen)).body).type != "question.asked":
            pass
    await service.settled(run)
    assert isinstance(body, QuestionAsked)
    return body.request_id


@pytest.mark.requirement("run-time-limit")
async def test_time_counts_over_all_activations_and_not_while_waiting(tmp_path: Path) -> None:
    clock = ManualClock()
    service = bench(tmp_path, working, clock=clock)
    run = await service.ask(limits=RunLimits(wall_clock_s=50))
    for _ in range(2):
        request_id = await asked_after(service, clock, run, 20)
        await clock.advance(10_000)
        await service.runs.answer(service.scope, run.id, request_id, YES)
    seen = service.runs.follow(service.scope, run.id)
    async with asyncio.timeout(PATIENCE_S):
        reports = 0
        while reports < 3:
            reports += (await anext(seen)).body.type == "usage.reported"
    await clock.advance(9)
    assert (await service.runs.get(service.scope, run.id)).state == "running"
    await clock.advance(1)
    ended = await service.settled(run)
    assert (ended.outcome, ended.failure and ended.failure.params["limit"]) == ("limit", "wall_clock_s")
