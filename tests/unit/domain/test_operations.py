"""Workbook operations: named once, typed, refused when they carry what no field takes."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tablewright.domain.codec import from_python, to_python
from tablewright.domain.operations import AnyOperation, operations, schemas
from tablewright.domain.operations.structure import DeleteRows


def test_every_operation_publishes_a_schema_of_its_own_parameters() -> None:
    assert schemas().keys() == operations().keys()
    for name, schema in schemas().items():
        assert "function" not in schema["properties"], name
        assert schema["additionalProperties"] is False, name
        assert schema["description"], name


def test_an_operation_is_chosen_by_its_function() -> None:
    given = {"function": "delete_rows", "where": {"tests": [{"column": "status", "op": "=", "value": "cancelled"}]}}
    read = from_python(AnyOperation, given)
    assert isinstance(read, DeleteRows)
    assert read.destructive
    assert from_python(AnyOperation, to_python(AnyOperation, read)) == read


@pytest.mark.parametrize(
    "wrong",
    [
        {"function": "fly"},
        {"function": "insert_rows"},
        {"function": "insert_rows", "row": 0},
        {"function": "insert_rows", "row": 2, "rows": 3},
        {"function": "set_formula", "range": "A1", "formula": "B1+1"},
    ],
)
def test_a_wrong_operation_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        from_python(AnyOperation, wrong)
