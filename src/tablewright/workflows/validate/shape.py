"""Faults of a graph: ids, edges, cycles, nodes that nothing leads to or from."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterator

from tablewright.domain.workflow import EndNode, Graph, LoopNode, StartNode, Workflow
from tablewright.domain.workflow.definition import PlacedNode, all_nodes
from tablewright.workflows.faults import Fault
from tablewright.workflows.plan.graph import GraphIndex
from tablewright.workflows.ports import must_choose, ports_of

MOST_NODES = 300
MOST_LOOPS = 4
"""How deep loops may stand in one another."""
RESERVED = frozenset(
    {"inputs", "item", "index", "previous", "loop", "range", "self", "true", "false", "none", "and", "or", "not", "in",
     "is", "if", "else"}
)  # fmt: skip
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def shape_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield the faults of the whole workflow's shape."""
    placed = list(all_nodes(workflow))
    if len(placed) > MOST_NODES:
        yield Fault(code="too_many_nodes", place="nodes", params={"count": len(placed), "limit": MOST_NODES})
    yield from _ids(placed)
    yield from _ends(workflow, placed)
    yield from _graph_faults(workflow, "", top=True)
    for each in placed:
        if isinstance(each.node, LoopNode):
            if len(each.loops) + 1 > MOST_LOOPS:
                yield Fault(code="loops_too_deep", place=place_of(each), params={"limit": MOST_LOOPS})
            yield from _graph_faults(each.node, f"{place_of(each)}.", top=False)


def place_of(placed: PlacedNode) -> str:
    """Return the place of a node: `nodes.<id>`, after those of the loops around it."""
    return ".".join(f"nodes.{node.id}" for node in (*placed.loops, placed.node))


def _ids(placed: list[PlacedNode]) -> Iterator[Fault]:
    times = Counter(each.node.id for each in placed)
    for name, count in times.items():
        if count > 1:
            yield Fault(code="id_twice", place=f"nodes.{name}", params={"name": name, "count": count})
        if not IDENTIFIER.fullmatch(name) or name.lower() in RESERVED or keyword.iskeyword(name):
            yield Fault(code="id_wrong", place=f"nodes.{name}", params={"name": name})


def _ends(workflow: Workflow, placed: list[PlacedNode]) -> Iterator[Fault]:
    starts = [node for node in workflow.nodes if isinstance(node, StartNode)]
    if len(starts) != 1:
        yield Fault(code="start_count", place="nodes", params={"count": len(starts)})
    if not any(isinstance(node, EndNode) for node in workflow.nodes):
        yield Fault(code="end_missing", place="nodes")
    for each in placed:
        if each.loops and isinstance(each.node, StartNode | EndNode):
            yield Fault(code="kind_in_loop", place=place_of(each), params={"name": each.node.kind})


def _graph_faults(graph: Graph, within: str, *, top: bool) -> Iterator[Fault]:
    ids = {node.id for node in graph.nodes}
    broken = False
    for number, edge in enumerate(graph.edges):
        for end in (edge.source, edge.target):
            if end not in ids:
                broken = True
                yield Fault(code="node_unknown", place=f"{within}edges.{number}", params={"name": end})
    if broken or len(ids) != len(graph.nodes):
        return
    index = GraphIndex.of(graph)
    yield from _edges(graph, index, within)
    if circle := index.circle():
        yield Fault(code="circle", place=f"{within}edges", params={"path": " → ".join(circle)})
        return
    if top:
        yield from _unreached(graph, index)
        yield from _dead_ends(graph, index)


def _edges(graph: Graph, index: GraphIndex, within: str) -> Iterator[Fault]:
    seen: set[tuple[str, str, str | None]] = set()
    for number, edge in enumerate(graph.edges):
        place = f"{within}edges.{number}"
        key = (edge.source, edge.target, edge.port)
        if key in seen:
            yield Fault(code="edge_twice", place=place, params={"source_id": edge.source, "target_id": edge.target})
        seen.add(key)
        source, target = index.nodes[edge.source], index.nodes[edge.target]
        if isinstance(target, StartNode) or isinstance(source, EndNode):
            yield Fault(code="edge_wrong", place=place, params={"source_id": edge.source, "target_id": edge.target})
        ports = ports_of(source)
        if edge.port is None and must_choose(source):
            yield Fault(code="port_missing", place=place, params={"name": source.id, "known": ", ".join(ports or ())})
        elif edge.port is not None and (ports is None or edge.port not in ports):
            known = ", ".join(ports or ())
            yield Fault(code="port_unknown", place=place, params={"name": source.id, "port": edge.port, "known": known})


def _unreached(graph: Graph, index: GraphIndex) -> Iterator[Fault]:
    starts = [node.id for node in graph.nodes if isinstance(node, StartNode)]
    reached = index.reached_from(starts)
    for node in graph.nodes:
        if starts and node.id not in reached:
            yield Fault(code="unreachable", place=f"nodes.{node.id}", params={"name": node.id})


def _dead_ends(graph: Graph, index: GraphIndex) -> Iterator[Fault]:
    """Yield the nodes from which nothing leads on, wholly or in one of their ways."""
    for node in graph.nodes:
        edges = index.after[node.id]
        if isinstance(node, EndNode):
            continue
        if not edges:
            yield Fault(code="edge_missing", place=f"nodes.{node.id}", params={"name": node.id})
            continue
        led = {edge.port for edge in edges}
        for port in () if None in led else ports_of(node) or ():
            if port not in led:
                yield Fault(code="way_missing", place=f"nodes.{node.id}", params={"name": node.id, "port": port})
