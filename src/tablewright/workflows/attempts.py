"""One attempt of a node: what it is given is computed, it works, and what follows is told in events."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

from tablewright.agent.base import AgentContext, AgentInput, ChildTask
from tablewright.agent.emission import Emit
from tablewright.domain.events import (
    ApprovalRequested,
    EventBody,
    NodeChunk,
    NodeFinished,
    NodeInput,
    NodeOutput,
    NodeStarted,
    NodeWaiting,
    QuestionAsked,
)
from tablewright.domain.events.nodes import NodeStatus
from tablewright.domain.message import Message
from tablewright.domain.run import RequestAnswer, Run, RunFailure
from tablewright.domain.workflow import AgentNode, Node, Workflow
from tablewright.errors import NodeFailed, RunLimit, TablewrightError
from tablewright.texts.catalogue import text
from tablewright.workflows.base import (
    AskingKind,
    ConsentingKind,
    DelegatingKind,
    Delegation,
    Done,
    NodeCall,
    NodeServices,
    Question,
    Result,
    Turns,
    Until,
)
from tablewright.workflows.expressions.apart import evaluated
from tablewright.workflows.loop_time import LoopTime
from tablewright.workflows.nodes import KINDS
from tablewright.workflows.opening import lineage, opening
from tablewright.workflows.plan.progress import Place, turns_of
from tablewright.workflows.plan.ready import WorkflowIndex
from tablewright.workflows.scope import Variables
from tablewright.workflows.state import SUBJECT, WorkflowState, key_of

OUTPUT_BYTES = 4 * 1024**2
"""The largest output of a node; one above 64 KB is stored as a blob that the log refers to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Works on nodes; each event is taken into `state` as it is emitted. `stored` returns once all of them are stored,
    before an effect."""

    index: WorkflowIndex
    inputs: Mapping[str, Any]
    state: WorkflowState
    given: AgentInput
    context: AgentContext
    services: NodeServices
    to_log: Emit
    stored: Callable[[], Awaitable[None]]
    loops: LoopTime
    published: bool = False

    def emit(self, body: EventBody) -> None:
        """Add an event to the log and to the state."""
        self.state.take(body, self.context.clock.now())
        self.to_log(body)

    async def begin(self, place: Place, node: Node, number: int) -> None:
        """Work on a node from its beginning, or again where its process was lost before it had ended."""
        began_s = self.context.clock.monotonic()
        if place not in self.state.begun:
            name = node.name or node.id
            self.emit(NodeStarted(node_id=node.id, path=place.path, attempt=number, kind=node.kind, name=name))
        attempt, kind, call = self.state.begun[place], KINDS[node.kind], self.call(place, node, number)
        try:
            if attempt.input is None:
                given = await evaluated(partial(kind.prepare, node, call))
                _bounded(given, node)
                self.emit(NodeInput(node_id=node.id, path=place.path, attempt=number, input=given))
        except TablewrightError as error:
            self.fail(place, node, number, error, began_s)
            return
        asked = self._consent(node, attempt.input or {}, call)
        if asked is not None and not self.state.agreed(place):
            self._ask_consent(place, number, asked)
            return
        await self._run(place, node, number, began_s, call)

    async def _run(self, place: Place, node: Node, number: int, began_s: float, call: NodeCall) -> None:
        kind, given = KINDS[node.kind], self.state.begun[place].input or {}
        await self.stored()
        await self._act(place, node, number, began_s, kind.run(node, given, call))

    def _consent(self, node: Node, given: Mapping[str, Any], call: NodeCall) -> str | None:
        """Return what somebody must agree to before the node works, or None."""
        kind = KINDS[node.kind]
        if not isinstance(kind, ConsentingKind) or (self.published and getattr(node, "consent", "ask") == "given"):
            return None
        return kind.consent(node, given, call)

    def _ask_consent(self, place: Place, number: int, prompt: str) -> None:
        request_id = self.context.ids.new()
        self.emit(NodeWaiting(node_id=place.node_id, path=place.path, attempt=number, request_id=request_id))
        subject = key_of(place, number)
        self.emit(ApprovalRequested(request_id=request_id, prompt=prompt, subject_kind=SUBJECT, subject_ref=subject))

    async def resume(self, place: Place, node: Node, answer: RequestAnswer) -> None:
        """Go on with a node whose question was answered, or that was agreed to or not; it asks again if neither."""
        attempt, kind = self.state.begun[place], cast(AskingKind, KINDS[node.kind])
        call, began_s = self.call(place, node, attempt.number), self.context.clock.monotonic()
        if isinstance(kind, ConsentingKind):
            if answer.decision == "approve":
                await self._run(place, node, attempt.number, began_s, call)
            elif answer.decision == "answer":
                asked = kind.consent(node, attempt.input or {}, call) or ""
                again = text("workflow_answer_consent", self.given.language)
                self._ask_consent(place, attempt.number, f"{again}\n{asked}")
            else:
                rejected = NodeFailed("workflow_rejected", words=answer.text or "")
                self.fail(place, node, attempt.number, rejected, final=True)
            return

        async def resumed() -> Result:
            return kind.resumed(node, attempt.input or {}, answer, call)

        await self._act(place, node, attempt.number, began_s, resumed())

    async def end_child(self, place: Place, node: Node, child: Run) -> None:
        """Go on with a node whose child run has ended."""
        attempt, kind = self.state.begun[place], cast(DelegatingKind, KINDS[node.kind])
        call, began_s = self.call(place, node, attempt.number), self.context.clock.monotonic() - child.worked_s

        async def ended() -> Result:
            if child.outcome != "completed" and not _declines(node, child):
                raise _failure_of(child, node)
            return kind.ended(node, child, call)

        await self._act(place, node, attempt.number, began_s, ended())

    def end_wait(self, place: Place) -> None:
        """End a node whose time has come."""
        attempt = self.state.begun[place]
        self.finish(place, attempt.number, Done(output={"until": attempt.until}))

    def call(self, place: Place, node: Node, number: int) -> NodeCall:
        """Return what a node may use at a place."""
        turns = turns_of(place.path)
        graph = turns[-1].loop.node_id if turns else ""
        variables = Variables(self.index, self.state, self.inputs, place.path, graph=graph)
        before = (edge.source for edge in self.index.graphs[graph].before[node.id])
        return NodeCall(
            variables=variables,
            key=key_of(place, number),
            language=self.given.language,
            services=self.services,
            emit=self.emit,
            chunk=lambda text: self.emit(NodeChunk(node_id=node.id, path=place.path, attempt=number, text=text)),
            now=lambda: self.context.clock.now().isoformat(),
            before={name: variables[name] for name in before if name in variables},
        )

    def finish(self, place: Place, number: int, done: Done, elapsed_s: float = 0.0) -> None:
        """End a node well: its output and its end are one append."""
        name = place.node_id
        self.emit(NodeOutput(node_id=name, path=place.path, attempt=number, output=done.output, port=done.port))
        self.emit(NodeFinished(node_id=name, path=place.path, attempt=number, status="ok", elapsed_s=elapsed_s))

    async def _act(self, place: Place, node: Node, number: int, began_s: float, work: Any) -> None:
        """Do what the node's work comes to."""
        try:
            async with asyncio.timeout(node.timeout_s):
                result: Result = await work
            if isinstance(result, Done):
                _bounded(result.output, node)
        except TimeoutError:
            self.fail(place, node, number, NodeFailed("workflow_node_slow", limit_s=node.timeout_s), began_s)
            return
        except RunLimit:
            raise
        except TablewrightError as error:
            self.fail(place, node, number, error, began_s)
            return
        match result:
            case Done():
                self.finish(place, number, result, self._since(began_s))
            case Question():
                self._ask(place, number, result)
            case Delegation():
                await self._delegate(place, node, number, result)
            case Turns():
                pass  # what it repeats is ready now
            case Until():
                self._wait(place, number, result, began_s)

    def _ask(self, place: Place, number: int, question: Question) -> None:
        request_id = self.context.ids.new()
        self.emit(NodeWaiting(node_id=place.node_id, path=place.path, attempt=number, request_id=request_id))
        self.emit(
            QuestionAsked(
                request_id=request_id,
                prompt=question.prompt,
                schema=question.schema,
                options=question.options,
                default=question.default,
                expires_at=question.expires_at,
                subject_kind=SUBJECT,
                subject_ref=key_of(place, number),
            )
        )

    async def _delegate(self, place: Place, node: Node, number: int, work: Delegation) -> None:
        assert self.context.children is not None
        task = ChildTask(
            task_id=key_of(place, number),
            agent=work.agent,
            question=work.question,
            within_s=min(given for given in (node.timeout_s, self.loops.left_s(place), math.inf) if given is not None),
            opening=() if work.workflow is None else (self._opening(work.workflow, work.inputs),),
        )
        (child,) = await self.context.children.start(task)
        self.emit(NodeWaiting(node_id=place.node_id, path=place.path, attempt=number, run_id=child.id))

    def _opening(self, workflow: Workflow, inputs: Mapping[str, Any]) -> Message:
        return opening(workflow, inputs, within=lineage(self.given.transcript), published=self.published)

    def _wait(self, place: Place, number: int, wait: Until, began_s: float) -> None:
        """Wait for a time, which the state knows of from now on, or end at once where it has come."""
        if datetime.fromisoformat(wait.time).astimezone(UTC) <= self.context.clock.now():
            self.finish(place, number, Done(output={"until": wait.time}), self._since(began_s))
            return
        self.emit(NodeWaiting(node_id=place.node_id, path=place.path, attempt=number, until=wait.time))

    def fail(
        self,
        place: Place,
        node: Node,
        number: int,
        error: TablewrightError,
        began_s: float | None = None,
        *,
        final: bool = False,
    ) -> None:
        """End an attempt that failed: it is tried again unless this is `final`, passed over, or the end of the run."""
        failure = failure_at(place, error)
        again = number < node.retry.attempts and not final
        self.end_failed(place, node, number, failure, began_s, status="retried" if again else "failed")

    def end_failed(
        self,
        place: Place,
        node: Node,
        number: int,
        failure: RunFailure,
        began_s: float | None = None,
        *,
        status: NodeStatus = "failed",
    ) -> None:
        """End an attempt with a failure, which a node that goes on in spite of it puts out."""
        if status == "failed" and node.on_error == "continue":
            told = {"error": {"code": failure.code, "params": failure.params}}
            self.emit(NodeOutput(node_id=node.id, path=place.path, attempt=number, output=told))
        self.emit(
            NodeFinished(
                node_id=node.id,
                path=place.path,
                attempt=number,
                status=status,
                elapsed_s=0.0 if began_s is None else self._since(began_s),
                failure=failure,
            )
        )

    def _since(self, began_s: float) -> float:
        return round(self.context.clock.monotonic() - began_s, 3)


