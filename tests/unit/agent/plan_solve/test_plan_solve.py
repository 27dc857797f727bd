"""Plans that several agents carry out at the same time, on the real runs service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S, found
from tests.support.plan_bench import CHILD, PlanBench, Roles, finish, plan, plan_bench
from tests.support.structured_bench import EchoTool
from tests.support.work_bench import called, planning, results

from tablewright.agent.plan_solve.rules import PlanRules
from tablewright.domain.events import AnswerCompleted, PlanEdited, PlanUpdated, RunFinished, RunStarted, WarningRaised
from tablewright.domain.run import RequestAnswer, Run, RunLimits
from tablewright.domain.task import PlanTasks, SumUp, UseTools
from tablewright.errors import ModelOverloaded
from tablewright.models.base import ModelRequest, StreamPart
from tablewright.models.scripted import Fail, Reply, ScriptedModel
from tablewright.service.runs.inputs import history_of


@dataclass(slots=True)
class Gates:
    """Lets a task say how it is done only when it may."""

    begun: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])
    free: dict[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])
    most: int = 0
    now: int = 0

    def __post_init__(self) -> None:
        for name in ("a", "b", "c", "d", "e", "f", "Count."):
            self.begun[name], self.free[name] = asyncio.Event(), asyncio.Event()


class GatedModel:
    """A scripted model whose executors wait at their gates."""

    name = "scripted:gated"

    def __init__(self, roles: Roles, gates: Gates) -> None:
        self.inner = ScriptedModel(roles)
        self.gates = gates

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        gates, name = self.gates, request.task.question
        if isinstance(request.task, UseTools) and name in gates.free:
            gates.begun[name].set()
            gates.now += 1
            gates.most = max(gates.most, gates.now)
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await gates.free[name].wait()
            finally:
                gates.now -= 1
        async for part in self.inner.stream(request):
            yield part


async def test_a_plan_is_made_carried_out_and_summed_up(tmp_path: Path) -> None:
    roles = Roles(planner=[plan("total of 2023<sep>total of 2024", "compare"), "Go on.", finish()], summary="Up by 3.")
    told = plan_bench(tmp_path, roles)
    run = await told.start()
    assert (await told.answer(run)).text == "Up by 3."
    children = await told.children(run)
    assert [(child.task_id, child.question) for child in children] == [
        ("1.1", "total of 2023"),
        ("1.2", "total of 2024"),
        ("2.1", "compare"),
    ]
    assert await told.plans(run) == [
        [("total of 2023<sep>total of 2024", "not_started"), ("compare", "not_started")],
        [("total of 2023<sep>total of 2024", "in_progress"), ("compare", "not_started")],
        [("total of 2023<sep>total of 2024", "completed"), ("compare", "not_started")],
        [("total of 2023<sep>total of 2024", "completed"), ("compare", "in_progress")],
        [("total of 2023<sep>total of 2024", "completed"), ("compare", "completed")],
    ]
    await told.close()


async def test_a_task_begins_with_its_own_event_and_reads_the_main_memory(tmp_path: Path) -> None:
    roles = Roles(planner=[plan("a<sep>b", "c"), "Go on.", finish()], tasks={"a": "A is 1.", "b": "B is 2."})
    told = plan_bench(tmp_path, roles)
    run = await told.start("What is A, B and C?")
    stream = await told.bench.events(run)
    for child in await told.children(run):
        own = [event.body for event in stream if event.run_id == child.id]
        assert isinstance(own[0], RunStarted)
        assert (own[0].question, own[0].task_id) == (child.question, child.task_id)
        assert isinstance(own[-1], RunFinished)
    last = roles.of(UseTools)[-1]
    words = "\n".join(message.text for message in last.messages)
    assert words.index("What is A, B and C?") < words.index("A is 1.") < words.index("B is 2.")
    assert last.messages[-1].text.endswith("Your task is: c")
    await told.close()


async def test_results_go_back_to_the_planner_in_the_order_of_the_tasks(tmp_path: Path) -> None:
    gates = Gates()
    roles = Roles(planner=[plan("a<sep>b<sep>c"), finish()], tasks={"a": "one", "b": "two", "c": "three"})
    told = plan_bench(tmp_path, GatedModel(roles, gates))
    run = await told.start()
    for name in ("c", "a", "b"):  # whichever order they end in
        async with asyncio.timeout(PATIENCE_S):
            await gates.begun[name].wait()
        gates.free[name].set()
    await told.ended(run)
    words = roles.of(PlanTasks)[1].messages[-1].text
    assert words.index("one") < words.index("two") < words.index("three")
    record = roles.of(SumUp)[0].messages[0].text
    assert record.index("one") < record.index("two") < record.index("three")
    await told.close()


async def test_no_more_tasks_than_allowed_are_carried_out_at_the_same_time(tmp_path: Path) -> None:
    gates = Gates()
    told = plan_bench(
        tmp_path,
        GatedModel(Roles(planner=[plan("a<sep>b<sep>c<sep>d<sep>e"), finish()]), gates),
        rules=PlanRules(at_once=2, task_limits=CHILD.limits),
    )
    run = await told.start()
    for name in ("a", "b", "c", "d", "e"):
        async with asyncio.timeout(PATIENCE_S):
            await gates.begun[name].wait()
        gates.free[name].set()
    answer = await told.answer(run)
    assert answer.outcome == "completed"
    assert gates.most == 2
    await told.close()


async def test_one_task_that_fails_loses_nothing_of_the_others(tmp_path: Path) -> None:
    broken = Reply.of(Fail(error=ModelOverloaded(model="m")))
    roles = Roles(planner=[plan("a<sep>b"), finish()], tasks={"a": broken, "b": "B is 2."})
    told = plan_bench(tmp_path, roles)
    run = await told.start()
    assert (await told.ended(run)).outcome == "completed"
    words = roles.of(PlanTasks)[1].messages[-1].text
    assert "It failed" in words
    assert "B is 2." in words
    assert (await told.plans(run))[-1] == [("a<sep>b", "completed")]
    await told.close()


async def test_a_step_whose_tasks_all_fail_is_blocked_and_the_planner_finds_another_way(tmp_path: Path) -> None:
    broken = Reply.of(Fail(error=ModelOverloaded(model="m")))
    again = Reply.of(planning("update", steps=["b"]))
    roles = Roles(planner=[plan("a"), again, finish()], tasks={"a": broken, "b": "Found."})
    told = plan_bench(tmp_path, roles)
    run = await told.start()
    await told.ended(run)
    assert (await told.plans(run))[-1] == [("a", "blocked"), ("b", "completed")]
    await told.close()


async def test_a_task_that_hangs_is_cut_and_the_others_count(tmp_path: Path) -> None:
    gates = Gates()
    gates.free["b"].set()
    roles = Roles(planner=[plan("a<sep>b"), finish()], tasks={"b": "B is 2."})
    limits = RunLimits(steps=5, tokens=10_000, wall_clock_s=0.3)
    told = plan_bench(tmp_path, GatedModel(roles, gates), rules=PlanRules(task_limits=limits))
    run = await told.start()
    assert (await told.ended(run)).outcome == "completed"
    assert [child.outcome for child in await told.children(run)] == ["limit", "completed"]
    assert "B is 2." in roles.of(SumUp)[0].messages[0].text
    await told.close()


async def test_a_run_is_stopped_with_all_its_tasks(tmp_path: Path) -> None:
    gates = Gates()
    told = plan_bench(tmp_path, GatedModel(Roles(planner=[plan("a<sep>b")]), gates))
    run = await told.start()
    async with asyncio.timeout(PATIENCE_S):
        await gates.begun["a"].wait()
        await gates.begun["b"].wait()
    stopped = await told.bench.runs.cancel(told.bench.scope, run.id)
    assert stopped.outcome == "cancelled"
    assert [child.outcome for child in await told.children(run)] == ["cancelled", "cancelled"]

    async def none_works() -> bool | None:
        return gates.now == 0 or None

    assert await found(none_works)
    await told.close()


async def test_a_later_request_is_told_what_a_stopped_plan_had_found_out(tmp_path: Path) -> None:
    gates = Gates()
    gates.free["b"].set()
    told = plan_bench(tmp_path, GatedModel(Roles(planner=[plan("a<sep>b")], tasks={"b": "B is 2."}), gates))
    run = await told.start()

    async def one_ended() -> bool | None:
        return any(child.answer is not None for child in await told.children(run)) or None

    await found(one_ended)
    await told.bench.runs.cancel(told.bench.scope, run.id)
    await told.ended(run)
    (turn,) = await history_of(told.bench.store, told.bench.scope, replace(run, id="r-2"))
    assert turn.question == "Compare the years."
    assert turn.answer.startswith("This was cancelled")
    assert "b\nB is 2." in turn.answer
    await told.close()


async def test_a_later_request_is_told_what_a_stopped_agent_had_done(tmp_path: Path) -> None:
    gates = Gates()

    def looks(request: ModelRequest) -> Reply | str:
        return Reply.of("I look.", called("echo", text="5 apples"))

    told = plan_bench(tmp_path, GatedModel(Roles(planner=[], tasks={"Count.": looks}), gates), [EchoTool()])
    gates.free["Count."].set()
    run = await told.bench.ask("Count.", agent="react", mode="react", limits=RunLimits(steps=10_000))

    async def looked() -> bool | None:
        log = await told.log(run)
        return any(event.body.type == "tool.finished" for event in log) or None

    await found(looked)
    await told.bench.runs.cancel(told.bench.scope, run.id)
    await told.ended(run)
    (turn,) = await history_of(told.bench.store, told.bench.scope, replace(run, id="r-2"))
    assert "I look." in turn.answer
    assert "5 apples" in turn.answer
    await told.close()


async def test_a_planner_that_makes_no_plan_has_the_request_done_as_it_is(tmp_path: Path) -> None:
    told = plan_bench(tmp_path, Roles(planner=["I would just do it.", finish()]))
    run = await told.start("How many rows?")
    assert (await told.answer(run)).text == "All in all."
    assert [child.question for child in await told.children(run)] == ["How many rows?"]
    await told.close()


async def test_a_planner_that_plans_for_ever_is_stopped_and_what_exists_is_summed_up(tmp_path: Path) -> None:
    endless = [plan("s0"), *(Reply.of(planning("update", steps=[f"s{number}"])) for number in range(1, 100))]
    told = plan_bench(tmp_path, Roles(planner=endless))
    run = await told.start(limits=RunLimits(steps=5, tokens=1_000_000))
    answer = await told.answer(run)
    assert answer.stopped_by == "steps"
    assert answer.text == "All in all."
    assert len(await told.children(run)) == 4
    await told.close()


async def test_a_planner_that_calls_what_it_does_not_have_is_told_so(tmp_path: Path) -> None:
    wrong = Reply.of(called("run_python", code="1"), planning("explode"), planning("update", steps=["x"]))
    roles = Roles(planner=[wrong, plan("a"), finish()])
    told = plan_bench(tmp_path, roles)
    run = await told.start()
    assert (await told.ended(run)).outcome == "completed"
    refused = results(roles.of(PlanTasks)[1])
    assert [part.failed for part in refused] == [True, True, True]
    await told.close()


async def test_where_the_planner_fails_what_exists_is_summed_up(tmp_path: Path) -> None:
    broken = Reply.of(Fail(error=ModelOverloaded(model="m")))
    told = plan_bench(tmp_path, Roles(planner=[plan("a"), broken], tasks={"a": "A is 1."}, summary=broken))
    run = await told.start()
    answer = await told.answer(run)
    assert answer.stopped_by == "model_overloaded"
    assert answer.text == "A is 1."
    await told.close()


async def test_a_planner_that_fails_before_there_is_anything_fails_the_run(tmp_path: Path) -> None:
    told = plan_bench(tmp_path, Roles(planner=[Reply.of(Fail(error=ModelOverloaded(model="m")))]))
    ended = await told.ended(await told.start())
    assert ended.outcome == "failed"
    assert ended.failure is not None
    assert ended.failure.code == "model_overloaded"
    await told.close()


async def test_an_executor_asks_a_person_and_the_others_go_on(tmp_path: Path) -> None:
    def asks(request: ModelRequest) -> Reply | str:
        told = [part.text for part in results(request)]
        return f"In {told[0]}: 7." if told else Reply.of(called("ask_user", question="Which year?"))

    roles = Roles(planner=[plan("a<sep>b"), finish()], tasks={"a": asks, "b": "B is 2."})
    told = plan_bench(tmp_path, roles)
    run = await told.start()

    async def waits() -> Run | None:
        now = await told.bench.runs.get(told.bench.scope, run.id)
        return now if now.state == "waiting" else None

    await found(waits)
    (request,) = await told.bench.runs.requests(told.bench.scope, run.id)
    answer = RequestAnswer(decision="answer", text="2024")
    await told.bench.runs.answer(told.bench.scope, run.id, request.id, answer)
    assert (await told.ended(run)).outcome == "completed"
    assert "In 2024: 7." in roles.of(SumUp)[0].messages[0].text
    await told.close()


async def edit(told: PlanBench, run: Run, **given: object) -> None:
    await told.bench.runs.send(told.bench.scope, run.id, PlanEdited(edit=given))


async def test_a_person_edits_the_plan_while_it_is_carried_out(tmp_path: Path) -> None:
    gates = Gates()
    roles = Roles(planner=[plan("a", "x", "y"), "Go on.", "Go on.", "Go on.", finish()])
    told = plan_bench(tmp_path, GatedModel(roles, gates))
    run = await told.start()
    async with asyncio.timeout(PATIENCE_S):
        await gates.begun["a"].wait()
    await edit(told, run, id="e1", action="drop", step_id=2)
    await edit(told, run, id="e2", action="reword", step_id=3, text="y of 2024")
    await edit(told, run, id="e3", action="add", text="z")
    await edit(told, run, id="e4", action="drop", step_id=1)
    gates.free["a"].set()
    await told.ended(run)
    assert [child.question for child in await told.children(run)] == ["a", "y of 2024", "z"]
    bodies = [event.body for event in await told.log(run)]
    (refused,) = [body for body in bodies if isinstance(body, WarningRaised)]
    assert refused.code == "plan_edit_refused"
    await told.close()


async def test_a_planner_that_has_not_seen_an_edit_does_not_undo_it(tmp_path: Path) -> None:
    gates = Gates()
    stubborn = Reply.of(planning("update", steps=["x", "y"]))
    told = plan_bench(tmp_path, GatedModel(Roles(planner=[plan("a", "x"), stubborn, "On.", "On.", finish()]), gates))
    run = await told.start()
    async with asyncio.timeout(PATIENCE_S):
        await gates.begun["a"].wait()
    await edit(told, run, id="e1", action="drop", step_id=2)
    await edit(told, run, id="e2", action="add", text="mine")
    gates.free["a"].set()
    await told.ended(run)
    assert [child.question for child in await told.children(run)] == ["a", "y", "mine"]
    await told.close()


async def test_executors_work_with_tools_of_their_own(tmp_path: Path) -> None:
    def looks(request: ModelRequest) -> Reply | str:
        told = [part.text for part in results(request)]
        return f"It is {told[-1]}." if told else Reply.of(called("echo", text="5"))

    echo = EchoTool()
    roles = Roles(planner=[plan("a<sep>b"), finish()], tasks={"a": looks, "b": looks}, summary="Twice 5.")
    told = plan_bench(tmp_path, roles, [echo])
    run = await told.start()
    answer = await told.answer(run)
    assert len(echo.made) == 2
    assert [source.value for source in answer.sources if source.step_id is not None] == [5]
    bodies = [event.body for event in await told.log(run)]
    assert sum(isinstance(body, AnswerCompleted) for body in bodies) == 1
    assert all(body.plan.title == "The plan" for body in bodies if isinstance(body, PlanUpdated))
    await told.close()


@pytest.mark.parametrize("words", ["Done. <files>\nnone.csv\n</files>", "Done."])
async def test_names_of_files_are_no_part_of_the_answer(tmp_path: Path, words: str) -> None:
    told = plan_bench(tmp_path, Roles(planner=[plan("a"), finish()], summary=Reply.of(*words)))
    run = await told.start()
    assert (await told.answer(run)).text == "Done."
    await told.close()
