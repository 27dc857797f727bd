"""A workflow: its inputs, and a graph of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Protocol

from pydantic import Field

from tablewright.domain.workflow.edges import Edge
from tablewright.domain.workflow.nodes import LoopNode, Node

InputKind = Literal["text", "number", "boolean", "list", "object", "file"]
"""The value of a `file` is its id; not given one, the input is the run's first file that no other input is."""


class Graph(Protocol):
    """Nodes and the edges between them: a workflow, or the body of a loop."""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes, without those within loops."""
        ...

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges between these nodes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowInput:
    """A value that a run is given, `inputs.<name>` in expressions; one that is not `required` has its default."""

    name: str
    kind: InputKind = "text"
    title: str = ""
    required: bool = True
    default: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """The definition of a workflow.

    `examples` are what people say who want it. `version` is that of the format.
    """

    id: str
    name: str
    nodes: tuple[Annotated[Node, Field(discriminator="kind")], ...]
    edges: tuple[Edge, ...] = ()
    description: str = ""
    examples: tuple[str, ...] = ()
    inputs: tuple[WorkflowInput, ...] = ()
    version: Literal[1] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedNode:
    """A node, the loops around it from the outermost, and the graph that it is in."""

    node: Node
    graph: Graph
    loops: tuple[LoopNode, ...] = ()


def all_nodes(graph: Graph, loops: tuple[LoopNode, ...] = ()) -> Iterator[PlacedNode]:
    """Yield every node, those within loops after their loop."""
    for node in graph.nodes:
        yield PlacedNode(node=node, graph=graph, loops=loops)
        if isinstance(node, LoopNode):
            yield from all_nodes(node, (*loops, node))
