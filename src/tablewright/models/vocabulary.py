"""What the words of a tenant mean, in the form that a model reads."""

from __future__ import annotations

from tablewright.domain.task import TaskBase
from tablewright.domain.vocabulary import plain
from tablewright.models.facts import quoted
from tablewright.models.prompt_files import phrase

MOST = 30
"""So many words are told at most."""


def word_lines(task: TaskBase) -> str:
    """Return the words of the tenant that the question has under a heading, a line each; empty if there are none."""
    asked = plain(task.question)
    known = dict.fromkeys(word for dataset in task.datasets for word in dataset.words)
    said = [word for word in known if plain(word.phrase) in asked][:MOST]
    if not said:
        return ""
    lines = (f"  - {quoted(word.phrase)} = {quoted(word.meaning)}" for word in said)
    return "\n".join((phrase("words", task.language), *lines)) + "\n"
