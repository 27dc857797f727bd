"""Fit the arguments of a tool call to the tool's schema where their meaning is plain: numbers, lists, objects as text.

What does not fit is left as it is: the tool then says what is wrong, which the model reads.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any


def fitted(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return `arguments` in the types that `schema` (of an object) gives its properties.

    A null for a property that does not allow null counts as left out.
    """
    properties = schema.get("properties", {})
    fitting: dict[str, Any] = {}
    for name, value in arguments.items():
        kinds = _kinds(properties.get(name))
        if value is None and kinds and "null" not in kinds:
            continue
        fitting[name] = _fit(value, kinds)
    return fitting


def _kinds(schema: Any) -> tuple[str, ...]:
    if not isinstance(schema, Mapping):
        return ()
    kind = schema.get("type")
    if isinstance(kind, str):
        return (kind,)
    if isinstance(kind, list):
        return tuple(each for each in kind if isinstance(each, str))
    options = schema.get("anyOf", schema.get("oneOf", ()))
    return tuple(each for option in options for each in _kinds(option))


def _fit(value: Any, kinds: tuple[str, ...]) -> Any:
    if not kinds or _is(value, kinds):
        return value
    for kind in kinds:
        fitted_value = _CONVERSIONS[kind](value) if kind in _CONVERSIONS else None
        if fitted_value is not None:
            return fitted_value
    return value


def _is(value: Any, kinds: tuple[str, ...]) -> bool:
    known: dict[str, Callable[[Any], bool]] = {
        "string": lambda each: isinstance(each, str),
        "boolean": lambda each: isinstance(each, bool),
        "integer": lambda each: isinstance(each, int) and not isinstance(each, bool),
        "number": lambda each: isinstance(each, int | float) and not isinstance(each, bool),
        "array": lambda each: isinstance(each, list),
        "object": lambda each: isinstance(each, dict),
        "null": lambda each: each is None,
    }
    return any(known[kind](value) for kind in kinds if kind in known)


def _integer(value: Any) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number == int(number) else None


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < 1e15 else None


def _boolean(value: Any) -> bool | None:
    return {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}.get(str(value).lower())


def _text(value: Any) -> str | None:
    return json.dumps(value, ensure_ascii=False)


def _list(value: Any) -> list[Any] | None:
    read = _read(value)
    return read if isinstance(read, list) else [value]


def _object(value: Any) -> dict[str, Any] | None:
    read = _read(value)
    return read if isinstance(read, dict) else None


def _read(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value, strict=False)
    except (ValueError, RecursionError):
        return None


_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "string": _text,
    "array": _list,
    "object": _object,
}
