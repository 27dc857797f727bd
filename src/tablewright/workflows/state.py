"""The state of a run of a workflow: a fold of its events, the same while it works and when it is taken up again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import (
    ApprovalRequested,
    ArtifactCreated,
    Event,
    EventBody,
    NodeFinished,
    NodeInput,
    NodeOutput,
    NodeStarted,
    NodeWaiting,
    QuestionAsked,
    RequestAnswered,
)
from tablewright.domain.events.nodes import NodeBody
from tablewright.domain.run import RequestAnswer, RunFailure
from tablewright.workflows.plan.progress import Finished, Place, Progress, turns_of

SUBJECT = "workflow_node"
"""The kind of what a question of a node is about; its reference is the key of the attempt."""


def key_of(place: Place, attempt: int) -> str:
    """Return the key of an attempt of a node, unique within its run."""
    return f"{place}#{attempt}"


def place_of(key: str) -> Place:
    """Return the place in a key of `key_of`."""
    path, _, name = key.rpartition("#")[0].rpartition("/")
    return Place(path, name)


def node_of(key: str) -> str:
    """Return the id of the node in a key of `key_of`."""
    return key.rpartition("#")[0].rpartition("/")[2]


@dataclass(slots=True, kw_only=True)
class Attempt:
    """An attempt of a node that works or waits.

    `input` is what it was computed to work on, `request_id` the last request that it waits for, `child` its child run,
    `until` the time that it waits for.
    """

    number: int
    kind: str
    input: dict[str, Any] | None = None
    request_id: str | None = None
    child: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failure for good; of a loop that failed with a node in it, `place` and `reason` are that node's."""

    place: Place
    reason: RunFailure


@dataclass(slots=True, kw_only=True)
class Worked:
    """How long what is in a loop has worked, up to the time `until`, at which an attempt in it was the last to end."""

    seconds: float
    until: datetime


