"""Conversion of domain values to JSON and back, driven by their types alone."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter
from typing_extensions import TypeForm

T = TypeVar("T")


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def prepare(*kinds: Any) -> None:
    """Make ahead what converts values of these types, which takes some milliseconds for each."""
    for kind in kinds:
        _adapter(kind)


def to_json(kind: Any, value: object) -> bytes:
    """Encode `value` of type `kind` (a class, a union, `tuple[X, ...]`) as UTF-8 JSON; NaN and infinities become
    null."""
    return _adapter(kind).dump_json(value)


def to_python(kind: Any, value: object) -> Any:
    """Convert `value` of type `kind` to JSON-compatible builtins."""
    return _adapter(kind).dump_python(value, mode="json")


def from_json(kind: TypeForm[T], data: bytes | str) -> T:
    """Decode the output of `to_json`. Raises pydantic's ValidationError for data that does not fit."""
    result: T = _adapter(cast(Any, kind)).validate_json(data)
    return result


def from_python(kind: TypeForm[T], data: object) -> T:
    """Build a value of type `kind` from JSON-compatible builtins."""
    result: T = _adapter(cast(Any, kind)).validate_python(data)
    return result
