"""The text that a model reads to choose a workflow: a pure function of the task."""

from __future__ import annotations

import json

from tablewright.domain.message import Message, Origin, TextPart
from tablewright.domain.task import ChooseWorkflow
from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags, defuse
from tablewright.models.prompt_files import phrase, prompt


def choice_messages(task: ChooseWorkflow, *, tags: CodeTags = DEFAULT_TAGS) -> tuple[Message, Message]:
    """Return the system prompt with the form of the answer, and what there is to choose from."""
    system = Message(role="system", parts=(_part(prompt(task.type, task.language), "system"),))
    return system, _choosing(task, tags)


def _choosing(task: ChooseWorkflow, tags: CodeTags) -> Message:
    lines = [_line(id=one.id, name=one.name, description=one.description) for one in task.candidates]
    return Message(
        role="user",
        parts=(
            _part(f"{phrase('task_heading', task.language)}\n", "system"),
            _part(task.question.strip(), "user"),
            _part(f"\n\n{phrase('workflows_heading', task.language)}\n", "system"),
            _part(defuse("".join(lines), tags), "file"),
        ),
    )


def _line(**values: str) -> str:
    return json.dumps({name: value for name, value in values.items() if value}, ensure_ascii=False) + "\n"


def _part(text: str, origin: Origin) -> TextPart:
    return TextPart(text=text, origin=origin)
