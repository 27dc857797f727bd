"""A graph by its nodes: what comes before and after each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tablewright.domain.workflow import Edge, Graph, Node


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphIndex:
    """A graph's nodes by id, and the edges that lead to and from each. Edges must name nodes of the graph."""

    nodes: Mapping[str, Node]
    before: Mapping[str, tuple[Edge, ...]]
    after: Mapping[str, tuple[Edge, ...]]

    @classmethod
    def of(cls, graph: Graph) -> GraphIndex:
        """Index a graph."""
        before: dict[str, list[Edge]] = {node.id: [] for node in graph.nodes}
        after: dict[str, list[Edge]] = {node.id: [] for node in graph.nodes}
        for edge in graph.edges:
            before[edge.target].append(edge)
            after[edge.source].append(edge)
        return cls(
            nodes={node.id: node for node in graph.nodes},
            before={name: tuple(edges) for name, edges in before.items()},
            after={name: tuple(edges) for name, edges in after.items()},
        )

    def order(self) -> tuple[str, ...]:
        """Return the nodes so that each comes after those before it; nodes of and behind a circle are left out."""
        missing = {name: len(edges) for name, edges in self.before.items()}
        ready = [name for name, count in missing.items() if not count]
        for name in ready:
            for edge in self.after[name]:
                missing[edge.target] -= 1
                if not missing[edge.target]:
                    ready.append(edge.target)
        return tuple(ready)

    def circle(self) -> tuple[str, ...]:
        """Return the nodes of one circle, the first again at its end; or nothing."""
        ordered = set(self.order())
        stuck = [name for name in self.nodes if name not in ordered]
        if not stuck:
            return ()
        path = [stuck[0]]
        while True:
            before = next(edge.source for edge in self.before[path[-1]] if edge.source not in ordered)
            if before in path:
                return (before, *reversed(path[path.index(before) :]))
            path.append(before)

    def reached_from(self, names: Iterable[str]) -> frozenset[str]:
        """Return the nodes to which edges lead from `names`, these among them."""
        return self._closure(names, {name: [edge.target for edge in edges] for name, edges in self.after.items()})

    def before_all(self, name: str) -> frozenset[str]:
        """Return all nodes from which edges lead to `name`."""
        return self._closure([name], {to: [edge.source for edge in edges] for to, edges in self.before.items()}) - {
            name
        }

    @staticmethod
    def _closure(names: Iterable[str], steps: Mapping[str, Iterable[str]]) -> frozenset[str]:
        seen, left = set(names), list(names)
        while left:
            for name in steps[left.pop()]:
                if name not in seen:
                    seen.add(name)
                    left.append(name)
        return frozenset(seen)
