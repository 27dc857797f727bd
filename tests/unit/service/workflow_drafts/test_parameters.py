"""Which values of operations become inputs is decided by their types."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.domain.codec import from_python
from tablewright.domain.operations import AnyOperation
from tablewright.service.workflow_drafts.definition import fixed
from tablewright.service.workflow_drafts.parameters import FreeValue, parameters_of
from tablewright.workflows.expressions.language import rendered


def freed(function: str, **parameters: Any) -> dict[str, Any]:
    """Return the free values of an operation."""
    found: dict[str, Any] = {}

    def replace(free: FreeValue) -> str:
        found[f"{free.name} {free.about}".strip()] = free.value
        return "<free>"

    operation = from_python(AnyOperation, {"function": function, **parameters})
    parameters_of(operation, replace, str)
    return found


@pytest.mark.parametrize(
    ("function", "parameters", "free"),
    [
        (
            "highlight_cells",
            {"where": {"tests": [{"column": "amount", "op": ">", "value": 100}]}, "color": "FF0000"},
            {"value amount >": 100, "color": "FF0000"},
        ),
        ("highlight_cells", {"top_column": "amount", "top_count": 5}, {"top_count": 5}),
        ("set_formula", {"range": "C2:C4", "formula": "=B2*2"}, {}),
        ("insert_rows", {"row": 3, "count": 2}, {"count": 2}),
        ("rename_sheet", {"sheet": "A", "name": "B"}, {}),
        ("sort_rows", {"by": [{"column": "amount", "descending": True}]}, {}),
        ("set_font", {"range": "A1", "bold": True, "size": 14, "name": "Arial"}, {"size": 14, "name": "Arial"}),
    ],
)
def test_values_without_a_role_are_free(function: str, parameters: dict[str, Any], free: dict[str, Any]) -> None:
    assert freed(function, **parameters) == free


@pytest.mark.parametrize("words", ["{{ a }}", "{% if %}", "{# x #}", "a\n", "plain {x}", "}}{{", "'{{\"\\ 表 😀"])
def test_a_fixed_text_is_rendered_as_it_is(words: str) -> None:
    assert rendered(fixed(words), {}) == words
