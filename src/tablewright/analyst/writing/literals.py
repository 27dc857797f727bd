"""Constants and names as Python source: in double quotes, printable, and never mistakable for a dialogue tag."""

from __future__ import annotations

import json
import keyword
import math
import re
from collections.abc import Iterable, Sequence

from tablewright.domain.table import Cell

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_BRACKETS = re.compile(r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}")

LINE = 100
"""Longest line of written code, in characters, before it is broken."""


def literal(value: Cell | float) -> str:
    """Return `value` as a Python literal."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return f'float("{value}")'
        if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
    return repr(value)


def quoted(text: str) -> str:
    """Return `text` as a double-quoted string literal on one line."""
    source = json.dumps(text, ensure_ascii=False).replace("<|", "\\x3c|")
    return "".join(char if char.isprintable() else _escape(char) for char in source)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def listed(values: Iterable[Cell | float]) -> str:
    """Return a list literal, with one value per line if it would be too long."""
    return bracketed([literal(value) for value in values])


def bracketed(items: Sequence[str]) -> str:
    """Return a list of pieces of code, one per line if it would be too long."""
    line = f"[{', '.join(items)}]"
    if len(line) <= LINE - 12:
        return line
    return "[\n" + "".join(f"    {item},\n" for item in items) + "]"


def keywords(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return call arguments `name=code` in order; from the first name that is not an identifier on, all go into one
    `**{…}`."""
    plain: list[str] = []
    odd: list[str] = []
    for name, code in pairs:
        if not odd and name.isidentifier() and not keyword.iskeyword(name) and name not in {"self", "func"}:
            plain.append(f"{name}={code}")
        else:
            odd.append(f"{quoted(name)}: {code}")
    return [*plain, *([f"**{{{', '.join(odd)}}}"] if odd else [])]


def call(function: str, arguments: Iterable[str]) -> str:
    """Return `function(arguments)`, with one argument per line if it would be too long."""
    items = list(arguments)
    line = f"{function}({', '.join(items)})"
    if len(line) <= LINE - 12 or not items:
        return line
    inner = "".join(f"    {_indented(item)},\n" for item in items)
    return f"{function}(\n{inner})"


def _indented(code: str) -> str:
    return code.replace("\n", "\n    ")


def assign(target: str, head: str, *calls: str) -> list[str]:
    """Return the lines of `target = head.call.call`, as a bracketed chain if one line would be too long."""
    chain = [part for part in calls if part]
    line = f"{target} = {head}{''.join(chain)}"
    if (len(line) <= LINE and "\n" not in line) or not chain:
        return line.splitlines()
    if len(chain) == 1 and "\n" in chain[0]:
        return line.splitlines()
    inner = [f"    {_indented(part)}" for part in (head, *chain)]
    return [f"{target} = (", *"\n".join(inner).splitlines(), ")"]


def fitted_line(target: str, code: str) -> list[str]:
    """Return the lines of an assignment, with the argument on a line of its own if it is long."""
    function, bracket, rest = code.partition("(")
    if len(target) + len(code) < LINE or not rest.endswith(")"):
        return [f"{target} = {code}"]
    return [f"{target} = {function}{bracket}", f"    {rest[:-1]}", ")"]


def is_atom(code: str) -> bool:
    """Return whether `code` has no operator outside brackets and strings."""
    bare = _STRING.sub('""', code)
    while (inner := _BRACKETS.sub("_", bare)) != bare:
        bare = inner
    return not re.search(r"[ ~]", bare)
