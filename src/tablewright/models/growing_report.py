"""Reads the report out of an answer of a structured round while a model still writes it.

Only what is beyond doubt is read: `action.type` must be known to be the end before `action.content` begins, and what is
not strict JSON up to there gives nothing. The answer itself is read once it is whole, by `structured_reading`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from tablewright.models.structured_reading import ends_rounds

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_LITERALS = frozenset("0123456789+-.eEtrufalsn")
_CLOSING = {"{": "}", "[": "]"}
_PLAIN = re.compile(r'[^"\\]+')
"""What stands in a string for itself."""
Mode = Literal["before", "between", "string", "over"]


@dataclass(slots=True, kw_only=True)
class _Level:
    """An object or list that is open; `key` is the one whose value comes, None where a key comes."""

    bracket: str
    key: str | None = None


@dataclass(slots=True)
class GrowingReport:
    """Takes an answer piece by piece; `feed` returns what is new of its report."""

    _mode: Mode = "before"
    _levels: list[_Level] = field(default_factory=list[_Level])
    _words: list[str] = field(default_factory=list[str])
    _shown: list[str] = field(default_factory=list[str])
    _escape: str = ""
    _high: str = ""
    _ends: bool = False
    _in_report: bool = False

    def feed(self, piece: str) -> str:
        """Take the next piece of the answer; return the further piece of the report in it, mostly empty."""
        self._shown = []
        place = 0
        while place < len(piece) and self._mode != "over":
            plain = _PLAIN.match(piece, place) if self._mode == "string" and not self._escape else None
            if plain is None:
                self._take(piece[place])
            else:
                self._put(plain[0])
            place = place + 1 if plain is None else plain.end()
        return "".join(self._shown)

    def _take(self, char: str) -> None:
        if self._mode == "before":
            if char == "{":
                self._levels.append(_Level(bracket=char))
                self._mode = "between"
        elif self._mode == "string":
            self._in_string(char)
        else:
            self._between(char)

    def _between(self, char: str) -> None:
        """Take a character outside of strings."""
        level = self._levels[-1]
        if char == '"':
            self._mode = "string"
            self._words = []
            self._in_report = self._ends and self._path == ("action", "content")
        elif char in "{[":
            self._levels.append(_Level(bracket=char))
        elif char in "}]":
            if _CLOSING[level.bracket] != char:
                self._mode = "over"
                return
            self._levels.pop()
            self._mode = "between" if self._levels else "over"
        elif char == ",":
            level.key = None
        elif not (char == ":" or char.isspace() or char in _LITERALS):
            self._mode = "over"

    def _in_string(self, char: str) -> None:
        if self._escape:
            self._escape += char
            self._escaped()
        elif char == "\\":
            self._escape = char
        elif char == '"':
            self._string_ended()
        else:
            self._put(char)

    def _escaped(self) -> None:
        """Take an escape once it is whole; halves of a pair wait for each other."""
        kind = self._escape[1]
        if kind != "u":
            self._put(_ESCAPES.get(kind, kind))
            self._escape = ""
            return
        if len(self._escape) < 6:
            return
        digits, self._escape = self._escape[2:], ""
        try:
            code = int(digits, 16)
        except ValueError:
            self._mode = "over"
            return
        if 0xD800 <= code < 0xDC00:
            self._high = chr(code)
        elif 0xDC00 <= code < 0xE000:
            self._put((self._high + chr(code)).encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        else:
            self._put(chr(code))

    def _put(self, text: str) -> None:
        (self._shown if self._in_report else self._words).append(text)
        self._high = ""

    def _string_ended(self) -> None:
        level = self._levels[-1]
        words = "".join(self._words)
        self._mode = "over" if self._in_report else "between"
        if self._in_report:
            return
        if level.bracket == "{" and level.key is None:
            level.key = words
        elif self._path == ("action", "type"):
            self._ends = ends_rounds(words)

    @property
    def _path(self) -> tuple[str | None, ...]:
        return tuple(level.key for level in self._levels)
