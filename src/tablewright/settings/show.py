"""The configuration as a person may see it: every name, its value with secrets covered, and where it came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ByteSize, SecretStr

from tablewright.settings.covering import COVERED, without_password
from tablewright.settings.load import Loaded

DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectiveSetting:
    """A setting. `value` is JSON-able; `source` is `default` or the place that gave it."""

    name: str
    value: Any
    source: str


def shown(loaded: Loaded) -> tuple[EffectiveSetting, ...]:
    """Return every setting that has a value in effect."""
    return tuple(
        EffectiveSetting(name=name, value=visible(value), source=loaded.origins.get(name, DEFAULT))
        for name, value in _leaves(loaded.settings, "")
    )


def _leaves(section: BaseModel, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in section:
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{prefix}{name}.")
        elif isinstance(value, dict) and any(isinstance(entry, BaseModel) for entry in value.values()):
            for key, entry in value.items():
                yield from _leaves(entry, f"{prefix}{name}.{key}.")
        elif value != {} or prefix:
            yield prefix + name, value


def visible(value: Any) -> Any:
    """Return a value as JSON-able data, secrets covered."""
    match value:
        case SecretStr():
            return COVERED
        case dict():
            return {name: visible(entry) for name, entry in value.items()}
        case tuple():
            return [visible(entry) for entry in value]
        case Path():
            return str(value)
        case ByteSize():
            return value.human_readable(decimal=False)
        case str() if "://" in value:
            return without_password(value)
        case _:
            return value
