"""A run from its question to its one end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.support.service_bench import Items, bench
from tests.unit.service.scripts import answer, answering, endless

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.events import MessageAdded, RunFinished, UsageReported
from tablewright.domain.ids import ManualClock
from tablewright.domain.run import RunFailure, RunLimits
from tablewright.domain.scope import Scope
from tablewright.errors import (
    ModelTimeout,
    ModelUnknown,
    NotFound,
    QuestionMissing,
    RunInProgress,
    RunLimit,
    TablewrightError,
)
from tablewright.service.runs.runs import Ask


@pytest.mark.requirement("run-answers-a-question")
async def test_a_question_becomes_a_run_that_answers_it(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    run = await service.ask("  每个地区的销量?  ")
    assert await service.types(run) == [
        "run.started",
        "message.added",
        "text.delta",
        "text.finished",
        "answer.completed",
        "message.added",
        "run.finished",
    ]
    ended = await service.runs.get(service.scope, run.id)
    assert (ended.state, ended.outcome, ended.language) == ("finished", "completed", "zh")
    assert ended.answer is not None
    assert ended.answer.text == "42"
    assert ended.last_seq == 7
    messages = (await service.conversations.messages(service.scope, run.conversation_id)).items
    assert [(message.author, message.text, message.run_id) for message in messages] == [
        ("user", "每个地区的销量?", run.id),
        ("assistant", "42", run.id),
    ]
    assert (await service.conversations.get(service.scope, run.conversation_id)).title == "每个地区的销量?"


@pytest.mark.requirement("events-without-gaps")
async def test_events_are_numbered_without_gaps_and_their_times_do_not_run_back(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    run = await service.ask()
    events = await service.events(run)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert {event.run_id for event in events} == {run.id}
    assert sorted(event.at for event in events) == [event.at for event in events]
    finished = [event for event in events if isinstance(event.body, RunFinished)]
    assert finished == [events[-1]]


async def test_the_messages_added_name_the_messages_of_the_conversation(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    run = await service.ask()
    added = [event.body for event in await service.events(run) if isinstance(event.body, MessageAdded)]
    messages = (await service.conversations.messages(service.scope, run.conversation_id)).items
    assert [(body.message_id, body.author, body.text) for body in added] == [
        (message.id, message.author, message.text) for message in messages
    ]


@pytest.mark.parametrize("text", ["", "  \n", "\0"])
async def test_without_a_question_nothing_begins(tmp_path: Path, text: str) -> None:
    service = bench(tmp_path, answering)
    with pytest.raises(QuestionMissing) as refused:
        await service.ask(text)
    assert refused.value.field == "text"
    assert service.engine.live == ()


async def test_a_run_needs_a_known_model_file_and_conversation(tmp_path: Path) -> None:
    service = bench(tmp_path, answering)
    with pytest.raises(ModelUnknown):
        await service.ask(model="nobody:nothing")
    with pytest.raises(NotFound):
        await service.ask(file_ids=("f-unknown",))
    with pytest.raises(NotFound):
        await service.runs.start(service.scope, "c-unknown", Ask(text="?"))
    conversation = await service.conversations.create(Scope(owner="somebody else"))
    with pytest.raises(NotFound):
        await service.runs.start(service.scope, conversation.id, Ask(text="?"))


@pytest.mark.requirement("run-one-at-a-time")
async def test_a_conversation_works_on_one_question_at_a_time(tmp_path: Path) -> None:
    service = bench(tmp_path, endless)
    run = await service.ask()
    with pytest.raises(RunInProgress) as refused:
        await service.runs.start(service.scope, run.conversation_id, Ask(text="and?"))
    assert refused.value.params["run_id"] == run.id
    await service.runs.cancel(service.scope, run.id)
    await service.settled(run)
    again = await service.runs.start(service.scope, run.conversation_id, Ask(text="and now?"))
    await service.runs.cancel(service.scope, again.id)


@pytest.mark.parametrize(
    ("error", "outcome", "failure"),
    [
        (
            ModelTimeout("slow", model="m"),
            "failed",
            RunFailure(code="model_timeout", params={"detail": "slow", "model": "m"}),
        ),
        (
            RunLimit(limit="steps", value=3),
            "limit",
            RunFailure(code="run_limit", params={"detail": "", "limit": "steps", "value": 3}),
        ),
        (ZeroDivisionError("a secret of ours"), "failed", RunFailure(code="internal", params={})),
        (asyncio.CancelledError("a secret of ours"), "failed", RunFailure(code="internal", params={})),
    ],
)
async def test_an_error_of_the_agent_ends_the_run_with_its_reason(
    tmp_path: Path, error: BaseException, outcome: str, failure: RunFailure, caplog: pytest.LogCaptureFixture
) -> None:
    async def failing(given: AgentInput, context: AgentContext) -> Items:
        yield UsageReported(model="m", input_tokens=1, output_tokens=1)
        raise error

    service = bench(tmp_path, failing)
    run = await service.ask()
    last = (await service.events(run))[-1].body
    assert last == RunFinished(outcome=outcome, failure=failure)  # type: ignore[arg-type]  # one of the outcomes
    ended = await service.runs.get(service.scope, run.id)
    assert (ended.outcome, ended.failure) == (outcome, failure)
    assert ("failed unexpectedly" in caplog.text) is not isinstance(error, TablewrightError)


async def test_an_agent_that_ends_without_an_answer_or_a_question_has_failed(tmp_path: Path) -> None:
    async def silent(given: AgentInput, context: AgentContext) -> Items:
        return
        yield

    service = bench(tmp_path, silent)
    run = await service.ask()
    await service.events(run)
    assert (await service.runs.get(service.scope, run.id)).failure == RunFailure(code="internal", params={})


@pytest.mark.requirement("run-token-limit")
async def test_used_up_tokens_end_the_run_as_limit(tmp_path: Path) -> None:
    async def thirsty(given: AgentInput, context: AgentContext) -> Items:
        for _ in range(10):
            yield UsageReported(model="m", input_tokens=30, output_tokens=10)
        yield answer()

    service = bench(tmp_path, thirsty)
    run = await service.ask(limits=RunLimits(tokens=100))
    assert (await service.types(run)).count("usage.reported") == 3
    ended = await service.runs.get(service.scope, run.id)
    assert ended.outcome == "limit"
    assert ended.failure is not None
    assert (ended.failure.params["limit"], ended.failure.params["value"]) == ("tokens", 100)


@pytest.mark.requirement("run-time-limit")
async def test_used_up_time_ends_the_run_as_limit(tmp_path: Path) -> None:
    clock = ManualClock()

    async def stuck(given: AgentInput, context: AgentContext) -> Items:
        yield UsageReported(model="m", input_tokens=1, output_tokens=1)
        await asyncio.Event().wait()

    service = bench(tmp_path, stuck, clock=clock)
    run = await service.ask(limits=RunLimits(wall_clock_s=60))
    watcher = service.runs.follow(service.scope, run.id)
    seen = [(await anext(watcher)).body.type for _ in range(3)]
    assert seen[-1] == "usage.reported"
    await clock.advance(59)
    assert (await service.runs.get(service.scope, run.id)).state == "running"
    await clock.advance(1)
    last = await service.settled(run)
    assert (last.outcome, last.failure and last.failure.params["limit"]) == ("limit", "wall_clock_s")


async def test_runs_of_different_conversations_go_on_side_by_side(tmp_path: Path) -> None:
    gate = asyncio.Event()

    async def held(given: AgentInput, context: AgentContext) -> Items:
        await gate.wait()
        yield answer(given.question)

    service = bench(tmp_path, held)
    runs = [await service.ask(f"question {number}") for number in range(5)]
    assert set(service.engine.live) == {run.id for run in runs}
    gate.set()
    for run in runs:
        ended = await service.settled(run)
        assert ended.answer is not None
        assert ended.answer.text == run.question
    assert service.engine.live == ()
