"""Events of the nodes of a workflow.

The order per attempt of a node is: started, input, chunk…, waiting…, output, finished. A node's output and its end are
written together: that is the checkpoint from which a workflow goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from tablewright.domain.events.base import Body
from tablewright.domain.run import RunFailure

NodeStatus = Literal["ok", "failed", "retried"]
"""How an attempt of a node ended; `retried`: it failed, and another attempt follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeBody(Body):
    """The node that an event belongs to.

    `path` names the turns of loops that the node stands in: empty at the top, `each[0]` in the first turn of the loop
    `each`, `each[0]/again[2]` in a loop within. Under its own turn, a loop's id stands for that turn. `attempt` counts
    from 1.
    """

    node_id: str
    path: str = ""
    attempt: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStarted(NodeBody):
    """An attempt of a node begins; an attempt that another process goes on with does not begin again."""

    kind: str
    name: str
    type: Literal["node.started"] = "node.started"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeInput(NodeBody):
    """What the node works on, as computed from its configuration and the outputs of the nodes before it."""

    input: dict[str, Any] = field(default_factory=dict[str, Any])
    type: Literal["node.input"] = "node.input"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeChunk(NodeBody):
    """A piece of the text that the node is writing."""

    text: str
    type: Literal["node.chunk"] = "node.chunk"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeWaiting(NodeBody):
    """The node waits: for the answer to a request, for a child run, or until a time (ISO 8601, UTC)."""

    request_id: str | None = None
    run_id: str | None = None
    until: str | None = None
    type: Literal["node.waiting"] = "node.waiting"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeOutput(NodeBody):
    """What the node has put out, as JSON; `port` is the way that it chose, if it chooses one."""

    output: Any
    port: str | None = None
    type: Literal["node.output"] = "node.output"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFinished(NodeBody):
    """An attempt of a node has ended, with its `node.output` just before if there is one."""

    status: NodeStatus
    elapsed_s: float = 0.0
    failure: RunFailure | None = None
    type: Literal["node.finished"] = "node.finished"


NodeEvent = NodeStarted | NodeInput | NodeChunk | NodeWaiting | NodeOutput | NodeFinished
"""The course of a node."""
