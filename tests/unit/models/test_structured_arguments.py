"""Arguments of calls in the types that a tool's schema gives them."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.models.structured_arguments import fitted

SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "count": {"type": "integer"},
        "share": {"type": "number"},
        "parse": {"type": "boolean"},
        "names": {"type": "array"},
        "params": {"type": "object"},
        "sheet": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "maybe": {"type": ["string", "null"]},
    },
}


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("text", "a", "a"),
        ("text", 7, "7"),
        ("count", "60", 60),
        ("count", 60.0, 60),
        ("count", "6.5", "6.5"),
        ("count", "many", "many"),
        ("share", "0.5", 0.5),
        ("parse", "true", True),
        ("parse", "False", False),
        ("parse", "perhaps", "perhaps"),
        ("names", "a", ["a"]),
        ("names", '["a", "b"]', ["a", "b"]),
        ("params", '{"n": 1}', {"n": 1}),
        ("params", "n=1", "n=1"),
        ("sheet", "Sheet1", "Sheet1"),
        ("sheet", 0, 0),
        ("maybe", None, None),
        ("unknown", "x", "x"),
    ],
)
def test_a_value_gets_the_type_of_its_parameter_where_its_meaning_is_plain(
    name: str, value: Any, expected: Any
) -> None:
    got = fitted({name: value}, SCHEMA)[name]
    assert (type(got), got) == (type(expected), expected)


def test_a_null_that_is_not_allowed_counts_as_left_out() -> None:
    assert fitted({"count": None, "text": "a"}, SCHEMA) == {"text": "a"}


def test_without_a_schema_nothing_is_changed() -> None:
    assert fitted({"a": None, "b": "1"}, {}) == {"a": None, "b": "1"}
