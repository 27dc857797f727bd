"""What the texts of an operation are for other operations."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from tablewright.domain.operations import operations
from tablewright.domain.operations.decoding import decode
from tablewright.domain.operations.roles import Role, raw_texts, texts_with_roles

REFERS, READS, CREATES, FILLS, FORMULA = Role.REFERS, Role.READS, Role.CREATES, Role.FILLS, Role.FORMULA


@pytest.mark.parametrize(
    ("function", "parameters", "roles"),
    [
        ("add_column", {"header": "Margin", "formula": "=[A]"}, {(CREATES, "Margin"), (FORMULA, "=[A]")}),
        (
            "set_formula",
            {"sheet": "S", "range": "B2:B9", "formula": "=A2"},
            {(REFERS, "S"), (REFERS, "B2:B9"), (FILLS, "B2:B9"), (FORMULA, "=A2")},
        ),
        ("fill_down", {"range": "B2:B9"}, {(REFERS, "B2:B9"), (READS, "B2:B9"), (FILLS, "B2:B9")}),
        ("split_column", {"column": "N", "separator": " ", "headers": ["F", "L"]},
         {(REFERS, "N"), (CREATES, "F"), (CREATES, "L")}),
        (
            "summarize",
            {"groups": ["R"], "measures": [{"aggregation": "sum", "column": "V"}], "target_sheet": "T"},
            {(REFERS, "R"), (REFERS, "V"), (CREATES, "T")},
        ),
        (
            "delete_rows",
            {"where": {"tests": [{"column": "A", "op": ">", "than": "B"}, {"column": "C", "op": "=", "value": "x"}]}},
            {(REFERS, "A"), (REFERS, "B"), (REFERS, "C")},
        ),
        ("find_replace", {"find": "a", "replace": "b"}, set[object]()),
        ("set_chart_title", {"title": "Sales"}, set[object]()),
    ],
)  # fmt: skip
def test_the_types_of_its_fields_say_what_an_operation_refers_to(
    function: str, parameters: dict[str, Any], roles: set[tuple[Role, str]]
) -> None:
    operation, problems = decode(function, parameters)
    assert not problems
    assert set(texts_with_roles(operation)) == roles


def test_what_a_step_would_create_is_known_although_its_parameters_do_not_fit() -> None:
    kind = operations()["split_column"]
    assert list(raw_texts(kind, {"headers": ["F", 7, "L"], "separator": 1}, CREATES)) == ["F", "L"]


@pytest.mark.parametrize("kind", operations().values(), ids=lambda kind: str(kind.__name__))
def test_roles_do_not_show_in_the_published_schema(kind: type) -> None:
    assert not any(role.name in str(TypeAdapter(kind).json_schema()) for role in Role)
