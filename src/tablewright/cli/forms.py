"""Forms at the terminal: each field of a JSON schema is asked for by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from tablewright.cli.show.clean import one_line
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text


def fill(schema: Mapping[str, Any], language: Language, read: Callable[[str], str]) -> dict[str, Any]:
    """Return the values that a person gives; fields left empty are left out, those with a default have it."""
    values: dict[str, Any] = {}
    for name, part in (schema.get("properties") or {}).items():
        said = read(_prompt(name, part, language)).strip()
        if said:
            values[name] = _value(said, part)
        elif "default" in part:
            values[name] = part["default"]
    return values


def _prompt(name: str, part: Mapping[str, Any], language: Language) -> str:
    title = f" – {one_line(str(part['title']))}" if "title" in part else ""
    kind = "/".join(map(str, part["enum"])) if "enum" in part else str(part.get("type", "string"))
    return text("cli_form_field", language, name=one_line(name), title=title, kind=one_line(kind))


def _value(said: str, part: Mapping[str, Any]) -> Any:
    """Return what was said as the field's type has it; what does not fit is left as it was said."""
    if part.get("type", "string") == "string":
        return said
    try:
        return json.loads(said)
    except ValueError:
        return said
