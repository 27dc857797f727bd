"""The text that a model reads to write statements on tables of a database: a pure function of the task."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tablewright.domain.dataset import DatabaseTable, DatasetFacts
from tablewright.domain.message import Message, Origin, Part, TextPart
from tablewright.domain.task import WriteQuery
from tablewright.models.database_facts import SYSTEMS
from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags, defuse
from tablewright.models.notes import note_lines
from tablewright.models.prompt_files import phrase, prompt

EXAMPLES = 5
"""The most examples of a column that are told."""


def query_messages(task: WriteQuery, *, tags: CodeTags = DEFAULT_TAGS) -> tuple[Message, Message]:
    """Return the system prompt with the form of the answer, and the question with what is known of the tables."""
    dialects = dict.fromkeys(SYSTEMS[facts.table.dialect] for facts in task.datasets if facts.table is not None)
    system = prompt(task.type, task.language, system=", ".join(dialects))
    parts: list[Part] = [
        _part(f"{phrase('task_heading', task.language)}\n", "system"),
        _part(task.question.strip(), "user"),
        _part(f"\n\n{phrase('data_heading', task.language)}\n", "system"),
    ]
    tables = [(facts, facts.table) for facts in task.datasets if facts.table is not None]
    parts.extend(_part(defuse("".join(_lines(facts, table)), tags), "file") for facts, table in tables)
    if notes := note_lines(task):
        parts.append(_part(defuse(notes, tags), "file"))
    if task.unreadable is not None:
        parts.append(_part("\n\n" + phrase("chat_again", task.language, problem=task.unreadable), "system"))
    return Message(role="system", parts=(_part(system, "system"),)), Message(role="user", parts=tuple(parts))


def _lines(facts: DatasetFacts, table: DatabaseTable) -> Iterator[str]:
    yield _line(table=table.label, name=facts.name if facts.name != table.name else "")
    for column, declared in zip(facts.columns, table.columns, strict=True):
        yield _line(
            column=declared.name,
            type=declared.type,
            name=column.name if column.name != declared.name else "",
            also=list(column.aliases),
            examples=list(column.samples[:EXAMPLES]),
        )


def _line(**values: object) -> str:
    return json.dumps({name: value for name, value in values.items() if value}, ensure_ascii=False) + "\n"


def _part(text: str, origin: Origin) -> TextPart:
    return TextPart(text=text, origin=origin)
