"""Faults of what questions accept, and of when they expire."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.domain.workflow import AskUserNode
from tablewright.workflows.faults import Fault
from tablewright.workflows.typed_answers import MOST_CHARS, pattern_of

MOST_S = 366 * 24 * 3_600.0
"""The longest time that a node may take or wait."""
_OF_TEXTS = ("pattern", "min_length", "max_length")
_OF_NUMBERS = ("minimum", "maximum")


def between(value: float, least: float, most: float, place: str) -> Iterator[Fault]:
    """Yield a fault if a value is out of its bounds."""
    if not least <= value <= most:
        yield Fault(code="range", place=place, params={"least": least, "most": most})


def question_faults(node: AskUserNode, place: str) -> Iterator[Fault]:
    """Yield what is wrong with the rules of a question's answers and with its expiry."""
    if node.expires_s is not None and node.expires_at is not None:
        yield Fault(code="one_of", place=place, params={"choices": "expires_s, expires_at"})
    if node.expires_s is not None:
        yield from between(node.expires_s, 1, MOST_S, f"{place}.expires_s")
    yield from _unused(node, place)
    if node.pattern is not None:
        yield from _pattern(node.pattern, f"{place}.pattern")
    if node.max_length is not None:
        yield from between(node.max_length, max(node.min_length or 1, 1), MOST_CHARS, f"{place}.max_length")
    if node.min_length is not None:
        yield from between(node.min_length, 0, MOST_CHARS, f"{place}.min_length")
    if node.minimum is not None and node.maximum is not None and node.maximum < node.minimum:
        yield Fault(code="range", place=f"{place}.maximum", params={"least": node.minimum, "most": "…"})


def _unused(node: AskUserNode, place: str) -> Iterator[Fault]:
    """Yield the rules that say nothing of the answers of this question."""
    text = node.form == "text"
    unused = [] if text else ["accepts"] if node.accepts != "text" else []
    unused += [name for name in _OF_TEXTS if not (text and node.accepts == "text")]
    unused += [name for name in _OF_NUMBERS if not (text and node.accepts == "number")]
    for name in unused:
        if getattr(node, name) is not None:
            yield Fault(code="rule_unused", place=f"{place}.{name}")


def _pattern(pattern: str, place: str) -> Iterator[Fault]:
    try:
        pattern_of(pattern)
    except ValueError:
        yield Fault(code="pattern", place=place)
