"""The agent that runs workflows: its log is its state.

It begins whatever is ready, each node as a task, and tells what happens in events. The end of a node is one append with
its output: the only checkpoint. It ends its iteration when nothing can go on before a person answers or a child run
ends, and holds nothing meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import datetime
from functools import partial
from typing import Any

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Emit, Item, closing, emitted, stopped, stored
from tablewright.domain.events import AnswerCompleted, TextDelta, TextFinished
from tablewright.domain.inbox import AnswerGiven, InboxItem
from tablewright.domain.run import Run, RunFailure
from tablewright.errors import NodeFailed, TablewrightError, WorkflowSilent
from tablewright.texts.errors import error_text
from tablewright.workflows.attempts import Attempts, failure_at
from tablewright.workflows.base import Done, NodeServices
from tablewright.workflows.conclusion import answer_of
from tablewright.workflows.expressions.apart import TakesLong, apart, at_once
from tablewright.workflows.loop_time import LoopTime
from tablewright.workflows.opening import is_published, opened
from tablewright.workflows.plan.progress import Place
from tablewright.workflows.plan.ready import EndLoop, EndTurn, FailLoop, Start, WorkflowIndex, done, ready
from tablewright.workflows.silence import SILENCE_S, Silence
from tablewright.workflows.state import Attempt, WorkflowState, key_of, place_of
from tablewright.workflows.timers import Timers
from tablewright.workflows.turns import loop_end, turn_end

NEAR_S = 2.0
"""What is due so soon is waited for without resting."""
LONGEST_SLEEP_S = 60.0
"""After so long the clock is read again: it may have been set."""
ServicesOf = Callable[[AgentInput, AgentContext], NodeServices]


class WorkflowAgent:
    """An `Agent` that runs the workflow with which its run was opened; `services` makes what its nodes use.

    Where a node works and nothing happens for `silence_s`, the run ends.
    """

    def __init__(self, services: ServicesOf, *, silence_s: float = SILENCE_S) -> None:
        self._services = services
        self._silence_s = silence_s

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        services = self._services(given, context)
        silence_s = self._silence_s
        items = emitted(lambda emit: WorkflowRun(given, context, services, emit, silence_s).run(), context.late)
        async with closing(items):
            async for item in items:
                yield item


class WorkflowRun:
    """One iteration of a run of a workflow. Use an instance only once."""

    def __init__(
        self, given: AgentInput, context: AgentContext, services: NodeServices, emit: Emit, silence_s: float = SILENCE_S
    ) -> None:
        workflow, inputs = opened(given.transcript)
        self._given = given
        self._context = context
        self._services = services
        self._silence = Silence(context.clock, emit, silence_s)
        self._to_log = self._silence.emit
        self._index = WorkflowIndex(workflow)
        self._inputs = inputs
        self._state = WorkflowState()
        self._state.take_all(given.log)
        self._attempts = Attempts(
            index=self._index,
            inputs=inputs,
            state=self._state,
            given=given,
            context=context,
            services=services,
            to_log=self._silence.emit,
            stored=partial(stored, emit, context.stored),
            loops=(loops := LoopTime(self._index, self._state, context.clock)),
            published=is_published(given.transcript),
        )
        self._loops = loops
        self._broken: dict[Place, RunFailure] = {}
        self._timers = Timers(self._index, self._state)
        self._tasks: dict[Place, asyncio.Task[None]] = {}
        self._inbox: asyncio.Task[tuple[InboxItem, ...]] | None = None
        self._children: dict[str, Run] = {}

    async def run(self) -> None:
        """Work until the workflow has ended, or until nothing goes on before an answer or the end of a child."""
        await self._take(self._given.news)
        await self._drop_unwanted()
        try:
            while True:
                await self._end_loops()
                self._go_on()
                if self._state.failure is not None:
                    await self._stop_children()
                    raise self._failed()
                if self._failing:
                    continue
                if done(self._index, self._state.progress()):
                    self._conclude()
                    return
                due = self._next_due()
                if not self._tasks and not self._near(due):
                    self._rest(due)
                    return
                await self._wait(due)
        finally:
            await stopped(*self._tasks.values(), *(() if self._inbox is None else (self._inbox,)))
            await self._services.close()

    async def _end_loops(self) -> None:
        """End the loops whose time has passed, or in which a node has failed, with all that still works in them."""
        while ends := [*map(self._slow, self._loops.over()), *self._broken.items(), *self._failed_loops()]:
            place, failure = ends[0]
            await self._stop([task for task in self._tasks if place.holds(task)])
            self._attempts.end_failed(place, self._index.nodes[place.node_id], self._state.begun[place].number, failure)
            self._broken = {loop: each for loop, each in self._broken.items() if loop in self._state.begun}
            await self._take(())
            await self._drop_unwanted()

    @property
    def _failing(self) -> bool:
        """Whether something has failed that ends a loop, or the run."""
        return bool(self._state.failed or self._broken)

    def _slow(self, loop: Place) -> tuple[Place, RunFailure]:
        limit_s = self._index.nodes[loop.node_id].timeout_s
        return loop, failure_at(loop, NodeFailed("workflow_node_slow", limit_s=limit_s))

    def _failed_loops(self) -> list[tuple[Place, RunFailure]]:
        if not self._state.failed:
            return []
        actions = ready(self._index, self._state.progress())
        return [(each.place, self._state.failed[each.failed].reason) for each in actions if isinstance(each, FailLoop)]

    async def _stop(self, places: list[Place]) -> None:
        await stopped(*(self._tasks.pop(place) for place in places))
        for place in places:
            self._loops.ends(place)

    async def _drop_unwanted(self) -> None:
        """Close the requests and cancel the children of loops that have ended: nothing waits for them."""
        if self._context.withdraw is not None and (unwanted := self._state.unwanted()):
            await self._attempts.stored()
            for request_id in unwanted:
                await self._context.withdraw(request_id)
        for key, child in self._children.items():
            if child.state != "finished" and not self._state.stands(place_of(key)):
                assert self._context.children is not None
                await self._context.children.cancel(child.id)

    def _go_on(self) -> None:
        """Begin all that is ready, and go on with what was left or has been waited for."""
        for place in self._timers.over(self._context.clock.now()):
            self._attempts.end_wait(place)
        for place, attempt in list(self._state.begun.items()):
            if place not in self._tasks and (work := self._work_on(place, attempt)) is not None:
                self._work(place, work, attempt.number)
        while not self._failing:
            actions = ready(self._index, self._state.progress())
            ends = [each for each in actions if isinstance(each, EndTurn | EndLoop) and not self._works(each)]
            for action in actions:
                if isinstance(action, Start) and self._may_start(action.place):
                    self._start(action)
            if not ends:
                return
            self._end(ends[0])

    def _work(self, place: Place, work: Coroutine[Any, Any, None], number: int) -> None:
        self._tasks[place] = asyncio.create_task(work, name=f"node {key_of(place, number)}")
        self._loops.begins(place)

    def _works(self, ending: EndTurn | EndLoop) -> bool:
        """Return whether it is being computed what a turn gave."""
        return isinstance(ending, EndTurn) and ending.loop.turn_place(ending.number) in self._tasks

    def _may_start(self, place: Place) -> bool:
        return place not in self._tasks and not self._timers.early(place, self._context.clock.now())

    def _start(self, action: Start) -> None:
        number = self._state.attempt_of(action.place)
        self._work(action.place, self._attempts.begin(action.place, action.node, number), number)

    def _work_on(self, place: Place, attempt: Attempt) -> Coroutine[Any, Any, None] | None:
        """Return how to go on with what has begun; None if it waits or is a loop, whose turns go on."""
        node = self._index.nodes[place.node_id]
        if attempt.kind == "loop" and attempt.input is not None:
            return None
        if attempt.until is not None:
            return None
        if attempt.request_id is not None:
            answer = self._state.answers.get(attempt.request_id)
            return None if answer is None else self._attempts.resume(place, node, answer)
        child = self._children.get(key_of(place, attempt.number))
        if child is not None and child.state == "finished":
            return self._attempts.end_child(place, node, child)
        return None if attempt.child is not None else self._attempts.begin(place, node, attempt.number)

    def _end(self, action: EndTurn | EndLoop) -> None:
        """End a turn or a loop from what is known; what takes long to compute is computed apart."""
        if isinstance(action, EndLoop):
            number = self._state.begun[action.place].number
            self._attempts.finish(action.place, number, loop_end(self._state, action.place))
            return
        turn = action.loop.turn_place(action.number)
        ended = turn_end(self._index, self._state, self._inputs, action)
        try:
            self._attempts.finish(turn, 1, at_once(ended))
        except TakesLong:
            self._work(turn, self._end_apart(action, ended), 1)
        except TablewrightError as error:
            self._broken[action.loop] = failure_at(action.loop, error)

    async def _end_apart(self, action: EndTurn, ended: Callable[[], Done]) -> None:
        try:
            self._attempts.finish(action.loop.turn_place(action.number), 1, await apart(ended))
        except TablewrightError as error:
            self._broken[action.loop] = failure_at(action.loop, error)

    def _next_due(self) -> datetime | None:
        return self._timers.next_after(self._context.clock.now())

    def _near(self, due: datetime | None) -> bool:
        """Return whether it is not worth resting until a time; who cannot be woken never rests."""
        if due is None:
            return False
        return self._context.wake is None or (due - self._context.clock.now()).total_seconds() <= NEAR_S

    def _rest(self, due: datetime | None) -> None:
        if due is not None and self._context.wake is not None:
            self._context.wake(due)

    async def _wait(self, due: datetime | None) -> None:
        """Wait until a node has done what it can, something reaches the run, or it is time."""
        if self._inbox is None and self._context.inbox is not None:
            self._inbox = asyncio.create_task(self._context.inbox.next())
        inbox = () if self._inbox is None else (self._inbox,)
        left_s = LONGEST_SLEEP_S if due is None else (due - self._context.clock.now()).total_seconds()
        left_s = min(left_s, self._silence.left_s, self._loops.next_s(), LONGEST_SLEEP_S)
        timer = asyncio.create_task(self._context.clock.sleep(max(left_s, 0.0)))
        try:
            await asyncio.wait((*self._tasks.values(), *inbox, timer), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await stopped(timer)
        for place, task in list(self._tasks.items()):
            if task.done():
                del self._tasks[place]
                self._loops.ends(place)
                await task  # raises what is no failure of the node
                self._silence.heard()
        if self._tasks and self._silence.left_s <= 0:
            await self._stop_children()
            raise WorkflowSilent(limit="silence_s", value=self._silence.limit_s)
        if self._inbox is not None and self._inbox.done():
            items, self._inbox = await self._inbox, None
            await self._take(items)

    async def _take(self, items: tuple[InboxItem, ...]) -> None:
        """Take what has reached the run. How children are is read from the store: news of them may have been lost."""
        for item in items:
            if isinstance(item, AnswerGiven):
                self._state.answers.setdefault(item.request_id, item.answer)
        if self._context.children is not None:
            self._children = {child.task_id or "": child for child in await self._context.children.all()}

    async def _stop_children(self) -> None:
        children = self._context.children
        if children is not None:
            for child in await children.all():
                if child.state != "finished":
                    await children.cancel(child.id)

    def _failed(self) -> NodeFailed:
        failure = self._state.failure
        assert failure is not None
        reason, node = failure.reason, str(failure.place)
        if reason.code != NodeFailed.code:
            return NodeFailed(node=node, words=error_text(reason.code, self._given.language, reason.params))
        detail = str(reason.params.get("detail") or "")
        params: dict[str, Any] = {name: each for name, each in reason.params.items() if name not in {"detail", "node"}}
        return NodeFailed(detail, node=node, **params)

    def _conclude(self) -> None:
        answer = answer_of(self._index, self._state, self._given.language)
        self._to_log(TextDelta(text=answer.text))
        self._to_log(TextFinished(text=answer.text))
        self._to_log(AnswerCompleted(answer=answer))
