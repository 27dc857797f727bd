"""What a workflow of a few kinds of nodes must come to, computed in the plainest way: one node after the other, by
recursion. Random definitions are compared with it; it knows nothing of the plan, of events or of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewright.domain.workflow import (
    ConditionNode,
    EndNode,
    Graph,
    JoinNode,
    LoopNode,
    Node,
    SwitchNode,
    Workflow,
)
from tablewright.workflows.expressions.language import expression, rendered, template

Effect = Callable[[Node, Mapping[str, Any], str], Any]
"""What any other node gives: takes the node, its variables and its place. Raises `Fails` if it fails for good."""
FAILED = {"error": "…"}
"""What a node that goes on in spite of a failure puts out, whichever failure came first."""


class Fails(Exception):
    """A node fails for good."""


@dataclass
class Interpreter:
    """Runs `workflow`; `ran` has the place of each node that ran."""

    workflow: Workflow
    effect: Effect
    ran: list[str] = field(default_factory=list)
    cut: bool = False
    """Whether a failure ended a loop or the whole: what else of it ran before is a matter of time."""

    def run(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the outputs of the nodes that ran."""
        return self._graph(self.workflow, {"inputs": dict(inputs)}, "")

    def _graph(self, graph: Graph, variables: dict[str, Any], path: str) -> dict[str, Any]:
        outputs: dict[str, Any] = {}
        ways: dict[str, str | None] = {}
        skipped: set[str] = set()
        left = list(graph.nodes)
        while left:
            node = next(n for n in left if all(e.source in {*ways, *skipped} for e in graph.edges if e.target == n.id))
            left.remove(node)
            before = [e for e in graph.edges if e.target == node.id]
            alive = [e for e in before if e.source in ways and e.port in {None, ways[e.source]}]
            if before and not alive:
                skipped.add(node.id)
                continue
            place = f"{path}/{node.id}" if path else node.id
            self.ran.append(place)
            joined = {e.source: outputs[e.source] for e in before if e.source in outputs}
            try:
                outputs[node.id], ways[node.id] = self._node(node, {**variables, **outputs}, place, joined)
            except Fails:
                self.cut = self.cut or isinstance(node, LoopNode) or node.on_error == "fail"
                if node.on_error == "fail":
                    raise
                outputs[node.id], ways[node.id] = FAILED, None
        return outputs

    def _node(self, node: Node, variables: dict[str, Any], place: str, joined: dict[str, Any]) -> tuple[Any, Any]:
        match node:
            case ConditionNode(when=when):
                holds = bool(expression(when).evaluate(variables))
                return {"result": holds}, "true" if holds else "false"
            case SwitchNode(cases=cases):
                name = next((c.name for c in cases if expression(c.when).evaluate(variables)), "default")
                return {"case": name}, name
            case JoinNode():
                return joined, None
            case EndNode(text=text, outputs=values):
                return {"text": template(text).evaluate(variables), "outputs": rendered(values, variables)}, None
            case LoopNode():
                return self._loop(node, variables, place), None
            case _:
                return self.effect(node, variables, place), None

    def _loop(self, node: LoopNode, variables: dict[str, Any], place: str) -> dict[str, Any]:
        items = None if node.over is None else expression(node.over).evaluate(variables)
        gave: list[Any] = []
        while items is None or len(gave) < len(items):
            number = len(gave)
            within = {**variables, "index": number, "item": items[number] if items else None}
            within["previous"] = gave[-1] if gave else None
            outputs = self._graph(node, within, f"{place}[{number}]")
            last = [n.id for n in node.nodes if not any(e.source == n.id for e in node.edges)]
            seen = {**within, **outputs}
            plain = {name: outputs[name] for name in last if name in outputs}
            gave.append(plain if node.collect is None else expression(node.collect).evaluate(seen))
            if node.until is not None and expression(node.until).evaluate(seen):
                break
        return {"items": gave, "count": len(gave)}
