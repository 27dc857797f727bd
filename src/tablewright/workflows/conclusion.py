"""The answer of a workflow: what its ends say and put out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.answer import Answer
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.codec import from_python
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.domain.workflow import EndNode
from tablewright.texts.catalogue import text
from tablewright.workflows.expressions.filters import as_text
from tablewright.workflows.plan.progress import Place
from tablewright.workflows.plan.ready import WorkflowIndex
from tablewright.workflows.state import WorkflowState


def answer_of(index: WorkflowIndex, state: WorkflowState, language: Language) -> Answer:
    """Return the answer of a run of which every node has ended or is skipped."""
    ends = [node for node in index.workflow.nodes if isinstance(node, EndNode)]
    reached = [state.outputs[Place("", end.id)] for end in ends if Place("", end.id) in state.finished]
    outputs: dict[str, Any] = {}
    for each in reached:
        outputs |= each["outputs"]
    words = "\n\n".join(each["text"] for each in reached if each["text"].strip())
    if not words:
        words = "\n".join(f"{name}: {as_text(value)}" for name, value in outputs.items() if not _is_table(value))
    table = next((_table(value) for value in outputs.values() if _is_table(value)), None)
    return Answer(
        text=words or text("workflow_done", language, name=index.workflow.name),
        outcome="completed",
        result=table,
        table=table,
        files=_files(state),
        outputs=outputs,
    )


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value.get("columns")) and isinstance(value.get("rows"), list)


def _table(value: Mapping[str, Any]) -> Table:
    rows = tuple(tuple(_cell(each) for each in row) for row in value["rows"])
    total = value.get("total")
    counted = total if isinstance(total, int) and total >= len(rows) else len(rows)
    return Table(columns=tuple(map(str, value["columns"])), rows=rows, total_rows=counted)


def _cell(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | bool) else as_text(value)


def _files(state: WorkflowState) -> tuple[ArtifactRef, ...]:
    """Return the files that nodes and their children have made, each once."""
    found = {file.id: file for file in state.files}
    for output in state.outputs.values():
        told = output if isinstance(output, Mapping) else {}
        listed = told.get("files")
        for each in (*(listed if isinstance(listed, list) else ()), told.get("file")):
            if isinstance(each, Mapping) and {"id", "name", "mime", "size_bytes"} <= each.keys():
                found.setdefault(str(each["id"]), from_python(ArtifactRef, dict(each)))
    return tuple(found.values())
