"""What is wrong with a value, as codes of the catalogue: the validator's own words are English alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

UNUSABLE = "value_unusable"
MIB = 1024**2
CODES: Mapping[str, str] = {
    "missing": "value_missing",
    "missing_argument": "value_missing",
    "extra_forbidden": "value_unknown_name",
    "unexpected_keyword_argument": "value_unknown_name",
    "int_type": "value_not_whole",
    "int_parsing": "value_not_whole",
    "int_from_float": "value_not_whole",
    "float_type": "value_not_number",
    "float_parsing": "value_not_number",
    "finite_number": "value_not_number",
    "bool_type": "value_not_bool",
    "bool_parsing": "value_not_bool",
    "string_type": "value_not_text",
    "path_type": "value_not_text",
    "dict_type": "value_not_mapping",
    "mapping_type": "value_not_mapping",
    "model_type": "value_not_mapping",
    "model_attributes_type": "value_not_mapping",
    "list_type": "value_not_list",
    "tuple_type": "value_not_list",
    "literal_error": "value_not_among",
    "enum": "value_not_among",
    "greater_than_equal": "value_too_small",
    "greater_than": "value_not_above",
    "less_than_equal": "value_too_large",
    "less_than": "value_not_below",
    "string_too_short": "value_text_short",
    "string_too_long": "value_text_long",
    "too_short": "value_list_short",
    "too_long": "value_list_long",
    "byte_size": "value_not_size",
    "byte_size_unit": "value_not_size",
    "json_invalid": "value_not_json",
    "value_not_database": "value_not_database",
}
"""The kinds of mistake that pydantic and our own validators tell apart and a person may make, each with its words."""
_LIMITS = ("ge", "gt", "le", "lt", "min_length", "max_length")


def problem(kind: str, context: Mapping[str, Any]) -> dict[str, str | float]:
    """Return `expected`, the code that says what would fit, with the `limit` or the `choices` that it speaks of.

    `kind` is pydantic's error type, `context` its `ctx`."""
    said: dict[str, str | float] = {"expected": CODES.get(kind, UNUSABLE)}
    if (limit := next((context[name] for name in _LIMITS if name in context), None)) is not None:
        said["limit"] = _sized(limit)
    if "expected" in context:
        said["choices"] = str(context["expected"]).replace("' or '", "', '").replace("'", "")
    return said


def _sized(limit: float) -> str | float:
    return f"{limit // MIB:g} MiB" if limit >= MIB and limit % MIB == 0 else limit
