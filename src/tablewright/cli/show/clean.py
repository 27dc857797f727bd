"""Makes text from files, models and code safe for a terminal."""

from __future__ import annotations

import re

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """Return `text` without anything that would move the cursor, change colours or reorder text; tabs become spaces."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n"))).replace("\t", "    ")


def one_line(text: str) -> str:
    """Return `text` clean and on one line."""
    return " ".join(clean(text).split())
