"""A way chosen among several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import SwitchNode
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.language import expression
from tablewright.workflows.ports import DEFAULT


class SwitchKind:
    """Implements `NodeKind` for `SwitchNode`."""

    acts = False

    def prepare(self, node: SwitchNode, call: NodeCall) -> dict[str, Any]:
        for case in node.cases:
            if expression(case.when).evaluate(call.variables):
                return {"case": case.name}
        return {"case": DEFAULT}

    async def run(self, node: SwitchNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return Done(output=dict(given), port=str(given["case"]))
