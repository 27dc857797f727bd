"""Reads what models write: JSON with its usual faults, and code blocks with or without their tags. Never raises."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from json_repair import repair_json
from pydantic_core import from_json

from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags

_FENCE = re.compile(r"```[ \t]*(?P<name>\w*)[^\n]*\n(?P<body>.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
_PYTHON = frozenset({"", "py", "python", "python3", "ipython"})


def read_json(text: str) -> Any:
    """Return the JSON value in `text`, or None where there is none.

    It may stand in a fence or amid prose, be cut off, or have the faults that models make (single quotes, trailing
    commas, comments, bare newlines in strings). Of several values the first object or list is taken.
    """
    for candidate in _candidates(text):
        try:
            return json.loads(candidate)
        except (ValueError, RecursionError):
            continue
    return next((value for candidate in _candidates(text) if (value := _repaired(candidate)) is not None), None)


def read_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object in `text`, or None."""
    value = read_json(text)
    return value if isinstance(value, dict) else None


def read_partial(text: str) -> Any:
    """Return what a JSON text that is still being written says so far; None before its first value."""
    try:
        return from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    """A block of code; `start` and `end` are offsets of the block with its tags. An unclosed block runs to the end."""

    code: str
    start: int
    end: int
    closed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A whole turn of a model: the words before its first block, the blocks, and the words after the last one."""

    before: str
    blocks: tuple[CodeBlock, ...]
    after: str


def read_turn(text: str, tags: CodeTags = DEFAULT_TAGS) -> Turn:
    """Take a turn apart. Where the model forgot the tags but fenced Python with step annotations, the fences count."""
    blocks = _tagged(text, tags) or _fenced(text, tags)
    if not blocks:
        return Turn(before=text.strip(), blocks=(), after="")
    return Turn(before=text[: blocks[0].start].strip(), blocks=blocks, after=text[blocks[-1].end :].strip())


def _tagged(text: str, tags: CodeTags) -> tuple[CodeBlock, ...]:
    blocks: list[CodeBlock] = []
    at = text.find(tags.code_begin)
    while at >= 0:
        inside = at + len(tags.code_begin)
        close = text.find(tags.code_end, inside)
        again = text.find(tags.code_begin, inside)
        # a block that the next one begins before it was closed ends there
        stop = min((place for place in (close, again) if place >= 0), default=len(text))
        closed = stop == close
        end = stop + len(tags.code_end) if closed else stop
        blocks.append(CodeBlock(code=_unfenced(text[inside:stop]), start=at, end=end, closed=closed))
        at = text.find(tags.code_begin, end)
    return tuple(blocks)


def _fenced(text: str, tags: CodeTags) -> tuple[CodeBlock, ...]:
    return tuple(
        CodeBlock(
            code=found["body"].strip("\n"),
            start=found.start(),
            end=found.end(),
            closed=found.group().rstrip().endswith("```"),
        )
        for found in _FENCE.finditer(text)
        if found["name"].lower() in _PYTHON and tags.step_annotation in found["body"]
    )


def _unfenced(code: str) -> str:
    """The code without a Markdown fence that a model put inside the tags."""
    found = _FENCE.fullmatch(code.strip())
    return (found["body"] if found else code).strip("\n")


def _candidates(text: str) -> list[str]:
    """Where JSON may stand, most likely first: the whole, fenced parts, from the first bracket to its like or the end."""
    whole = text.strip().lstrip("\ufeff")
    found = [whole] if whole[:1] in {"{", "["} else []
    found.extend(match["body"].strip() for match in _FENCE.finditer(text))
    opens = [place for place in (whole.find("{"), whole.find("[")) if place >= 0]
    for place in sorted(opens):
        close = whole.rfind("}" if whole[place] == "{" else "]")
        if close > place:
            found.append(whole[place : close + 1])
        found.append(whole[place:])
    return [candidate for candidate in found if candidate[:1] in {"{", "["}]


def _repaired(text: str) -> Any:
    try:
        value = repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError):
        return None
    return value if isinstance(value, dict | list) else None
