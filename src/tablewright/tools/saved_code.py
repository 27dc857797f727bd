"""Code that was kept from a report: the name of its file, and how a model reads it."""

from __future__ import annotations

import re

from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

WHOLE_LINES = 50
"""Code of more lines is cut for a model, in every format."""
HEAD_LINES = 20
TAIL_LINES = 10

_FILE = re.compile(r"(?P<id>code_\d{8}_[0-9a-f]{8})\.py")


def code_id_of(file_name: str) -> str | None:
    """Return the id of the code that is kept in a file of this name, or None for any other file."""
    found = _FILE.fullmatch(file_name)
    return None if found is None else found["id"]


def cut(content: str, language: Language) -> str:
    """Return code as a model reads it: of more than 50 lines the first 20 and the last 10."""
    lines = content.splitlines()
    if len(lines) <= WHOLE_LINES:
        return content
    omitted = text("structured.lines_omitted", language, count=len(lines) - HEAD_LINES - TAIL_LINES)
    return "\n".join((*lines[:HEAD_LINES], omitted, *lines[-TAIL_LINES:]))
