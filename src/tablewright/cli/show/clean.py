"""Makes text from files, models and code safe for a terminal."""

from __future__ import annotations

import html
import json
import re

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_PAGE_ONLY = re.compile(r'^(?:<div id="[^"\n]*"[^>\n]*></div>|<script>.*?</script>)[ ]*\n?', re.MULTILINE)

_CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
"""Code of a report, in which every character stands for itself."""
_MASKED = re.compile(r"\\([\\`*\[\]|~_<>#&])")


def clean(text: str) -> str:
    """Return `text` without anything that would move the cursor, change colours or reorder text; tabs become spaces."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n"))).replace("\t", "    ")


def one_line(text: str) -> str:
    """Return `text` clean and on one line."""
    return " ".join(clean(text).split())


def is_data(line: str) -> bool:
    """Return whether a line is a JSON object, which is written for programs."""
    if not line.startswith('{"'):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def readable(report: str) -> str:
    """Return a report as a terminal shows it: without places of charts and the scripts that draw, which only a page can
    show, and without the marks that keep markdown from taking text for more than itself."""
    pieces = _CODE.split(_PAGE_ONLY.sub("", report))
    return "".join(
        piece if place % 2 else html.unescape(_MASKED.sub(r"\1", piece)) for place, piece in enumerate(pieces)
    )