@dataclass(slots=True, kw_only=True)
class WorkflowState:
    """What has happened, by place. `due` has the next attempt of nodes to be tried again, and when the last failed;
    `failed` what has failed for good and is not passed over; `worked` is of loops that have begun."""

    finished: dict[Place, Finished] = field(default_factory=dict[Place, Finished])
    outputs: dict[Place, Any] = field(default_factory=dict[Place, Any])
    begun: dict[Place, Attempt] = field(default_factory=dict[Place, Attempt])
    due: dict[Place, tuple[int, datetime]] = field(default_factory=dict[Place, tuple[int, datetime]])
    turns: dict[Place, int | None] = field(default_factory=dict[Place, int | None])
    turned: dict[Place, int] = field(default_factory=dict[Place, int])
    items: dict[Place, list[Any]] = field(default_factory=dict[Place, list[Any]])
    answers: dict[str, RequestAnswer] = field(default_factory=dict[str, RequestAnswer])
    files: list[ArtifactRef] = field(default_factory=list[ArtifactRef])
    failed: dict[Place, Failure] = field(default_factory=dict[Place, Failure])
    worked: dict[Place, Worked] = field(default_factory=dict[Place, Worked])
    asked: dict[Place, list[tuple[str, dict[str, Any] | None]]] = field(
        default_factory=dict[Place, list[tuple[str, dict[str, Any] | None]]]
    )
    _put_out: dict[Place, NodeOutput] = field(default_factory=dict[Place, NodeOutput])

    def take_all(self, events: Iterable[Event]) -> None:
        """Take the events of a log in order."""
        for event in events:
            self.take(event.body, event.at)

    def take(self, body: EventBody, at: datetime) -> None:
        """Take one event; what says nothing about nodes is passed over."""
        match body:
            case NodeStarted():
                self.begun[_place(body)] = Attempt(number=body.attempt, kind=body.kind)
                self.due.pop(_place(body), None)
                if body.kind == "loop":
                    self.worked[_place(body)] = Worked(seconds=0.0, until=at)
            case NodeInput():
                self._given(body)
            case NodeWaiting():
                self._waits(body)
            case NodeOutput():
                self._put_out[_place(body)] = body
            case NodeFinished():
                self._ended(body, at)
            case (
                QuestionAsked(subject_kind="workflow_node", subject_ref=str(key))
                | ApprovalRequested(subject_kind="workflow_node", subject_ref=str(key))
            ):
                self._asks(key, body.request_id)
            case RequestAnswered(request_id=request_id, answer=answer):
                self.answers.setdefault(request_id, answer)
            case ArtifactCreated(artifact=artifact):
                self.files.append(artifact)
            case _:
                pass

    def progress(self) -> Progress:
        """Return what decides what is next."""
        return Progress(
            finished=self.finished,
            begun=self.begun,
            turns=self.turns,
            turned=self.turned,
            failed=self.failed,
        )

    @property
    def failure(self) -> Failure | None:
        """The failure that ends the run: that of a node in no loop."""
        return next((failure for place, failure in self.failed.items() if not place.path), None)

    def stands(self, place: Place) -> bool:
        """Return whether none of the loops around a place has ended."""
        return all(turn.loop in self.begun for turn in turns_of(place.path))

    def unwanted(self) -> tuple[str, ...]:
        """Return the ids of the requests that nobody has answered, and of which the loop has ended."""
        left = (asked for place, asked in self.asked.items() if not self.stands(place))
        return tuple(request_id for asked in left for request_id, _ in asked if request_id not in self.answers)

    def attempt_of(self, place: Place) -> int:
        """Return the number of the attempt with which the node at a place begins."""
        return self.due[place][0] if place in self.due else 1

    def _given(self, body: NodeInput) -> None:
        place = _place(body)
        attempt = self.begun.get(place)
        if attempt is None:
            return
        attempt.input = body.input
        if attempt.kind == "loop":
            self.turns[place] = body.input["turns"]
            self.items[place] = body.input.get("items") or []

    def _waits(self, body: NodeWaiting) -> None:
        attempt = self.begun.get(_place(body))
        if attempt is not None:
            attempt.child = body.run_id or attempt.child
            attempt.until = body.until or attempt.until

    def _asks(self, key: str, request_id: str) -> None:
        for place, attempt in self.begun.items():
            if key_of(place, attempt.number) == key:
                attempt.request_id = request_id
                self.asked.setdefault(place, []).append((request_id, attempt.input))

    def agreed(self, place: Place) -> bool:
        """Return whether a person has agreed to what a node now works on, perhaps in an earlier attempt."""
        now = self.begun[place].input
        return any(
            given == now and request_id in self.answers and self.answers[request_id].decision == "approve"
            for request_id, given in self.asked.get(place, ())
        )

    def _ended(self, body: NodeFinished, at: datetime) -> None:
        place = _place(body)
        began = self.begun.pop(place, None)
        self._count_work(place, body.elapsed_s, at)
        put_out = self._put_out.pop(place, None)
        if body.status == "retried":
            self.due[place] = (body.attempt + 1, at)
        elif put_out is not None:
            self.finished[place] = Finished(put_out.port)
            self.outputs[place] = put_out.output
            self._count_turns(place)
        else:
            reason = body.failure or RunFailure(code="internal", params={})
            causes = (each for inner, each in self.failed.items() if place.holds(inner) and each.reason == reason)
            self.failed[place] = next(causes, Failure(place=place, reason=reason))
        if began is not None and began.kind == "loop":
            self._left(place)

    def _left(self, loop: Place) -> None:
        """Forget what has begun in a loop that has ended, and is not gone on with."""
        self.worked.pop(loop, None)
        for places in (self.begun, self.due, self.turns, self.worked, self.failed):
            for place in [each for each in places if loop.holds(each)]:
                del places[place]

    def _count_work(self, place: Place, elapsed_s: float, at: datetime) -> None:
        """Count for the loops around a place what an attempt took; what worked beside it counts once."""
        for turn in turns_of(place.path):
            if (worked := self.worked.get(turn.loop)) is not None:
                since = max((at - worked.until).total_seconds(), 0.0)
                worked.seconds += min(elapsed_s, since)
                worked.until = at

    def _count_turns(self, place: Place) -> None:
        """Count the turns of a loop whose turn this place stands for, without gaps from the first."""
        head, bracket, _ = place.path.rpartition("[")
        around, _, name = head.rpartition("/")
        if not bracket or name != place.node_id:
            return
        loop = Place(around, name)
        number = self.turned.get(loop, 0)
        while loop.turn_place(number) in self.finished:
            number += 1
        self.turned[loop] = number


def _place(body: NodeBody) -> Place:
    return Place(body.path, body.node_id)
