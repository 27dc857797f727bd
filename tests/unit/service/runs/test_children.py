"""A run with children: they work at the same time, in one stream, and stop, ask and end through their parent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.patience import found
from tests.support.service_bench import Bench, Items, Script, bench
from tests.unit.service.scripts import answer, answering, asking, endless

from tablewright.agent.base import AgentContext, AgentInput, ChildTask
from tablewright.domain.events import Event, PlanEdited, RunFinished, TextDelta, UsageReported
from tablewright.domain.inbox import AnswerGiven, ChildFinished
from tablewright.domain.run import RequestAnswer, Run, RunLimits, RunState
from tablewright.errors import RunLimit
from tablewright.service.runs.children import tokens_left
from tablewright.service.runs.kinds import AgentKind, AgentKinds
from tablewright.service.runs.runs import Ask
from tablewright.store.conformance.examples import run as example_run

YES = RequestAnswer(decision="approve")


async def failing(given: AgentInput, context: AgentContext) -> Items:
    yield TextDelta(text="…")
    raise RunLimit(limit="steps", value=1)


def parent_of(*agents: str) -> Script:
    """An agent that gives a task to each of `agents`, and answers with how they ended, in the order of the tasks."""

    async def parent(given: AgentInput, context: AgentContext) -> Items:
        assert context.children is not None
        tasks = [
            ChildTask(task_id=f"t-{number}", agent=agent, question=f"part {number}")
            for number, agent in enumerate(agents, start=1)
        ]
        await context.children.start(*tasks)
        children = await context.children.settled()
        if any(child.state == "waiting" for child in children):
            return
        yield answer(" ".join(f"{child.task_id}:{child.outcome}" for child in children))

    return parent


OTHERS: Mapping[str, Script] = {"answers": answering, "asks": asking, "fails": failing, "endless": endless}


def bench_of(folder: Path, *agents: str) -> Bench:
    return bench(folder, parent_of(*agents), others=OTHERS)


async def waiting(service: Bench, run: Run) -> Run:
    """Return the run once it waits."""

    async def look() -> Run | None:
        now = await service.runs.get(service.scope, run.id)
        return now if now.state == "waiting" else None

    return await found(look)


def gapless(events: list[Event]) -> bool:
    return [event.seq for event in events] == list(range(1, len(events) + 1))


async def test_children_work_and_their_results_come_in_the_order_of_their_tasks(tmp_path: Path) -> None:
    service = bench_of(tmp_path, "answers", "fails", "answers")
    run = await service.ask()
    events = await service.events(run)
    assert gapless(events)
    ended = await service.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "t-1:completed t-2:limit t-3:completed"
    assert [event.run_id for event in events if isinstance(event.body, RunFinished)][-1] == run.id
    children = await service.store.runs.children(service.scope, run.id)
    for child in children:
        own = await service.events(child)
        assert gapless(own)
        assert {(event.body.parent_id, event.body.task_id) for event in own} == {(run.id, child.task_id)}
        below = [event.body for event in events if event.run_id == child.id]
        assert below == [event.body for event in own]


async def test_a_child_leaves_nothing_in_the_conversation(tmp_path: Path) -> None:
    service = bench_of(tmp_path, "answers")
    run = await service.ask("the question")
    await service.events(run)
    messages = (await service.store.conversations.messages(service.scope, run.conversation_id)).items
    assert [message.text for message in messages] == ["the question", "t-1:completed"]
    again = await service.runs.start(service.scope, run.conversation_id, Ask(text="and now?"))
    await service.events(again)
    assert [turn.question for turn in service.agent.given[-1].history] == ["the question"]


async def test_a_question_of_a_child_is_answered_at_the_top_while_another_works(tmp_path: Path) -> None:
    service = bench_of(tmp_path, "asks", "endless")
    run = await service.ask()

    async def asked() -> str | None:
        requests = await service.runs.requests(service.scope, run.id)
        return requests[0].id if requests else None

    request_id = await found(asked)
    assert (await service.runs.get(service.scope, run.id)).state == "running"
    await service.runs.answer(service.scope, run.id, request_id, YES)

    async def first_ended() -> Run | None:
        child = (await service.store.runs.children(service.scope, run.id))[0]
        return child if child.state == "finished" else None

    ended = await found(first_ended)
    assert ended.answer is not None
    assert ended.answer.text == "approve"
    await service.runs.cancel(service.scope, run.id)
    assert gapless(await service.events(run))


async def test_a_run_rests_where_all_its_children_wait_and_goes_on_when_one_has_ended(tmp_path: Path) -> None:
    service = bench_of(tmp_path, "asks", "answers")
    run = await service.ask()
    await waiting(service, run)

    async def held() -> bool | None:
        return None if service.engine.live else True

    assert await found(held)  # the attempt that let it rest ends in a moment
    (request,) = await service.runs.requests(service.scope, run.id)
    await service.runs.answer(service.scope, run.id, request.id, YES)
    assert gapless(await service.events(run))
    ended = await service.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "t-1:completed t-2:completed"
    news = [item for given in service.agent.given for item in given.news]
    assert sorted(item.task_id for item in news if isinstance(item, ChildFinished)) == ["t-1", "t-2"]


async def test_stopping_a_run_stops_its_children_first_and_leaves_nobody_at_work(tmp_path: Path) -> None:
    service = bench_of(tmp_path, "endless", "endless", "asks")
    run = await service.ask()

    async def all_begun() -> bool | None:
        children = await service.store.runs.children(service.scope, run.id)
        return True if len(children) == 3 and children[2].state == "waiting" else None

    await found(all_begun)
    await service.runs.cancel(service.scope, run.id)
    events = await service.events(run)
    assert gapless(events)
    ends = [event for event in events if isinstance(event.body, RunFinished)]
    assert len(ends) == 4
    assert (ends[-1].run_id, ends[-1]) == (run.id, events[-1])

    async def nobody() -> bool | None:
        return None if service.engine.live else True

    await found(nobody)


async def test_one_child_can_be_stopped_and_the_others_go_on(tmp_path: Path) -> None:
    service = bench_of(tmp_path, "endless", "answers")
    run = await service.ask()

    async def child() -> Run | None:
        children = await service.store.runs.children(service.scope, run.id)
        return children[0] if len(children) == 2 else None

    await service.runs.cancel(service.scope, (await found(child)).id)
    await service.events(run)
    ended = await service.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "t-1:cancelled t-2:completed"


async def test_what_is_sent_to_a_run_wakes_its_agent_while_it_works(tmp_path: Path) -> None:
    async def listening(given: AgentInput, context: AgentContext) -> Items:
        assert context.inbox is not None
        yield TextDelta(text="at work")
        (item,) = await context.inbox.next()
        assert isinstance(item, PlanEdited)
        yield answer(str(item.edit["drop"]))

    service = bench(tmp_path, listening)
    run = await service.ask()
    await service.runs.send(service.scope, run.id, PlanEdited(edit={"drop": 2}))
    await service.events(run)
    ended = await service.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "2"


async def test_an_answer_reaches_an_agent_that_works_on(tmp_path: Path) -> None:
    async def working_on(given: AgentInput, context: AgentContext) -> Items:
        assert context.inbox is not None
        async for item in asking(given, context):
            yield item
        while not (news := await context.inbox.next()):
            pass
        assert news == (AnswerGiven(request_id="q-1", answer=YES),)
        yield answer("one iteration")

    service = bench(tmp_path, working_on)
    run = await service.ask()

    async def asked() -> str | None:
        requests = await service.runs.requests(service.scope, run.id)
        return requests[0].id if requests else None

    await service.runs.answer(service.scope, run.id, await found(asked), YES)
    await service.events(run)
    assert len(service.agent.given) == 1


async def test_what_was_yielded_is_stored_before_the_effect(tmp_path: Path) -> None:
    seen: list[str] = []

    async def careful(given: AgentInput, context: AgentContext) -> Items:
        assert context.stored is not None
        yield TextDelta(text="about to act")
        await context.stored()
        seen.extend(event.body.type for event in await service.store.log.events(service.scope, given.run_id))
        yield answer()

    service = bench(tmp_path, careful)
    run = await service.ask()
    await service.events(run)
    assert seen[-1] == "text.delta"


async def test_a_run_begun_instead_of_a_waiting_one_ends_it(tmp_path: Path) -> None:
    service = bench(tmp_path, answering, others={"asks": asking})
    first = await service.ask(agent="asks")
    await waiting(service, first)
    other = await service.runs.start(service.scope, first.conversation_id, Ask(text="go on", instead_of=first.id))
    events = await service.events(first)
    assert events[-1].body == RunFinished(outcome="superseded")
    await service.events(other)
    assert (await service.settled(other)).outcome == "completed"


async def test_the_agent_of_a_run_says_what_the_run_may_use(tmp_path: Path) -> None:
    kinds = AgentKinds({"slow": AgentKind(limits=RunLimits(wall_clock_s=86_400.0), takeover=True)})
    service = bench(tmp_path, answering, others={"slow": answering}, kinds=kinds)
    run = await service.ask(agent="slow")
    assert (run.limits.wall_clock_s, run.takeover, run.agent) == (86_400.0, True, "slow")
    await service.events(run)


async def test_children_share_what_their_parent_may_use(tmp_path: Path) -> None:
    async def using(given: AgentInput, context: AgentContext) -> Items:
        yield UsageReported(model="m", input_tokens=600, output_tokens=100)
        yield answer()

    async def parent(given: AgentInput, context: AgentContext) -> Items:
        assert context.children is not None
        yield UsageReported(model="m", input_tokens=100, output_tokens=0)
        for number in (1, 2):
            await context.children.start(ChildTask(task_id=str(number), agent="uses", question="?"))
            await context.children.settled()
        yield answer(" ".join(str(child.outcome) for child in await context.children.all()))

    service = bench(tmp_path, parent, others={"uses": using})
    run = await service.ask(limits=RunLimits(tokens=1_500))
    await service.events(run)
    ended = await service.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "completed limit"


def test_of_a_child_that_has_ended_its_parent_misses_only_what_it_used() -> None:
    parent = replace(example_run(), limits=RunLimits(tokens=1_000), tokens=100)

    def left(state: RunState, used: int, allowed: int) -> int:
        return tokens_left(parent, [replace(parent, state=state, tokens=used, limits=RunLimits(tokens=allowed))])

    assert tokens_left(parent, ()) == 900
    assert left("finished", 50, 600) == 850
    assert left("running", 50, 700) == 200
    with pytest.raises(RunLimit):
        left("waiting", 50, 900)


async def test_tasks_that_begin_together_get_equal_shares_and_leave_one(tmp_path: Path) -> None:
    service = bench_of(tmp_path, "answers", "answers", "answers")
    run = await service.ask(limits=RunLimits(tokens=900))
    await service.events(run)
    assert [child.limits.tokens for child in await service.store.runs.children(service.scope, run.id)] == [225] * 3


async def test_a_task_that_begins_beside_another_has_something_left(tmp_path: Path) -> None:
    async def parent(given: AgentInput, context: AgentContext) -> Items:
        assert context.children is not None
        for number in range(4):
            await context.children.start(ChildTask(task_id=str(number), agent="answers", question="?"))
        await context.children.settled()
        yield answer(" ".join(str(child.outcome) for child in await context.children.all()))

    service = bench(tmp_path, parent, others={"answers": answering})
    run = await service.ask(limits=RunLimits(tokens=900))
    await service.events(run)
    ended = await service.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "completed completed completed completed"


async def test_the_same_task_is_not_begun_twice(tmp_path: Path) -> None:
    async def twice(given: AgentInput, context: AgentContext) -> Items:
        assert context.children is not None
        task = ChildTask(task_id="t", agent="answers", question="?")
        (first,) = await context.children.start(task)
        await context.children.settled()
        (again,) = await context.children.start(task)
        yield answer(str(first.id == again.id and again.state == "finished"))

    service = bench(tmp_path, twice, others=OTHERS)
    run = await service.ask()
    await service.events(run)
    ended = await service.settled(run)
    assert ended.answer is not None
    assert ended.answer.text == "True"


async def test_a_watcher_cut_at_any_event_of_the_tree_goes_on_where_it_was(tmp_path: Path) -> None:
    service = bench_of(tmp_path, "answers", "fails", "answers", "answers")
    run = await service.ask()
    whole = await service.events(run)
    for cut in range(len(whole)):
        assert await service.events(run, after=whole[cut].seq) == whole[cut + 1 :]
    for child in await service.store.runs.children(service.scope, run.id):
        own = await service.events(child)
        for cut in range(len(own)):
            assert await service.events(child, after=own[cut].seq) == own[cut + 1 :]
