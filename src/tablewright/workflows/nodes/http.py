"""A page of the web, read behind the address guard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import HttpNode
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.language import template


class HttpKind:
    """Implements `NodeKind` for `HttpNode`."""

    acts = True

    def prepare(self, node: HttpNode, call: NodeCall) -> dict[str, Any]:
        return {"url": template(node.url).evaluate(call.variables).strip()}

    async def run(self, node: HttpNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        page = await call.services.fetch(given["url"])
        return Done(output={"url": page.url, "title": page.title, "text": page.text})
