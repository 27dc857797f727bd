"""A read-only query of a database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import DatabaseNode
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.language import rendered


class DatabaseKind:
    """Implements `NodeKind` for `DatabaseNode`."""

    acts = True

    def prepare(self, node: DatabaseNode, call: NodeCall) -> dict[str, Any]:
        return {"parameters": rendered(node.parameters, call.variables)}

    async def run(self, node: DatabaseNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        found = await call.services.query(node.database, node.query, given["parameters"], rows=node.max_rows)
        rows = [[*row] for row in found.rows]
        told = {"total": found.total, "truncated": found.truncated}
        return Done(output={"columns": [*found.columns], "rows": rows, **told})
