"""The dotted names of the tree (`react.max_steps`, `providers.*.base_url`), and what is near a name that is not one."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from tablewright.settings.tree import Section, Settings

ANY = "*"
"""Stands for the part of a name that the user chooses: a provider's."""


def _section(annotation: Any) -> type[BaseModel] | None:
    return annotation if isinstance(annotation, type) and issubclass(annotation, Section) else None


def _keyed(annotation: Any) -> type[BaseModel] | None:
    return _section(get_args(annotation)[1]) if get_origin(annotation) is dict else None


def fields(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Yield every leaf of the tree with its dotted name, in the order in which they are written."""
    for name, field in model.model_fields.items():
        if section := _section(field.annotation):
            yield from fields(section, f"{prefix}{name}.")
        elif keyed := _keyed(field.annotation):
            yield from fields(keyed, f"{prefix}{name}.{ANY}.")
        else:
            yield prefix + name, field


def pattern_of(name: str) -> str | None:
    """Return the name as the tree has it (`providers.mine.base_url` → `providers.*.base_url`), or None if it has
    not."""
    parts = name.split(".")
    for known, _ in fields():
        wanted = known.split(".")
        if len(wanted) == len(parts) and all(w in {ANY, part} for w, part in zip(wanted, parts, strict=True)):
            return known
    return None


def nearest(name: str) -> str | None:
    """Return the known name that a mistyped one most probably means."""
    known = [entry for entry, _ in fields()]
    last = {entry.rsplit(".", 1)[-1]: entry for entry in known}
    if close := get_close_matches(name, known, n=1, cutoff=0.6):
        return close[0]
    close = get_close_matches(name.rsplit(".", 1)[-1], last, n=1, cutoff=0.75)
    return last[close[0]] if close else None
