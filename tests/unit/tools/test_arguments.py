"""What does not fit a tool's schema is told to the model, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.tools.arguments import checked

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "minLength": 1},
        "timeout": {"type": "integer", "minimum": 5, "maximum": 300, "default": 60},
        "sheet_name": {"type": ["string", "integer"], "default": 0},
        "response_format": {"type": "string", "enum": ["brief", "standard", "full"], "default": "standard"},
        "strict": {"type": "boolean", "default": False},
        "ratio": {"anyOf": [{"type": "number"}, {"type": "null"}]},
    },
    "required": ["code"],
    "additionalProperties": False,
}


def test_what_is_left_out_has_its_default() -> None:
    found = checked(SCHEMA, {"code": "1"}, "en")
    assert found.problems == ()
    assert found.values == {
        "code": "1", "timeout": 60, "sheet_name": 0, "response_format": "standard", "strict": False
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "the argument code is missing; expected: text that is not empty"),
        ({"code": "  "}, 'the argument code is "  "; expected: text that is not empty'),
        ({"code": 3}, "the argument code is 3; expected: text that is not empty"),
        ({"code": "1", "timeout": 500}, "the argument timeout is 500; expected: a whole number from 5 to 300"),
        ({"code": "1", "timeout": "60"}, 'the argument timeout is "60"; expected: a whole number from 5 to 300'),
        ({"code": "1", "timeout": True}, "the argument timeout is true; expected: a whole number from 5 to 300"),
        ({"code": "1", "timeout": 6.5}, "the argument timeout is 6.5; expected: a whole number from 5 to 300"),
        ({"code": "1", "timeout": float("nan")}, "the argument timeout is NaN; expected: a whole number from 5 to 300"),
        ({"code": "1", "sheet_name": None}, "the argument sheet_name is null; expected: text or a whole number"),
        ({"code": "1", "strict": 1}, "the argument strict is 1; expected: true or false"),
        ({"code": "1", "ratio": "x"}, 'the argument ratio is "x"; expected: a number or null'),
        (
            {"code": "1", "response_format": "long"},
            'the argument response_format is "long"; expected: one of "brief", "standard", "full"',
        ),
        ([], "the arguments must be one object with names and values"),
    ],
)
def test_a_wrong_argument_is_named_with_what_was_expected(arguments: object, words: str) -> None:
    assert checked(SCHEMA, arguments, "en").problems == (words,)


def test_an_unknown_argument_is_told_with_the_near_one() -> None:
    (problem,) = checked(SCHEMA, {"code": "1", "time_out": 5}, "en").problems
    assert "no argument time_out; perhaps timeout is meant" in problem
    (problem,) = checked(SCHEMA, {"code": "1", "xyz": 5}, "zh").problems
    assert problem.startswith("没有参数 xyz；已知参数：code")


def test_all_that_is_wrong_is_told_at_once_and_long_values_are_cut() -> None:
    problems = checked(SCHEMA, {"timeout": "x" * 10_000, "strict": "no"}, "en").problems
    assert len(problems) == 3
    assert all(len(problem) < 200 for problem in problems)


def test_a_number_without_a_fraction_is_a_whole_number() -> None:
    assert checked(SCHEMA, {"code": "1", "timeout": 30.0}, "en").values["timeout"] == 30


def test_a_schema_that_allows_more_takes_more() -> None:
    assert checked({"type": "object"}, {"anything": [1]}, "en").problems == ()
    assert checked({"type": "object", "properties": {"a": {"$ref": "#/x"}}}, {"a": object()}, "en").problems == ()
