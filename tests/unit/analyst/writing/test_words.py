"""Parts of a plan in words: every name that a plan may use has them in both languages."""

from __future__ import annotations

from typing import get_args

import pytest

from tablewright.analyst.plan import (
    AggregateName,
    AllOf,
    Between,
    Bucket,
    Case,
    Col,
    Compare,
    Cut,
    Func,
    Lit,
    Matches,
    Math,
    Measure,
    Missing,
    Not,
    OneOf,
    Procedure,
    Statistic,
    TimeUnit,
)
from tablewright.analyst.words import Words, shortened
from tablewright.analyst.writing.procedures import PROCEDURES
from tablewright.domain.chart import ChartKind
from tablewright.domain.language import Language
from tablewright.texts.catalogue import catalogue

LANGUAGES: tuple[Language, ...] = ("zh", "en")
A = Col(name="a")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_a_plan_has_words(language: Language) -> None:
    operations = ("difference", "absolute_difference", "sum", "ratio", "percent", "percent_change")
    wanted = {
        *(f"words.{name}" for name in get_args(AggregateName)),
        *(f"words.unit.{name}" for name in get_args(TimeUnit)),
        *(f"step.procedure.{name}" for name in PROCEDURES),
        *(f"step.combine.{name}" for name in operations),
        *(f"answer.kind.{name}" for name in get_args(ChartKind)),
    }

    assert wanted - catalogue(language).keys() == set()


def test_every_documented_procedure_is_written() -> None:
    documented = (Procedure.__doc__ or "").split("- `")[1:]

    assert {entry.split("`", 1)[0] for entry in documented} <= PROCEDURES.keys()


@pytest.mark.parametrize(
    ("condition", "en", "zh"),
    [
        (Compare(op="=", left=A, right=Lit(value="x")), "a is x", "a为x"),
        (Compare(op=">=", left=A, right=Lit(value=2.0)), "a ≥ 2", "a不低于2"),
        (OneOf(of=A, values=("x", "y", None)), "a is x, y or empty", "a为x、y或空"),
        (Between(of=A, low=1, high=5), "a is from 1 to 5", "a在 1 到 5 之间"),
        (Between(of=A, low=None, high=5, high_open=True), "a < 5", "a小于5"),
        (Matches(of=A, how="contains", text="k"), "a contains k", "a包含“k”"),
        (Not(of=Matches(of=A, how="contains", text="k")), "a does not contain k", "a不包含“k”"),
        (Not(of=OneOf(of=A, values=("x",))), "a is not x", "a不为x"),
        (Not(of=Missing(of=A)), "a is not empty", "a不为空"),
        (
            AllOf(parts=(Missing(of=A), Compare(op="<", left=Col(name="b"), right=Statistic(name="mean", of=A)))),
            "a is empty and b < average a",
            "a为空且b小于a的平均值",
        ),
    ],
)
def test_conditions_in_words(condition: Compare, en: str, zh: str) -> None:
    assert Words("en").condition(condition) == en
    assert Words("zh").condition(condition) == zh


def test_values_in_words() -> None:
    words = Words("en")

    assert words.value(Math(op="-", left=A, right=Math(op="*", left=A, right=Lit(value=2)))) == "a − (a × 2)"
    assert words.value(Bucket(of=A, unit="month")) == "month of a"
    assert words.value(Func(name="abs", of=A)) == "absolute a"
    assert words.value(Func(name="percentile", of=A)) == "percentile(a)"
    assert words.value(Cut(of=A, edges=(0, 1), labels=("x",))) == "interval of a"
    assert words.value(Case(branches=((Missing(of=A), Lit(value=1)),), otherwise=Lit(value=0))) == "whether a is empty"
    assert words.measure(Measure(name="n", function="count", where=Missing(of=A))) == "number of rows where a is empty"


def test_long_words_are_cut_to_one_line() -> None:
    assert shortened("a\n  b") == "a b"
    assert len(shortened("x" * 500)) == 60
