"""The ways that lead on from a node."""

from __future__ import annotations

from tablewright.domain.workflow import AskUserNode, ConditionNode, Node, SwitchNode

TRUE, FALSE, DEFAULT = "true", "false", "default"


def ports_of(node: Node) -> tuple[str, ...] | None:
    """Return the names of a node's ways, or None if it does not choose; a question only chooses among fixed options."""
    match node:
        case ConditionNode():
            return (TRUE, FALSE)
        case SwitchNode(cases=cases):
            return (*(case.name for case in cases), DEFAULT)
        case AskUserNode(form="choice", options=options) if options:
            return options
        case _:
            return None


def must_choose(node: Node) -> bool:
    """Return whether every edge from the node needs a port."""
    return isinstance(node, ConditionNode | SwitchNode)
