"""The functions of plans, in the wire format and in the reader's language."""

from __future__ import annotations

from functools import cache
from typing import Any

from tablewright.api.schemas.excel import FunctionOut, FunctionsResponse
from tablewright.domain.language import Language
from tablewright.domain.operations import operations, schemas
from tablewright.domain.operations.aliases import ALIASES
from tablewright.texts.catalogue import text


@cache
def functions_response(language: Language) -> FunctionsResponse:
    """Return every function with its aliases and the schema of its parameters, labelled in `language`."""
    listed = [
        FunctionOut(
            name=name,
            label=text(f"functions.label.{name}", language),
            description=text(f"functions.about.{name}", language),
            effect=kind.effect,
            destructive=kind.destructive,
            parameters=_labelled(schemas()[name], language),
            aliases=sorted(alias for alias, meant in ALIASES.items() if meant.function == name),
        )
        for name, kind in operations().items()
    ]
    return FunctionsResponse(functions=listed)


def _labelled(schema: dict[str, Any], language: Language) -> dict[str, Any]:
    """Return the schema with the name of each field as its `title`, the fields of its parts included."""
    made = dict(schema)
    if "properties" in schema:
        made["properties"] = {
            name: {**field, "title": text(f"functions.field.{name}", language)}
            for name, field in schema["properties"].items()
        }
    if "$defs" in schema:
        made["$defs"] = {name: _labelled(part, language) for name, part in schema["$defs"].items()}
    return made
