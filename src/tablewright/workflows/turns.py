"""The ends of turns and of loops: pure, from what is in the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tablewright.errors import NodeFailed
from tablewright.workflows.base import Done
from tablewright.workflows.expressions.language import expression
from tablewright.workflows.plan.progress import AGAIN, DONE, Place
from tablewright.workflows.plan.ready import EndTurn, WorkflowIndex
from tablewright.workflows.scope import Variables, turn_value
from tablewright.workflows.state import WorkflowState


def turn_end(
    index: WorkflowIndex, state: WorkflowState, inputs: Mapping[str, Any], ended: EndTurn
) -> Callable[[], Done]:
    """Return what computes, on any thread, what a turn gave, and whether another may follow.

    It raises `ExpressionFailed`, and `NodeFailed` if the loop's condition still does not hold after its last turn.
    """
    node, path = ended.node, ended.loop.turn(ended.number)
    variables, plain = Variables(index, state, inputs, path, graph=node.id), turn_value(index, state, node, path)

    def computed() -> Done:
        value = plain if node.collect is None else expression(node.collect).evaluate(variables)
        over = node.until is not None and bool(expression(node.until).evaluate(variables))
        if not over and node.over is None and ended.number + 1 >= node.max_turns:
            raise NodeFailed("workflow_loop_long", node=node.id, limit=node.max_turns)
        return Done(output=value, port=DONE if over else AGAIN)

    return computed


def loop_end(state: WorkflowState, place: Place) -> Done:
    """Return what a loop gives."""
    count = state.turned.get(place, 0)
    items = [state.outputs[place.turn_place(number)] for number in range(count)]
    return Done(output={"items": items, "count": count})
