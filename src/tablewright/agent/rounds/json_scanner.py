"""Finds JSON objects in text, and where each ends or was cut off. Missing parts are never guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from pydantic_core import from_json

STARTS = 40
"""How many opening brackets of a text are tried."""
DEEPEST = 50
_MARKS = re.compile(r'["{}\[\],]|//[^\n]*|/\*.*?\*/', re.DOTALL)
_STRING_END = re.compile(r'(?:[^"\\]|\\.)*"', re.DOTALL)
_OPENING = re.compile(r"[\[{]")
_LIST = re.compile(r"\[\s*\{")
_BLANK = re.compile(r"\s*")
_LAST_KEY = re.compile(r'"(?P<key>\w{1,40})"\s*:\s*$')


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonSpan:
    """A JSON text from its opening bracket on, without comments and trailing commas.

    It is `whole`, `cut` off at the end of the text, or `broken` by a closing bracket of another kind. `open` are the
    brackets never closed; if the text ends within a string, `key` is the key of that string.
    """

    text: str
    end: int
    state: Literal["whole", "cut", "broken"]
    open: str = ""
    in_string: bool = False
    key: str | None = None


def scan(text: str, start: int) -> JsonSpan:
    """Scan from the bracket at `start` to the matching one, or to the end of `text`."""
    kept: list[str] = []
    stack: list[str] = []
    at = start
    while (mark := _MARKS.search(text, at)) is not None:
        kept.append(text[at : mark.start()])
        found, at = mark.group(), mark.end()
        if found == '"':
            closed = _STRING_END.match(text, at)
            if closed is None:
                key = _LAST_KEY.search("".join(kept)[-200:])
                rest = "".join((*kept, text[mark.start() :]))
                name = key["key"] if key else None
                return JsonSpan(text=rest, end=len(text), state="cut", open="".join(stack), in_string=True, key=name)
            kept.append(text[mark.start() : closed.end()])
            at = closed.end()
        elif found in "{[":
            stack.append(found)
            kept.append(found)
            if len(stack) > DEEPEST:
                return JsonSpan(text="", end=at, state="broken")
        elif found in "}]":
            kept.append(found)
            if stack.pop() + found not in {"{}", "[]"}:
                return JsonSpan(text="".join(kept), end=at, state="broken")
            if not stack:
                return JsonSpan(text="".join(kept), end=at, state="whole")
        elif found == "," and not _trailing(text, at):
            kept.append(found)
    kept.append(text[at:])
    return JsonSpan(text="".join(kept), end=len(text), state="cut", open="".join(stack))


def json_spans(text: str) -> Iterator[JsonSpan]:
    """Yield candidates for JSON values in order.

    Nothing within an object is a candidate of its own, even if the object is cut off or invalid; a `[` that does not
    open a list of objects is skipped.
    """
    at = 0
    for _ in range(STARTS):
        start = _OPENING.search(text, at)
        if start is None:
            return
        found = scan(text, start.start())
        prose = found.state != "whole" and start.group() == "[" and not _LIST.match(text, start.start())
        if not prose:
            yield found
            if found.state != "whole":
                return
        at = start.end() if prose else found.end


def load_json(text: str) -> Any:
    """Return the value of a complete JSON text, or None; line breaks within strings are allowed."""
    try:
        return json.loads(text, strict=False, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None


def load_partial_json(text: str) -> Any:
    """Return the value of a truncated JSON text, as far as it goes, or None."""
    try:
        return from_json(text, allow_partial="trailing-strings", allow_inf_nan=False)
    except ValueError:
        return None


def _trailing(text: str, at: int) -> bool:
    """Return whether the comma before `at` is followed only by a closing bracket, ignoring blanks and comments."""
    while True:
        blank = _BLANK.match(text, at)
        at = blank.end() if blank else at
        comment = _MARKS.match(text, at)
        if comment is None or not comment.group().startswith("/"):
            return text[at : at + 1] in {"}", "]"}
        at = comment.end()


def _refused(constant: str) -> NoReturn:
    raise ValueError(constant)
