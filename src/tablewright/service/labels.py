"""Makes text from outside fit to be stored and shown on one line."""

from __future__ import annotations

import unicodedata

from tablewright.domain.naming import storable

TITLE_FROM_QUESTION_CHARS = 60
FILE_NAME_BYTES = 200


def title_of(question: str) -> str:
    """Derive a conversation's title from its first question: one line, truncated with an ellipsis."""
    line = " ".join(question.split())
    return line if len(line) <= TITLE_FROM_QUESTION_CHARS else line[: TITLE_FROM_QUESTION_CHARS - 1].rstrip() + "…"


def file_name(name: str) -> str:
    """Return the last path component of `name` without control characters, cut to `FILE_NAME_BYTES`; may be empty."""
    last = storable(name).replace("\\", "/").rsplit("/", 1)[-1]
    clean = "".join(char for char in last if unicodedata.category(char)[0] != "C").strip().lstrip(".")
    stem, dot, suffix = clean.rpartition(".")
    if not dot or len(suffix) > 10:
        stem, suffix = clean, ""
    room = FILE_NAME_BYTES - len((dot + suffix).encode())
    short = stem.encode()[:room].decode("utf-8", "ignore")
    return f"{short}.{suffix}" if suffix else short
