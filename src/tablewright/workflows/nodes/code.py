"""Python in the sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import CodeNode
from tablewright.workflows.base import CodeFiles, Done, NodeCall, Result
from tablewright.workflows.expressions.language import rendered


class CodeKind:
    """Implements `NodeKind` for `CodeNode`."""

    acts = True

    def prepare(self, node: CodeNode, call: NodeCall) -> dict[str, Any]:
        return {"inputs": rendered(node.inputs, call.variables)}

    async def run(self, node: CodeNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        files = CodeFiles(reads=node.reads, made_for=node.made_for) if node.reads else None
        outcome = await call.services.run_code(node.code, given["inputs"], key=call.key, emit=call.emit, files=files)
        return Done(output={"result": outcome.result, "text": outcome.text})
