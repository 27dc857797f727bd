"""Faults of expressions: those that cannot be read, and names that nothing gives a value."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.domain.workflow import Graph, LoopNode, Workflow
from tablewright.domain.workflow.definition import PlacedNode, all_nodes
from tablewright.errors import ExpressionInvalid
from tablewright.workflows.faults import Fault
from tablewright.workflows.plan.graph import GraphIndex
from tablewright.workflows.sources import sources_of
from tablewright.workflows.validate.shape import place_of

IN_LOOP = frozenset({"item", "index", "previous"})


def binding_faults(workflow: Workflow) -> Iterator[Fault]:
    """Yield the faults of all expressions. The graphs must be sound."""
    for placed in all_nodes(workflow):
        known = known_before(workflow, placed)
        within = known | IN_LOOP
        if isinstance(placed.node, LoopNode):
            within |= {node.id for node in placed.node.nodes}
        for source in sources_of(placed.node):
            place = f"{place_of(placed)}.{source.field}"
            try:
                names = source.compile(source.text).names
            except ExpressionInvalid as error:
                yield Fault(code="expression", place=place, params=dict(error.params))
                continue
            for name in sorted(names - (within if source.after else known)):
                yield Fault(code="unbound", place=place, params={"name": name})


def known_before(workflow: Workflow, placed: PlacedNode) -> frozenset[str]:
    """Return the names that have a value when a node begins, or may have one where branches were not taken."""
    names = {"inputs", *(IN_LOOP if placed.loops else ())}
    graphs: tuple[Graph, ...] = (workflow, *placed.loops)
    for graph, node in zip(graphs, (*placed.loops, placed.node), strict=True):
        names |= GraphIndex.of(graph).before_all(node.id)
    return frozenset(names)
