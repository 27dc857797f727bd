"""Reads the message catalogues: `texts/<language>/<area>.json`, one flat object of code → template per area."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Literal

Language = Literal["zh", "en"]
"""The languages that every message is written in."""


class _Lenient(Formatter):
    """A placeholder without a value is left empty instead of failing the message that carries it."""

    def get_value(self, key: int | str, args: Any, kwargs: Any) -> Any:
        return kwargs.get(key, "") if isinstance(key, str) else super().get_value(key, args, kwargs)

    def format_field(self, value: Any, format_spec: str) -> Any:
        """With two words in place of a format, `{count:row|rows}`, it is the one that agrees with the number."""
        one, bar, several = format_spec.partition("|")
        if bar:
            return one if str(value) == "1" else several
        return super().format_field(value, format_spec)


@cache
def catalogue(language: Language) -> dict[str, str]:
    """Return every message of `language` (`zh` or `en`), by code."""
    folder = files("tablewright.texts").joinpath(language)
    messages: dict[str, str] = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".json"):
            messages.update(json.loads(file.read_text(encoding="utf-8")))
    return messages


def text(code: str, language: Language, /, **params: object) -> str:
    """Return the message `code` in `language` with `params` in its `{placeholders}`; an unknown code is a bug:
    KeyError."""
    return _Lenient().format(catalogue(language)[code], **params)
