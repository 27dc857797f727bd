"""Parse JSON written by models, tolerating typical mistakes. Never raises."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from json_repair import repair_json

_FENCE = "```"
_FENCE_END = re.compile(r"\n[ \t]*```")


def read_json(text: str) -> Any:
    """Return the JSON value in `text`, or None if there is none.

    It may be inside a fence or prose, be cut off, or contain the mistakes that models make (single quotes, trailing
    commas, comments, bare newlines in strings). Of several values, the first object or list is returned.
    """
    for candidate in _candidates(text):
        try:
            return json.loads(candidate, strict=False)  # bare newlines in strings are no reason to guess
        except (ValueError, RecursionError):
            continue
    return next((value for candidate in _candidates(text) if (value := _repaired(candidate)) is not None), None)


def read_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object in `text`, or None."""
    value = read_json(text)
    return value if isinstance(value, dict) else None


def _candidates(text: str) -> Iterator[str]:
    """Yield the passages that may be JSON, most likely first.

    These are the whole text, fenced parts, and the text from the first bracket to its counterpart or to the end.
    """
    return (passage for passage in _passages(text) if passage[:1] in {"{", "["})


def _passages(text: str) -> Iterator[str]:
    whole = text.strip().lstrip("\ufeff")
    if whole[:1] in {"{", "["}:
        yield whole
    yield from _fenced(text)
    opens = [place for place in (whole.find("{"), whole.find("[")) if place >= 0]
    for place in sorted(opens):
        close = whole.rfind("}" if whole[place] == "{" else "]")
        if close > place:
            yield whole[place : close + 1]
        yield whole[place:]


def _fenced(text: str) -> Iterator[str]:
    """Yield what stands in fences; one that is not closed goes to the end."""
    place = text.find(_FENCE)
    while place >= 0 and (line := text.find("\n", place) + 1):
        end = _FENCE_END.search(text, line)
        yield text[line : end.start() if end else len(text)].strip()
        place = text.find(_FENCE, end.end()) if end else -1


def _repaired(text: str) -> Any:
    try:
        value = repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError):
        return None
    return value if isinstance(value, dict | list) else None
