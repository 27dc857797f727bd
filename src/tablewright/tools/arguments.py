"""Compares the arguments of a call with the tool's JSON schema; what does not fit is told to the model in words.

Of a schema, these keywords are read: `type`, `enum`, `anyOf`, `minimum`, `maximum`, `minLength`, `default`, `required`,
`properties` and `additionalProperties` of the arguments themselves. Whatever else a schema of another server demands,
that server checks.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from tablewright.domain.language import Language
from tablewright.tools.prompt_files import phrase

SHOWN_CHARS = 60
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "object": Mapping,
    "array": (list, tuple),
    "null": type(None),
}
Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedArguments:
    """The arguments, with the defaults of those that were left out; or what is wrong with them, as a model reads it."""

    values: Mapping[str, Any]
    problems: tuple[str, ...] = ()


def checked(schema: Schema, arguments: object, language: Language) -> CheckedArguments:
    """Compare `arguments` with the JSON schema of an object."""
    if not isinstance(arguments, Mapping):
        return CheckedArguments(values={}, problems=(phrase("arguments_not_object", language),))
    parts: Mapping[str, Any] = schema.get("properties") or {}
    known: Mapping[str, Schema] = {name: part if isinstance(part, Mapping) else {} for name, part in parts.items()}
    given = {name: _number(value, known.get(name, {})) for name, value in arguments.items()}
    problems = [*_unknown(given, known, schema, language), *_missing(given, known, schema, language)]
    for name, value in given.items():
        if name in known and not fits(value, known[name]):
            expected = expectation(known[name], language)
            problems.append(phrase("argument_wrong", language, name=name, value=_shown(value), expected=expected))
    defaults = {name: part["default"] for name, part in known.items() if "default" in part}
    return CheckedArguments(values={**defaults, **given}, problems=tuple(problems))


def fits(value: object, schema: Schema) -> bool:
    """Return whether `value` is what `schema` describes."""
    if "anyOf" in schema:
        return any(fits(value, part) for part in schema["anyOf"])
    if "enum" in schema and value not in schema["enum"]:
        return False
    typed = any(_is(value, name) for name in _types(schema))
    return typed and _within(value, schema)


def expectation(schema: Schema, language: Language) -> str:
    """Say in words what `schema` describes."""
    if "anyOf" in schema:
        return phrase("expected_or", language).join(expectation(part, language) for part in schema["anyOf"])
    if "enum" in schema:
        choices = phrase("list_comma", language).join(json.dumps(one, ensure_ascii=False) for one in schema["enum"])
        return phrase("expected_one_of", language, choices=choices)
    if schema.get("minLength"):
        return phrase("expected_text", language)
    names = [name if name in _TYPES else "any" for name in _types(schema)]
    said = phrase("expected_or", language).join(phrase(f"expected_{name}", language) for name in names)
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and high is None:
        return said
    code = "expected_between" if None not in {low, high} else "expected_up_to" if low is None else "expected_from"
    return phrase(code, language, type=said, low=low, high=high)


def _unknown(
    given: Mapping[str, Any], known: Mapping[str, Schema], schema: Schema, language: Language
) -> Iterator[str]:
    if schema.get("additionalProperties") is not False:
        return
    names = phrase("list_comma", language).join(known)
    for name in given:
        if name in known:
            continue
        near = get_close_matches(str(name).lower(), known, n=1)
        code = "argument_unknown_near" if near else "argument_unknown"
        yield phrase(code, language, name=_cut(str(name)), near="".join(near), known=names)


def _missing(
    given: Mapping[str, Any], known: Mapping[str, Schema], schema: Schema, language: Language
) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in given:
            yield phrase("argument_missing", language, name=name, expected=expectation(known.get(name, {}), language))


def _number(value: object, schema: Schema) -> object:
    """Return 5.0 as 5 where a whole number is wanted: JSON knows no difference."""
    whole = isinstance(value, float) and value.is_integer() and "number" not in _types(schema)
    return int(value) if whole and isinstance(value, float) else value


def _types(schema: Schema) -> Sequence[str]:
    named = schema.get("type", "any")
    return [named] if isinstance(named, str) else named


def _is(value: object, name: str) -> bool:
    if name not in _TYPES:
        return True
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name])


def _within(value: object, schema: Schema) -> bool:
    if isinstance(value, str):
        least = schema.get("minLength", 0)
        return not isinstance(least, int) or len(value.strip()) >= least
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = (schema.get(name) for name in ("minimum", "maximum"))
        return not (_beyond(low, value) or _beyond(value, high)) and not math.isnan(value)
    return True


def _beyond(low: object, high: object) -> bool:
    return isinstance(low, int | float) and isinstance(high, int | float) and low > high


def _shown(value: object) -> str:
    return _cut(json.dumps(value, ensure_ascii=False, default=str))


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
