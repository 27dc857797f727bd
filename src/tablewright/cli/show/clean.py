"""Makes text from files, models and code safe for a terminal."""

from __future__ import annotations

import json
import re

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_PAGE_ONLY = re.compile(r'^(?:<div id="[^"\n]*"[^>\n]*></div>|<script>.*?</script>)[ ]*\n?', re.MULTILINE)


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
    """Return a report without the pieces that only a page can show: places of charts, and the scripts that draw."""
    return _PAGE_ONLY.sub("", report)
