"""The operations as described to a model: one line each, generated from the published schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from tablewright.domain.operations import operations, schemas

Schema = Mapping[str, Any]
_KINDS = {"string": "text", "integer": "integer", "number": "number", "boolean": "true|false", "null": "null"}
_REFERENCES = {
    "A range": "range",
    "A column": "column",
    "Name of the sheet": "sheet",
    "Name of the chart": "chart",
    "RGB": "color",
}
"""Kinds of text parameters, identified by the beginning of their descriptions in the schemas."""
_EFFECTS = ("values", "structure", "format", "chart", "read")


@cache
def operation_lines() -> tuple[str, ...]:
    """Return `function(parameter: kind, optional?: kind) — what it does`, one per operation, grouped by effect."""
    by_effect = sorted(schemas().items(), key=lambda item: _EFFECTS.index(operations()[item[0]].effect))
    return tuple(f"{name}({', '.join(_parameters(schema))}) — {_said(name, schema)}" for name, schema in by_effect)


@cache
def shape_lines() -> tuple[str, ...]:
    """Return the objects that occur in parameters as `Name: {field: kind, …}`, one per line."""
    shapes = {name: shape for schema in schemas().values() for name, shape in schema.get("$defs", {}).items()}
    return tuple(f"{name}: {{{', '.join(_parameters(shape))}}}" for name, shape in sorted(shapes.items()))


def _said(name: str, schema: Schema) -> str:
    said = " ".join(str(schema["description"]).split())
    return f"{said} [destructive]" if operations()[name].destructive else said


def _parameters(schema: Schema) -> Iterator[str]:
    required = schema.get("required", ())
    ordered = sorted(schema["properties"].items(), key=lambda item: (item[0] not in required, item[0] == "sheet"))
    for name, given in ordered:
        yield f"{name}{'' if name in required else '?'}: {_kind(given)}"


def _kind(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return "|".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        kinds = [_kind(option) for option in schema["anyOf"] if option.get("type") != "null"]
        return "cell" if len(kinds) > 1 else kinds[0]
    if schema.get("type") == "array":
        return f"[{_kind(schema['items'])}]"
    said = str(schema.get("description", ""))
    reference = next((kind for begin, kind in _REFERENCES.items() if said.startswith(begin)), None)
    return reference or _KINDS[str(schema["type"])]
