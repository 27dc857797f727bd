"""Just enough of Python's lexical grammar to split code into segments while it is being written."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

_OUTSIDE = re.compile(r"""\\$|\#|\"{3}|'{3}|"|'|[()\[\]{}]""")
_INSIDE = {
    '"': re.compile(r'\\.|\\$|"'),
    "'": re.compile(r"\\.|\\$|'"),
    '"""': re.compile(r'\\.|\\$|"{3}'),
    "'''": re.compile(r"\\.|\\$|'{3}"),
}
_MAGIC = ("%", "!", "?")


@dataclass(frozen=True, slots=True, kw_only=True)
class LexerState:
    """The lexical state at the end of a piece of code: within a string (`quote` is its delimiter), within `depth`
    brackets, or after a backslash that joins the next line."""

    quote: str = ""
    depth: int = 0
    joined: bool = False

    @property
    def at_statement(self) -> bool:
        """Whether a statement can begin here."""
        return not self.quote and not self.depth and not self.joined


def advance(place: LexerState, text: str) -> LexerState:
    """Return the state after `text`, a part of one line that begins in state `place`."""
    if place.at_statement and text.lstrip().startswith(_MAGIC):
        return place
    quote, depth, joined, position = place.quote, place.depth, False, 0
    while found := (_INSIDE[quote] if quote else _OUTSIDE).search(text, position):
        mark, position = found.group(), found.end()
        if mark == "#":
            break
        if mark.startswith("\\"):
            joined = position == len(text) and mark == "\\"
        elif quote:
            quote = "" if mark == quote else quote
        elif mark in _INSIDE:
            quote = mark
        else:
            depth = depth + 1 if mark in "([{" else max(0, depth - 1)
    return LexerState(quote=quote, depth=depth, joined=joined)


def next_line(place: LexerState, line: str) -> LexerState:
    """Return the state at the start of the line after `line`.

    A string with single-character quotes ends with its line unless the line is joined to the next.
    """
    end = advance(place, line)
    if len(end.quote) == 1 and not end.joined:
        return LexerState(depth=end.depth)
    return end


def closes(quote: str, text: str) -> bool:
    """Return whether a string opened by `quote` is closed within `text`, a part of one line."""
    return any(found.group() == quote for found in _INSIDE[quote].finditer(text))


def parses(code: str) -> bool:
    """Return whether `code` is a complete cell.

    Shell and magic lines count as `pass`, top-level `await` is allowed, and what follows a cell magic is not checked.
    """
    if code.lstrip().startswith("%%"):
        return True
    place, lines = LexerState(), []
    for line in code.split("\n"):
        stripped = line.lstrip()
        is_magic = place.at_statement and stripped.startswith(_MAGIC)
        lines.append(line[: len(line) - len(stripped)] + "pass" if is_magic else line)
        place = next_line(place, line)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
