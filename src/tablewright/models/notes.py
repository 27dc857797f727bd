"""Notes that a person had kept about their data, in the form that a model reads: data, never instructions."""

from __future__ import annotations

import json

from tablewright.domain.task import TaskBase
from tablewright.models.prompt_files import phrase


def note_lines(task: TaskBase) -> str:
    """Return the notes of the task under a heading, a line each; empty if there are none."""
    if not task.notes:
        return ""
    lines = (f"  - {json.dumps(note, ensure_ascii=False)}" for note in task.notes)
    return "\n".join((phrase("notes", task.language), *lines)) + "\n"
