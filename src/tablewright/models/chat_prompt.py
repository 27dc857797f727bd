"""The text that a model reads to write freely, or an object of a given form: a pure function of the task."""

from __future__ import annotations

import json

from tablewright.domain.message import Message, Origin, Part, TextPart
from tablewright.domain.task import Chat
from tablewright.models.prompt_files import phrase, prompt


def chat_messages(task: Chat) -> tuple[Message, Message]:
    """Return the system prompt, and what is to be written with the materials for it."""
    system = prompt("chat", task.language)
    if task.schema is not None:
        system += "\n\n" + phrase("chat_form", task.language, schema=json.dumps(task.schema, ensure_ascii=False))
    parts: list[Part] = [_part(task.question.strip(), "user")]
    for name, words in task.materials:
        parts += [_part(f"\n\n{name}\n", "system"), _part(words, "file")]
    if task.unreadable is not None:
        parts.append(_part("\n\n" + phrase("chat_again", task.language, problem=task.unreadable), "system"))
    return Message(role="system", parts=(_part(system, "system"),)), Message(role="user", parts=tuple(parts))


def _part(text: str, origin: Origin) -> TextPart:
    return TextPart(text=text, origin=origin)
