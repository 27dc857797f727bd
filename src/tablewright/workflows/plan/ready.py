"""What can be done next.

A node is ready once each edge that leads to it is decided and at least one is alive. An edge is alive if its source has
ended and went its way; it is dead if the source went another way or is skipped. A node to which only dead edges lead is
skipped. So a join waits for the branches that were taken, and for no other.

A node that has failed for good fails the loop that it is in, and that the one around it, until one goes on in spite of
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from tablewright.domain.workflow import Edge, Graph, LoopNode, Node, Workflow
from tablewright.domain.workflow.definition import all_nodes
from tablewright.workflows.plan.graph import GraphIndex
from tablewright.workflows.plan.progress import DONE, Place, Progress, turns_of

Status = Literal["finished", "skipped", "ready", "blocked"]


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the node at a place."""

    place: Place
    node: Node


@dataclass(frozen=True, slots=True)
class EndTurn:
    """All nodes of a turn of the loop at `loop` have ended: say what it gave, and whether another follows."""

    loop: Place
    node: LoopNode
    number: int


@dataclass(frozen=True, slots=True)
class EndLoop:
    """All turns of the loop at a place have ended."""

    place: Place
    node: LoopNode


@dataclass(frozen=True, slots=True)
class FailLoop:
    """A node in the loop at a place has failed, and `failed` is where: nothing more is done in the loop."""

    place: Place
    node: LoopNode
    failed: Place


Action = Start | EndTurn | EndLoop | FailLoop


class WorkflowIndex:
    """A definition with its graphs indexed: that of the workflow under the empty name, those of loops under theirs."""

    def __init__(self, workflow: Workflow) -> None:
        self.workflow = workflow
        placed = list(all_nodes(workflow))
        self.nodes: Mapping[str, Node] = {each.node.id: each.node for each in placed}
        graphs: dict[str, Graph] = {"": workflow}
        graphs.update({each.node.id: each.node for each in placed if isinstance(each.node, LoopNode)})
        self.graphs: Mapping[str, GraphIndex] = {name: GraphIndex.of(graph) for name, graph in graphs.items()}
        self._order = {name: graph.order() for name, graph in self.graphs.items()}

    def statuses(self, graph: str, path: str, progress: Progress) -> dict[str, Status]:
        """Return how far each node of a graph is in the turn at `path`; what works or waits is `ready`."""
        index = self.graphs[graph]
        statuses: dict[str, Status] = {}
        for name in self._order[graph]:
            statuses[name] = _status(name, path, index.before[name], statuses, progress)
        return statuses


def _status(
    name: str, path: str, edges: tuple[Edge, ...], statuses: Mapping[str, Status], progress: Progress
) -> Status:
    if Place(path, name) in progress.finished:
        return "finished"
    alive = not edges
    for edge in edges:
        source = statuses[edge.source]
        if source in {"ready", "blocked"}:
            return "blocked"
        alive = alive or (source == "finished" and _taken(edge, path, progress))
    return "ready" if alive else "skipped"


def _taken(edge: Edge, path: str, progress: Progress) -> bool:
    return edge.port is None or progress.finished[Place(path, edge.source)].port == edge.port


def ready(index: WorkflowIndex, progress: Progress) -> tuple[Action, ...]:
    """Return what can be done now and is not being done, in the order of the definition."""
    return tuple(_in_graph(index, "", "", progress))


def done(index: WorkflowIndex, progress: Progress) -> bool:
    """Return whether every node has ended or is skipped."""
    return settled(index, "", "", progress)


def settled(index: WorkflowIndex, graph: str, path: str, progress: Progress) -> bool:
    """Return whether every node of a graph has ended or is skipped in the turn at `path`."""
    return all(status in {"finished", "skipped"} for status in index.statuses(graph, path, progress).values())


def _in_graph(index: WorkflowIndex, graph: str, path: str, progress: Progress) -> Iterator[Action]:
    statuses = index.statuses(graph, path, progress)
    for name, node in index.graphs[graph].nodes.items():
        place = Place(path, name)
        if statuses.get(name) != "ready" or place in progress.failed:
            continue
        if place not in progress.begun:
            yield Start(place, node)
        elif isinstance(node, LoopNode) and place in progress.turns:
            yield from _in_loop(index, place, node, progress)


def _failed_in(loop: Place, progress: Progress) -> Place | None:
    """Return what has failed in a turn of the loop at a place; what is in a loop within fails that one first."""
    return next((place for place in progress.failed if turns_of(place.path)[-1:] and _own(loop, place)), None)


def _own(loop: Place, place: Place) -> bool:
    return turns_of(place.path)[-1].loop == loop


def _in_loop(index: WorkflowIndex, place: Place, node: LoopNode, progress: Progress) -> Iterator[Action]:
    if (failed := _failed_in(place, progress)) is not None:
        yield FailLoop(place, node, failed)
        return
    items = progress.turns[place]
    number, working = progress.turned.get(place, 0), 0
    if number and progress.finished[place.turn_place(number - 1)].port == DONE:
        yield EndLoop(place, node)
        return
    while items is None or number < items:
        if place.turn_place(number) not in progress.finished:
            working += 1
            if settled(index, node.id, place.turn(number), progress):
                yield EndTurn(place, node, number)
            else:
                yield from _in_graph(index, node.id, place.turn(number), progress)
            if working >= node.concurrency:
                return
        number += 1
    if not working:
        yield EndLoop(place, node)
