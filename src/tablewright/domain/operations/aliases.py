"""Other names under which our operations are accepted, with the parameters they came with.

A step keeps the name it was written with; it is translated where it is decoded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Parameters = Mapping[str, Any]

NUMBER_FORMATS: Mapping[str, str] = {
    "currency": "#,##0.00",
    "number": "#,##0.00",
    "integer": "0",
    "percent": "0.00%",
    "percentage": "0.00%",
    "date": "yyyy-mm-dd",
    "datetime": "yyyy-mm-dd hh:mm",
    "text": "@",
    "general": "General",
}
"""Formats by plain names; anything else is taken for a format of Excel."""
_RANGE = {"data_range": "range", "cells": "range", "cell_range": "range"}
_COUNT = {"n": "count", "top": "count", "top_n": "count", "limit": "count"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """`function` is ours; `renames` are other names of its parameters, `fixed` what the alias itself says."""

    function: str
    renames: Mapping[str, str] = field(default_factory=dict[str, str])
    fixed: Parameters = field(default_factory=dict[str, Any])


ALIASES: Mapping[str, Alias] = {
    "create_bar_chart": Alias(
        function="create_chart", renames={"range": "data_range", "chart_title": "title"}, fixed={"type": "bar"}
    ),
    "identify_top_products": Alias(
        function="identify_top",
        renames={
            **_COUNT,
            "metric": "column",
            "by": "column",
            "value_column": "column",
            "sort_by": "column",
            "product_column": "label",
            "label_column": "label",
        },
    ),
    "format_data": Alias(function="set_number_format", renames={**_RANGE, "number_format": "format"}),
}
"""By the name that is accepted. Names that are also ours are no aliases: only some of their parameters are renamed."""
_OWN: Mapping[str, Alias] = {
    "create_chart": Alias(
        function="create_chart", renames={"range": "data_range", "chart_type": "type", "chart_title": "title"}
    ),
    "set_chart_title": Alias(function="set_chart_title", renames={"chart_title": "title", "chart_name": "name"}),
    "highlight_cells": Alias(
        function="highlight_cells", renames={**_RANGE, "highlight_color": "color", "fill_color": "color"}
    ),
    "identify_top": Alias(function="identify_top", renames=_COUNT),
}


def function_of(name: str) -> str:
    """Return our name of the function that is called `name`; one that is not known stays as it is."""
    alias = ALIASES.get(name)
    return name if alias is None else alias.function


def translated(name: str, parameters: Parameters) -> tuple[str, dict[str, Any]]:
    """Return our function and its parameters for a step as it was written. A parameter that is given under both names
    stays under its own."""
    given = {key: value for key, value in parameters.items() if key != "function"}
    alias = ALIASES.get(name) or _OWN.get(name)
    if alias is None:
        return name, given
    own = {key: value for key, value in given.items() if key not in alias.renames}
    renamed = {alias.renames[key]: value for key, value in given.items() if key in alias.renames}
    whole = {**renamed, **own, **alias.fixed}
    if name == "format_data" and not set(whole) - {"sheet", "range", "format"}:
        whole["format"] = _format(whole.get("format"))
    return _style(whole) if name == "format_data" else (alias.function, whole)


def _style(given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """`format_data` sets whatever it names: a number format, a font, or a background."""
    if given.keys() & {"bold", "italic", "underline", "size", "font_color", "color"} and "format" not in given:
        renamed = {"color" if key == "font_color" else key: value for key, value in given.items()}
        return "set_font", renamed
    if given.keys() & {"fill", "fill_color", "background"} and "format" not in given:
        names = {"fill": "color", "fill_color": "color", "background": "color"}
        return "set_fill", {names.get(key, key): value for key, value in given.items()}
    return "set_number_format", given


def _format(value: Any) -> Any:
    return NUMBER_FORMATS.get(value.strip().lower(), value) if isinstance(value, str) else value