def failure_at(place: Place, error: TablewrightError) -> RunFailure:
    """Return an error as the failure of the node at a place."""
    named = {"node": str(place)} if isinstance(error, NodeFailed) else {}
    return RunFailure(code=error.code, params={**error.params, **named})


def _bounded(value: object, node: Node) -> None:
    """Raise `NodeFailed` for what is no JSON, or too much of it."""
    try:
        size = len(json.dumps(value, ensure_ascii=False).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise NodeFailed("workflow_output_no_json", node=node.id) from error
    if size > OUTPUT_BYTES:
        raise NodeFailed("workflow_output_large", node=node.id, limit_bytes=OUTPUT_BYTES)


def _declines(node: Node, child: Run) -> bool:
    """Return whether an agent has said why it does not do what it was asked: that is what it answers."""
    return isinstance(node, AgentNode) and child.outcome == "declined" and bool(child.answer and child.answer.text)


def _failure_of(child: Run, node: Node) -> NodeFailed:
    if child.outcome == "limit" and node.timeout_s is not None and child.limits.wall_clock_s == node.timeout_s:
        return NodeFailed("workflow_node_slow", limit_s=node.timeout_s)
    if child.failure is None:
        return NodeFailed("workflow_child_ended", outcome=child.outcome)
    return NodeFailed("workflow_child_failed", code=child.failure.code, run_id=child.id)
