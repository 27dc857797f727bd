"""A way chosen by a condition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import ConditionNode
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.language import expression
from tablewright.workflows.ports import FALSE, TRUE


class ConditionKind:
    """Implements `NodeKind` for `ConditionNode`."""

    acts = False

    def prepare(self, node: ConditionNode, call: NodeCall) -> dict[str, Any]:
        return {"result": bool(expression(node.when).evaluate(call.variables))}

    async def run(self, node: ConditionNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return Done(output=dict(given), port=TRUE if given["result"] else FALSE)
