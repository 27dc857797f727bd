"""Valid parameters of any workbook operation, with any subset of the optional ones, drawn from its schema."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tablewright.domain.operations import schemas

Schema = dict[str, Any]
TEXTS = st.sampled_from(["A1", "B2:C3", "Sales", "2024-01-05", "x"])
BY_PATTERN = {"^=": "=A1+1", r"^[^\W\d][\w.]*$": "total_1"}


def parameters_of(function: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return parameters that `function` takes: all required ones, and any of the others."""
    schema = schemas()[function]
    return _object(schema, schema.get("$defs", {}))


def _object(schema: Schema, defs: Schema) -> st.SearchStrategy[dict[str, Any]]:
    required = set(schema.get("required", ()))
    fields = {name: _value(part, defs) for name, part in schema["properties"].items()}
    return st.fixed_dictionaries(
        {name: field for name, field in fields.items() if name in required},
        optional={name: field for name, field in fields.items() if name not in required},
    )


def _value(schema: Schema, defs: Schema) -> st.SearchStrategy[Any]:
    if "$ref" in schema:
        return _value(defs[schema["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in schema:
        return st.one_of(*(_value(part, defs) for part in schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    kind = schema["type"]
    if kind == "object":
        return _object(schema, defs)
    if kind == "array":
        least = schema.get("minItems", 0)
        return st.lists(_value(schema["items"], defs), min_size=least, max_size=least + 2)
    return _scalar(kind, schema)


def _scalar(kind: str, schema: Schema) -> st.SearchStrategy[Any]:
    if kind == "string":
        return st.just(BY_PATTERN[schema["pattern"]]) if "pattern" in schema else TEXTS
    if kind in {"integer", "number"}:
        return st.integers(schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1), schema.get("maximum", 40))
    return st.booleans() if kind == "boolean" else st.none()
