"""A workflow that does again what was done in a conversation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.workflow import (
    AgentNode,
    CodeNode,
    Edge,
    EndNode,
    InputKind,
    Node,
    StartNode,
    WorkbookNode,
    Workflow,
    WorkflowInput,
)
from tablewright.service.workflow_drafts.parameters import FreeValue, parameters_of
from tablewright.service.workflow_drafts.record import CodeWork, ConversationRecord, EditWork
from tablewright.texts.catalogue import text

MOST_INPUTS = 30
"""How many values become inputs; the others stay as they were."""
EXAMPLES = 5
AS_TABLE = """if hasattr(globals().get("result"), "columns"):
    import os
    import tw
    frame = result if result.index.names == [None] else result.reset_index()
    os.makedirs("output", exist_ok=True)
    tw.guard(frame).to_csv("output/{name}.csv", index=False, encoding="utf-8-sig")
    result = {{"columns": [str(column) for column in frame.columns], "rows": frame.values.tolist()}}
"""
"""Code that hands over a result that is a data frame as the file `name`, and as an output that is shown as a table."""
TAKEN = frozenset(dir(dict))
"""Names that an expression reads as methods of `inputs`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftNames:
    """What a draft calls itself: its `id` in the file, and its name for people."""

    id: str
    name: str


class DraftDefinition:
    """Builds the workflow from the record of a conversation, in its language."""

    def __init__(self, record: ConversationRecord, language: Language) -> None:
        self._record = record
        self._language = language
        self._inputs: dict[str, WorkflowInput] = {}
        self._known: dict[tuple[str, str, str | int | float], str] = {}
        self._constants = 0

    def workflow(self, names: DraftNames) -> Workflow:
        """Return the workflow: one node after the other, and an end with what they gave."""
        files = self._files()
        nodes: list[Node] = [StartNode(id="start")]
        for number, work in enumerate(self._record.work, 1):
            nodes.append(self._edit(work, number) if isinstance(work, EditWork) else self._answer(work, number))
        nodes.append(self._end(nodes[1:]))
        ids = [node.id for node in nodes]
        questions = dict.fromkeys(work.question.strip() for work in self._record.work if work.question.strip())
        return Workflow(
            id=names.id,
            name=names.name,
            description=self._description(),
            examples=tuple(questions)[:EXAMPLES],
            inputs=(*files, *self._inputs.values()),
            nodes=tuple(nodes),
            edges=tuple(Edge(source=one, target=other) for one, other in pairwise(ids)),
        )

    def _files(self) -> tuple[WorkflowInput, ...]:
        return tuple(
            WorkflowInput(
                name="file" if number == 1 else f"file_{number}",
                kind="file",
                title=text("workflow_draft_file", self._language, name=name),
            )
            for number, name in enumerate(self._record.files, 1)
        )

    def _answer(self, work: CodeWork, number: int) -> Node:
        name = " ".join(work.question.split())[:60]
        if work.anew:
            return AgentNode(id=f"answer_{number}", name=name, question=fixed(work.question))
        return CodeNode(
            id=f"answer_{number}",
            name=name,
            code=f"{work.code}\n\n{AS_TABLE.format(name=f'answer_{number}')}",
            reads=self._record.reads,
            made_for=self._record.tables,
        )

    def _edit(self, work: EditWork, number: int) -> WorkbookNode:
        steps = tuple(self._step(step) for step in work.plan.steps)
        name = " ".join(work.question.split())[:60]
        return WorkbookNode(id=f"edit_{number}", name=name, steps=steps, made_for=work.plan.sheets)

    def _step(self, step: PlanStep) -> dict[str, Any]:
        operation = step.operation
        if operation is None:  # a stored step of an operation that there is no more: it fails as it would anywhere
            return {"function": step.function, "parameters": _inert(step.parameters)}
        parameters = parameters_of(operation, lambda free: self._free(free, step), fixed)
        written = {"function": operation.function, "parameters": parameters, "description": fixed(step.description)}
        return {name: value for name, value in written.items() if value}

    def _free(self, free: FreeValue, step: PlanStep) -> Any:
        """Return what stands for a value: an input, the same for the same value of the same parameter."""
        key = (free.name + free.about, type(free.value).__name__, free.value)
        if key not in self._known:
            if len(self._inputs) >= MOST_INPUTS:
                self._constants += 1
                return fixed(free.value) if isinstance(free.value, str) else free.value
            self._known[key] = self._input(free, step)
        return f"{{{{ inputs.{self._known[key]} }}}}"

    def _input(self, free: FreeValue, step: PlanStep) -> str:
        stem = f"{free.name}_" if free.name in TAKEN else free.name
        name, number = stem, 2
        while name in self._inputs:
            name, number = f"{stem}_{number}", number + 1
        words = ": ".join(filter(None, (" ".join(step.description.split()), free.about or free.name)))
        kind: InputKind = "text" if isinstance(free.value, str) else "number"
        self._inputs[name] = WorkflowInput(name=name, kind=kind, title=words[:200], required=False, default=free.value)
        return name

    def _end(self, nodes: list[Node]) -> EndNode:
        lines: list[str] = []
        outputs: dict[str, Any] = {}
        for node in nodes:
            if isinstance(node, WorkbookNode):
                words = text("workflow_draft_changed", self._language, count=f"{{{{ {node.id}.changed }}}}")
                lines.append(f"{fixed(node.name)}: {words}")
                outputs["file"] = f"{{{{ {node.id}.file }}}}"
            elif isinstance(node, AgentNode):
                lines.append(f"{{{{ {node.id}.text }}}}")
                outputs[node.id] = {"columns": f"{{{{ {node.id}.columns }}}}", "rows": f"{{{{ {node.id}.rows }}}}"}
            else:
                lines.append(f"{fixed(node.name)}\n{{{{ {node.id}.text }}}}")
                outputs[node.id] = f"{{{{ {node.id}.result }}}}"
        return EndNode(id="end", text="\n".join(lines), outputs=outputs)

    def _description(self) -> str:
        language, record = self._language, self._record
        lines = [text("workflow_draft_description", language, count=len(record.work))]
        if any(isinstance(work, CodeWork) and not work.anew for work in record.work):
            lines.append(text("workflow_draft_code", language))
        if any(isinstance(work, CodeWork) and work.anew for work in record.work):
            lines.append(text("workflow_draft_anew", language))
        if self._constants:
            lines.append(text("workflow_draft_constants", language, count=self._constants))
        for omission in record.omitted:
            words = " ".join(omission.words.split())[:100]
            lines.append(text(f"workflow_draft_omitted_{omission.reason}", language, words=words))
        return " ".join(lines)[:2_000]


def fixed(words: str) -> str:
    """Return a template whose value is exactly `words`, whatever braces are in it."""
    if not re.search(r"\{[{%#]|[\r\n]\Z", words):
        return words
    quoted = "".join(char if (char.isascii() and char.isalnum()) or char == " " else _escaped(char) for char in words)
    return f"{{{{ '{quoted}' }}}}"


def _escaped(char: str) -> str:
    return f"\\U{ord(char):08x}"


def _inert(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _inert(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_inert(each) for each in value]
    return fixed(value) if isinstance(value, str) else value
