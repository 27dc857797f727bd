"""The values that the expressions of a node see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import LoopNode
from tablewright.workflows.plan.progress import Place, turns_of
from tablewright.workflows.plan.ready import WorkflowIndex
from tablewright.workflows.state import WorkflowState


class Variables(Mapping[str, Any]):
    """The inputs, the outputs of nodes that have ended around a place and, in loops, `item`, `index`, `previous`."""

    def __init__(
        self, index: WorkflowIndex, state: WorkflowState, inputs: Mapping[str, Any], path: str, *, graph: str
    ) -> None:
        self._values: dict[str, Any] = {"inputs": dict(inputs)}
        paths = [("", "")]
        for turn in turns_of(path):
            paths.append((turn.loop.node_id, turn.path))
            items = state.items.get(turn.loop) or []
            self._values["item"] = items[turn.number] if turn.number < len(items) else None
            self._values["index"] = turn.number
            before = turn.loop.turn_place(turn.number - 1)
            self._values["previous"] = state.outputs.get(before) if turn.number else None
        assert paths[-1][0] == graph
        for name, around in paths:
            for node_id in index.graphs[name].nodes:
                place = Place(around, node_id)
                if place in state.finished:
                    self._values[node_id] = state.outputs.get(place)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def turn_value(index: WorkflowIndex, state: WorkflowState, node: LoopNode, path: str) -> dict[str, Any]:
    """Return what a turn gives that does not say: the outputs of the nodes with nothing behind them."""
    graph = index.graphs[node.id]
    last = [name for name in graph.nodes if not graph.after[name]]
    return {name: state.outputs[Place(path, name)] for name in last if Place(path, name) in state.finished}
