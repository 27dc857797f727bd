"""Reads an object literal of JavaScript as data, in linear time; what would have to be executed is refused.

The JSON5 library takes seconds for tens of kilobytes, which is the size of a chart of a thousand points.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tablewright.report.blocks import IsolationReason

MOST_CHARACTERS = 300_000
MOST_DEPTH = 24
MOST_TOKENS = 200_000

_SPACE = r"(?:[\s\ufeff]|//[^\n]*(?:\n|$)|/\*(?:[^*]|\*(?!/))*\*/)+"
_STRING = r""""(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'"""
_DECIMAL = r"(?:(?:0|[1-9]\d{0,308})(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?"
_TOKEN = re.compile(
    rf"(?P<space>{_SPACE})|(?P<string>{_STRING})|(?P<number>[+-]?(?:0[xX][0-9a-fA-F]{{1,16}}|{_DECIMAL})(?![\w.]))"
    r"|(?P<word>[A-Za-z_$\u00aa-\uffff][\w$]*)|(?P<mark>[{}\[\]:,])"
)
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "NaN": None}
_FORGED = frozenset({"__proto__", "constructor", "prototype"})
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|(\r\n|[\s\S]))")
_LETTERS = {"n": "\n", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "r": "\r", "0": "\0", "\n": "", "\r": "", "\r\n": ""}


class NotData(Exception):  # a value inside this package: callers turn it into a block
    """The text is no literal, or one that is too large; `reason` says which."""

    def __init__(self, reason: IsolationReason) -> None:
        super().__init__(reason)
        self.reason: IsolationReason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Literal:
    """The value of a literal, and the position after it."""

    value: Any
    end: int


def read_literal(text: str, start: int = 0) -> Literal:
    """Read the object literal that begins at `start`. Raises `NotData`."""
    reader = _Reader(text, start)
    if reader.take() != ("mark", "{"):
        raise NotData("not_data")
    value = reader.object_of(1)
    return Literal(value=value, end=reader.at)


class _Reader:
    """Reads tokens one after the other; `at` is the position after the last one."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.at = text, start
        self._limit = start + MOST_CHARACTERS
        self._tokens = 0

    def take(self) -> tuple[str, str]:
        """Return kind and text of the next token. Raises `NotData`."""
        while True:
            found = _TOKEN.match(self.text, self.at)
            if found is None or found.lastgroup is None:
                raise NotData("not_data")
            self.at = found.end()
            self._tokens += 1
            if self.at > self._limit or self._tokens > MOST_TOKENS:
                raise NotData("too_large")
            if found.lastgroup != "space":
                return found.lastgroup, found.group()

    def object_of(self, depth: int) -> dict[str, Any]:
        """Read the members of an object up to its end."""
        made: dict[str, Any] = {}
        token = self.take()
        while token != ("mark", "}"):
            made[_key(token)] = self._member(depth)
            token = self._next("}")
        return made

    def _member(self, depth: int) -> Any:
        if self.take() != ("mark", ":"):
            raise NotData("not_data")
        return self._value(self.take(), depth)

    def _array(self, depth: int) -> list[Any]:
        made: list[Any] = []
        token = self.take()
        while token != ("mark", "]"):
            made.append(self._value(token, depth))
            token = self._next("]")
        return made

    def _next(self, end: str) -> tuple[str, str]:
        """Return the token after a comma, or the end."""
        token = self.take()
        if token == ("mark", ","):
            return self.take()
        if token != ("mark", end):
            raise NotData("not_data")
        return token

    def _value(self, token: tuple[str, str], depth: int) -> Any:
        if depth >= MOST_DEPTH:
            raise NotData("too_large")
        kind, words = token
        if kind == "string":
            return _string(words)
        if kind == "number":
            return _number(words)
        if kind == "word" and words in _WORDS:
            return _WORDS[words]
        if words == "{":
            return self.object_of(depth + 1)
        if words == "[":
            return self._array(depth + 1)
        raise NotData("not_data")


def _key(token: tuple[str, str]) -> str:
    kind, words = token
    if kind == "mark":
        raise NotData("not_data")
    key = _string(words) if kind == "string" else words
    if key in _FORGED:
        raise NotData("not_data")
    return key


def _string(words: str) -> str:
    inner = words[1:-1]
    if "\\" not in inner:
        return inner
    made = _ESCAPE.sub(_unescaped, inner)
    return made.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code is None:
        return _LETTERS.get(found[4], found[4])
    return chr(min(int(code, 16), 0x10FFFF))


def _number(words: str) -> float | int:
    try:
        value = int(words, 16) if "x" in words.lower() else float(words)
    except ValueError:
        raise NotData("not_data") from None
    if value in {float("inf"), float("-inf")}:
        raise NotData("not_data")
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return int(value) if whole else value
