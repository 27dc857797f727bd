"""What the fields of an operation say about other parts of the workbook: what it refers to, creates and fills.

A field's type says so: `ColumnRef` refers to a column by name, `NewHeader` creates one, `FilledRange` is written to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints


class Role(Enum):
    """What a text of an operation is for other operations."""

    REFERS = "refers"
    """It names a sheet, a column, a table or a defined name."""
    READS = "reads"
    """It gives cells that are read or shown; they may also be named."""
    FORMULA = "formula"
    """It refers to cells, columns and names within."""
    CODE = "code"
    """It refers to columns within."""
    CREATES = "creates"
    """It names what the operation makes."""
    FILLS = "fills"
    """It gives the cells that the operation writes."""


def texts_with_roles(value: object) -> Iterator[tuple[Role, str]]:
    """Yield each text of an operation, or of a value nested in one, that has a role; a text may have several."""
    kind: type = type(value)
    for name, roles in _roles(kind):
        yield from _within(getattr(value, name), roles)


def raw_texts(kind: type, parameters: Mapping[str, Any], role: Role) -> Iterator[str]:
    """Yield the texts of `role` in parameters that do not fit their operation's class `kind`."""
    for name, roles in _roles(kind):
        value = parameters.get(name) if role in roles else None
        yield from (
            entry for entry in (value if isinstance(value, list | tuple) else (value,)) if isinstance(entry, str)
        )


def _within(value: object, roles: frozenset[Role]) -> Iterator[tuple[Role, str]]:
    if isinstance(value, str):
        for role in sorted(roles, key=lambda one: one.value):
            yield role, value
    elif isinstance(value, tuple):
        for entry in value:
            yield from _within(entry, roles)
    elif is_dataclass(value):
        yield from texts_with_roles(value)


@cache
def _roles(kind: type) -> tuple[tuple[str, frozenset[Role]], ...]:
    """Return the fields of an operation's class with the roles that their types bear."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((field.name, frozenset(_of_type(hints[field.name]))) for field in fields(kind))


def _of_type(hint: Any) -> Iterator[Role]:
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        yield from (mark for mark in marks if isinstance(mark, Role))
        yield from _of_type(inner)
    else:
        for part in get_args(hint):
            if part is not NoneType:
                yield from _of_type(part)
