"""The ways that lead on from a node."""

from __future__ import annotations

from tablewright.domain.workflow import AskUserNode, ConditionNode, Node, SwitchNode

TRUE, FALSE, DEFAULT = "true", "false", "default"
ANSWERED, EXPIRED = "answered", "expired"


def ports_of(node: Node) -> tuple[str, ...] | None:
    """Return the names of a node's ways, or None if it does not choose.

    A question chooses among fixed options, and by whether it has expired if nothing answers in its place.
    """
    match node:
        case ConditionNode():
            return (TRUE, FALSE)
        case SwitchNode(cases=cases):
            return (*(case.name for case in cases), DEFAULT)
        case AskUserNode(options=options):
            return _ports_of_question(node, options if node.form == "choice" else ())
        case _:
            return None


def _ports_of_question(node: AskUserNode, options: tuple[str, ...]) -> tuple[str, ...] | None:
    if not node.expires:
        return options or None
    return (*(options or (ANSWERED,)), *((EXPIRED,) if node.default is None else ()))


def must_choose(node: Node) -> bool:
    """Return whether every edge from the node needs a port."""
    return isinstance(node, ConditionNode | SwitchNode)
