"""A text or values made from others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import TemplateNode
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.language import rendered, template


class TemplateKind:
    """Implements `NodeKind` for `TemplateNode`."""

    acts = False

    def prepare(self, node: TemplateNode, call: NodeCall) -> dict[str, Any]:
        return {"text": template(node.text).evaluate(call.variables), **rendered(node.values, call.variables)}

    async def run(self, node: TemplateNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return Done(output=dict(given))
