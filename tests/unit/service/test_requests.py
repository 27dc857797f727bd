"""A run that asks a person, waits without holding anything, and goes on with the answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.support.service_bench import Items, bench
from tests.unit.service.scripts import answer, asking, said, wondering

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.events import ApprovalRequested, QuestionAsked, RequestAnswered, UsageReported, WarningRaised
from tablewright.domain.run import RequestAnswer, RunLimits
from tablewright.errors import AlreadyAnswered, Conflict, NotFound, RunInProgress
from tablewright.service.runs.runs import Ask

YES = RequestAnswer(decision="approve")
NO = RequestAnswer(decision="reject")


@pytest.mark.requirement("run-waits-for-answers")
async def test_a_run_that_has_asked_waits_without_an_owner_or_a_task(tmp_path: Path) -> None:
    service = bench(tmp_path, asking)
    run = await service.settled(await service.ask())
    assert (run.state, run.owner_instance, run.lease_until) == ("waiting", None, None)
    assert service.engine.live == ()
    (request,) = await service.runs.requests(service.scope, run.id)
    assert (request.id, request.kind, request.prompt, request.answered_at) == ("q-1", "approval", "May I?", None)


async def test_the_answer_starts_the_agent_again_from_its_transcript(tmp_path: Path) -> None:
    service = bench(tmp_path, asking)
    run = await service.settled(await service.ask())
    stored = await service.runs.answer(service.scope, run.id, "q-1", YES)
    assert (stored.answer, stored.answered_by) == (YES, service.scope.owner)
    types = await service.types(run)
    assert types[2:] == [
        "approval.requested",
        "request.answered",
        "answer.completed",
        "message.added",
        "run.finished",
    ]
    first, second = service.agent.given
    assert (first.transcript, first.answered) == ((), ())
    assert second.transcript == (said("asked").message,)
    assert second.answered == (stored,)
    ended = await service.runs.get(service.scope, run.id)
    assert ended.attempt == 2
    assert ended.answer is not None
    assert ended.answer.text == "approve"


async def test_another_service_on_the_same_store_may_take_the_answer(tmp_path: Path) -> None:
    one = bench(tmp_path, asking)
    run = await one.settled(await one.ask())
    other = bench(tmp_path, asking, store=one.store)
    await other.runs.answer(other.scope, run.id, "q-1", NO)
    ended = await other.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "reject"
    assert len(one.agent.given) == 1


@pytest.mark.requirement("run-first-answer-stands")
async def test_the_same_answer_again_is_the_stored_one_and_another_is_refused(tmp_path: Path) -> None:
    service = bench(tmp_path, asking)
    run = await service.settled(await service.ask())
    first = await service.runs.answer(service.scope, run.id, "q-1", YES)
    assert await service.runs.answer(service.scope, run.id, "q-1", YES) == first
    with pytest.raises(AlreadyAnswered):
        await service.runs.answer(service.scope, run.id, "q-1", NO)
    assert (await service.types(run)).count("request.answered") == 1
    assert len(service.agent.given) == 2


async def test_an_unknown_request_and_a_finished_run_take_no_answer(tmp_path: Path) -> None:
    service = bench(tmp_path, asking)
    run = await service.settled(await service.ask())
    with pytest.raises(NotFound):
        await service.runs.answer(service.scope, run.id, "q-9", YES)
    await service.runs.cancel(service.scope, run.id)
    with pytest.raises(Conflict):
        await service.runs.answer(service.scope, run.id, "q-1", YES)


async def test_several_requests_are_answered_in_any_order(tmp_path: Path) -> None:
    got: list[str] = []

    async def asking_twice(given: AgentInput, context: AgentContext) -> Items:
        if not given.transcript:
            yield said("asked")
            for number in (1, 2):
                yield QuestionAsked(request_id=f"q-{number}", prompt="?")
        got.extend(request.id for request in given.answered)
        if len(got) == 2:
            yield answer(" ".join(got))

    service = bench(tmp_path, asking_twice)
    run = await service.settled(await service.ask())
    await service.runs.answer(service.scope, run.id, "q-2", RequestAnswer(decision="answer", text="b"))
    assert (await service.settled(run)).state == "waiting"
    await service.runs.answer(service.scope, run.id, "q-1", RequestAnswer(decision="answer", text="a"))
    ended = await service.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "q-2 q-1"


async def test_an_answer_that_comes_while_the_agent_works_is_given_to_its_next_iteration(tmp_path: Path) -> None:
    answered = asyncio.Event()

    async def asking_early(given: AgentInput, context: AgentContext) -> Items:
        if given.answered:
            yield answer("went on")
            return
        yield ApprovalRequested(request_id="q-1", prompt="?")
        await answered.wait()

    service = bench(tmp_path, asking_early)
    run = await service.ask()
    async for event in service.runs.follow(service.scope, run.id):
        if isinstance(event.body, ApprovalRequested):
            await service.runs.answer(service.scope, run.id, "q-1", YES)
            answered.set()
    ended = await service.runs.get(service.scope, run.id)
    assert (ended.outcome, ended.attempt) == ("completed", 1)
    assert len(service.agent.given) == 2


async def test_a_waiting_run_can_be_stopped(tmp_path: Path) -> None:
    service = bench(tmp_path, asking)
    run = await service.settled(await service.ask())
    with pytest.raises(RunInProgress):
        await service.runs.start(service.scope, run.conversation_id, Ask(text="and?"))
    stopped = await service.runs.cancel(service.scope, run.id)
    assert (stopped.state, stopped.outcome) == ("finished", "cancelled")
    assert (await service.types(run))[-1] == "run.finished"


async def test_unattended_approvals_are_given(tmp_path: Path) -> None:
    service = bench(tmp_path, asking)
    run = await service.ask(approvals="auto")
    events = await service.events(run)
    given = [event.body.answer for event in events if isinstance(event.body, RequestAnswered)]
    assert given == [YES]
    ended = await service.runs.get(service.scope, run.id)
    assert (ended.outcome, ended.attempt) == ("completed", 1)
    (request,) = await service.runs.requests(service.scope, run.id)
    assert request.answered_by == "policy"


async def test_an_unattended_question_gets_its_default(tmp_path: Path) -> None:
    async def choosing(given: AgentInput, context: AgentContext) -> Items:
        if given.answered:
            yield answer(str(given.answered[0].answer and given.answered[0].answer.text))
        else:
            yield QuestionAsked(request_id="q-1", prompt="Which?", options=("a", "b"), default="b")

    service = bench(tmp_path, choosing)
    ended = await service.settled(await service.ask(approvals="auto"))
    assert ended.answer is not None
    assert ended.answer.text == "b"


async def test_an_unattended_question_without_a_default_ends_the_run_as_declined(tmp_path: Path) -> None:
    service = bench(tmp_path, wondering)
    run = await service.ask(approvals="auto")
    events = await service.events(run)
    warnings = [event.body for event in events if isinstance(event.body, WarningRaised)]
    assert warnings == [WarningRaised(code="question_unattended", params={"question": "Which year?"})]
    ended = await service.settled(run)
    assert (ended.outcome, ended.failure) == ("declined", None)


async def test_the_tokens_of_earlier_attempts_count(tmp_path: Path) -> None:
    async def spending(given: AgentInput, context: AgentContext) -> Items:
        yield UsageReported(model="m", input_tokens=60, output_tokens=0)
        yield answer() if given.answered else ApprovalRequested(request_id="q-1", prompt="?")

    service = bench(tmp_path, spending)
    run = await service.settled(await service.ask(limits=RunLimits(tokens=100)))
    await service.runs.answer(service.scope, run.id, "q-1", YES)
    assert (await service.settled(run)).outcome == "limit"
