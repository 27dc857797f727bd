"""The values of an operation that may differ next time, and those that make it what it is.

A value may be another one if its type says nothing about the workbook: a number, a text or a color without a role
(`domain/operations/roles`). What refers to a sheet, a column or cells, what creates or fills them, formulas, code, and
choices between ways to do it belong to the form of the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.base import RowTest
from tablewright.domain.operations.roles import Role
from tablewright.workbook.shapes import REFERRING

PLACES = REFERRING | {"row", "column"}
"""Parameters that say where, and follow the rows of a table or its columns, though their types do not say so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeValue:
    """A value that may be another one: the parameter's name, and the column and comparison that it is for, if any."""

    name: str
    value: str | int | float
    about: str = ""


Replace = Callable[[FreeValue], Any]
"""Returns what stands in the place of a value."""


def parameters_of(operation: AnyOperation, replace: Replace, fixed: Callable[[str], str]) -> dict[str, Any]:
    """Return the parameters of an operation as JSON, without defaults: free values replaced, other texts `fixed`."""
    written = dict(_written(operation, replace, fixed))
    written.pop("function", None)
    return written


def _written(value: Any, replace: Replace, fixed: Callable[[str], str]) -> Iterator[tuple[str, Any]]:
    about = f"{value.column} {value.op}" if isinstance(value, RowTest) else ""
    kind: type = type(value)
    free = _free_fields(kind)
    for field in fields(value):
        given = getattr(value, field.name)
        if given == _default(field):
            continue
        if field.name in free and isinstance(given, str | int | float) and not isinstance(given, bool) and given != "":
            yield field.name, replace(FreeValue(name=field.name, value=given, about=about))
        else:
            yield field.name, _plain(given, replace, fixed)


def _plain(value: Any, replace: Replace, fixed: Callable[[str], str]) -> Any:
    if is_dataclass(value):
        return dict(_written(value, replace, fixed))
    if isinstance(value, tuple | list):
        return [_plain(each, replace, fixed) for each in value]
    if isinstance(value, Mapping):
        return {name: _plain(each, replace, fixed) for name, each in value.items()}
    return fixed(value) if isinstance(value, str) else value


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


@cache
def _free_fields(kind: type) -> frozenset[str]:
    """Return the names of the fields whose values may be others."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(
        field.name for field in fields(kind) if field.name not in PLACES and _is_free(tuple(_parts(hints[field.name])))
    )


def _is_free(parts: tuple[Any, ...]) -> bool:
    plain = {part for part in parts if part is not NoneType}
    return bool(plain) and plain <= {str, int, float, bool} and plain != {bool}


def _parts(hint: Any) -> Iterator[Any]:
    """Yield the plain types of a field, and its roles and fixed choices as what they are."""
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        yield from (mark for mark in marks if isinstance(mark, Role))
        yield from _parts(inner)
    elif get_origin(hint) is Literal or not get_args(hint):
        yield hint
    elif get_origin(hint) in {tuple, list, dict}:
        yield get_origin(hint)
    else:
        for part in get_args(hint):
            yield from _parts(part)
