"""Checks that errors say what happened by codes of the message catalogue, and never in prose of their own.

Whoever raises an error does not know the language of the person who reads it. The positional argument of an error is
the code of its reason: written out, put together (`f"lost_{status}"`), or carried by something named `detail`,
`problem` or `code`. A parameter that is written out has no words with spaces between them, unless `texts.errors`
translates it.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "tablewright"
BASE = "TablewrightError"
CARRIERS = frozenset({"detail", "problem", "code"})
FOR_DEVELOPERS = "note"
"""The parameter of errors in our own code, which no message shows."""
PROSE = re.compile(r"\w\s+\w")


def tree(modules: Mapping[str, ast.Module]) -> frozenset[str]:
    """Return the names of all classes of errors, in whichever module they are defined."""
    bases = {
        node.name: {_last_name(base) for base in node.bases}
        for module in modules.values()
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
    }
    known = {BASE}
    while added := {name for name, above in bases.items() if above & known} - known:
        known |= added
    return frozenset(known)


def faults(modules: Mapping[str, ast.Module], codes: frozenset[str]) -> Iterator[str]:
    """Yield what is wrong with the errors that `modules` make: place → syntax tree; `codes` are the catalogue's."""
    kinds = tree(modules)
    for place, module in modules.items():
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and (kind := _last_name(node.func)) in kinds:
                for fault in _of_call(node, codes):
                    yield f"{place}:{node.lineno}: {kind} {fault}"


def _of_call(call: ast.Call, codes: frozenset[str]) -> Iterator[str]:
    for given in call.args:
        if not _is_code(given, codes):
            yield f"has the reason {ast.unparse(given)}, which is no code of the catalogue"
    for keyword in call.keywords:
        shown = _written(keyword.value)
        named = f"{keyword.arg}_{shown}".replace(" ", "_") in codes
        if keyword.arg != FOR_DEVELOPERS and PROSE.search(shown) and not named:
            yield f"has prose of its own as {keyword.arg}: {shown}"


def _is_code(given: ast.expr, codes: frozenset[str]) -> bool:
    match given:
        case ast.Constant(value=str(value)):
            return value in codes
        case ast.JoinedStr(values=[ast.Constant(value=str(begin)), *_]):
            return any(code.startswith(begin) for code in codes) and not PROSE.search(_written(given))
        case ast.IfExp(body=one, orelse=other):
            return all(_is_code(branch, codes) or _is_empty(branch) for branch in (one, other))
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return key in CARRIERS
        case _:
            return _last_name(given) in CARRIERS


def _is_empty(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and given.value == ""


def _written(given: ast.expr) -> str:
    """Return the text that stands in a literal, with a letter for each of its fields; empty for what is no literal."""
    match given:
        case ast.Constant(value=str(value)):
            return value
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in parts)
        case ast.IfExp(body=one, orelse=other):
            return f"{_written(one)}{_written(other)}"
        case _:
            return ""


def _last_name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def main() -> int:
    files = sorted(SOURCE.rglob("*.py"))
    modules = {str(file.relative_to(SOURCE)): ast.parse(file.read_text(encoding="utf-8")) for file in files}
    messages = (SOURCE / "texts" / "en").glob("*.json")
    codes = frozenset(code for file in messages for code in json.loads(file.read_text(encoding="utf-8")))
    found = list(faults(modules, codes))
    print("\n".join(found) or f"error codes: {len(tree(modules))} classes of errors, no prose in any")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
