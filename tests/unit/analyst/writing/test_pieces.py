"""The small parts that written code is put together from."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.analyst.repairing import repaired
from tablewright.analyst.writing.literals import assign, call, is_atom, keywords, listed, literal, quoted
from tablewright.analyst.writing.naming import Names, slug
from tablewright.analyst.writing.steps import Segment, fitted


@given(st.text())
def test_any_text_is_a_literal_of_itself_on_one_line(text: str) -> None:
    source = quoted(text)

    assert ast.literal_eval(source) == text
    assert source.isprintable()
    assert "<|" not in source


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)))
def test_any_cell_is_a_literal_of_itself(value: float | None) -> None:
    assert ast.literal_eval(literal(value)) == value


def test_numbers_without_an_end_are_written_as_calls() -> None:
    assert listed([1.0, 2.5, float("inf")]) == '[1, 2.5, float("inf")]'


@pytest.mark.parametrize(
    ("code", "atom"),
    [
        ('df["a b"]', True),
        ('df["a"].isin(["x | y", "z"])', True),
        ("(a > 1)", True),
        ("a > 1", False),
        ('df["a"].isin([1]) | df["a"].isna()', False),
        ("~a.isna()", False),
        ('f(a > 1, "(")', True),
    ],
)
def test_code_without_an_outer_operator_is_an_atom(code: str, atom: bool) -> None:
    assert is_atom(code) is atom


def test_arguments_keep_their_order_whatever_their_names() -> None:
    pairs = [("a", "1"), ("b c", "2"), ("d", "3"), ("总额", "4")]

    assert keywords(pairs[:1] + pairs[3:]) == ["a=1", "总额=4"]
    assert keywords(pairs) == ["a=1", '**{"b c": 2, "d": 3, "总额": 4}']


def test_long_statements_are_broken() -> None:
    long = "x" * 60

    assert assign("a", "b", ".c()") == ["a = b.c()"]
    assert assign("a", "b", f".c({long})", f".d({long})") == [
        "a = (",
        "    b",
        f"    .c({long})",
        f"    .d({long})",
        ")",
    ]
    assert call("f", [long, long]) == f"f(\n    {long},\n    {long},\n)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No. of deaths_max", "no_of_deaths_max"),
        ("PassengerId", "passenger_id"),
        ("金额", ""),
        ("203-810", ""),
        ("78f78dcbbb7c", ""),
        ("2019 sales report", "n_2019_sales_report"),
        ("", ""),
    ],
)
def test_names_of_variables(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_a_variable_is_named_once_and_never_like_a_word_of_python() -> None:
    names = Names()

    assert [names.fresh("mean", "fare", otherwise="x"), names.fresh("mean", "fare", otherwise="x")] == [
        "mean_fare",
        "mean_fare_2",
    ]
    assert names.fresh("class", otherwise="x") == "class_2"
    assert names.fresh("result", otherwise="x") == "result_2"
    assert names.fresh("by", "", otherwise="groups") == "groups"


def test_too_many_steps_are_joined_within_their_part() -> None:
    segments = [Segment(name="load", part=-1, lines=["l"])]
    segments += [
        Segment(name=f"p{part}s{step}", part=part, lines=["x"] * (step + 1)) for part in range(3) for step in range(4)
    ]

    joined = fitted(segments, 8)

    assert len(joined) == 8
    assert joined[0].name == "load"
    assert joined[0].lines == ["l"]
    assert joined[-1].name == "p2s3"
    assert sum(line == "x" for segment in joined for line in segment.lines) == 3 * (1 + 2 + 3 + 4)
    assert ["# p0s0", "x", "", "# p0s1", "x", "x"] in [segment.lines[:6] for segment in joined]


def test_few_steps_stay_as_they_are() -> None:
    segments = [Segment(name=str(place), part=0, lines=["x"]) for place in range(3)] + [Segment(name="empty", part=0)]

    assert fitted(segments) == segments[:3]


def test_a_step_over_text_is_repaired_with_numbers() -> None:
    code = 'by_city = df.groupby("city", as_index=False).agg(total=("amount", "sum"))\n'

    again = repaired(code, "TypeError: can only concatenate str; unsupported operand type(s)", ["amount", "city"])

    assert again is not None
    assert again.startswith('df["amount"] = pd.to_numeric(')
    assert 'df["city"] = ' not in again
    assert again.endswith(code)


def test_other_errors_are_not_repaired() -> None:
    assert repaired('x = df["a"]', "KeyError: 'a'", ["a"]) is None
    assert repaired("x = 1", "TypeError: unsupported operand", ["a"]) is None
