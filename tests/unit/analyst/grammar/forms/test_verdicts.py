"""Verdicts by the rules that a question states."""

from __future__ import annotations

import pytest
from tests.unit.analyst.known_tables import column, table

from tablewright.analyst.grammar.forms.phrases import Linker, sentences
from tablewright.analyst.grammar.forms.rules import rule
from tablewright.analyst.plan import Case, Compare, Condition, Func, Lit
from tablewright.analyst.plan_values import AllOf, AnyOf, Col, Expr

MOMENTS = {"skew": "skewness", "kurtosis": "kurtosis"}
TEST = {"p": "p_value", "r": "correlation"}


def label(text: str, options: tuple[str, ...], quantities: dict[str, str]) -> Expr | None:
    """Return the verdict that a text states, of a table without a column that it names."""
    linker = Linker(table("plain", "plain", 5, column("Place", "text")), {})
    phrases = [linker.phrase(sentence) for sentence, _ in sentences(text)]
    return rule(phrases, options, quantities, 0.05)


def number(expr: Expr, row: dict[str, float]) -> float:
    """Compute what a rule compares."""
    match expr:
        case Col():
            return row[expr.name]
        case Func(name="abs"):
            return abs(number(expr.of, row))
        case Lit(value=int() | float() as value):
            return float(value)
    raise AssertionError(expr)


def holds(condition: Condition, row: dict[str, float]) -> bool:
    """Tell whether a condition holds for a row."""
    match condition:
        case AllOf():
            return all(holds(part, row) for part in condition.parts)
        case AnyOf():
            return any(holds(part, row) for part in condition.parts)
        case Compare():
            left, right = number(condition.left, row), number(condition.right, row)
            return {">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right}[condition.op]
    raise AssertionError(condition)


def said(rule: Expr | None, **row: float) -> object:
    """Return the word that a rule gives for a row."""
    assert isinstance(rule, Case | Lit), rule
    if isinstance(rule, Lit):
        return rule.value
    for condition, value in rule.branches:
        if holds(condition, row):
            return said(value, **row)
    return said(rule.otherwise, **row)


@pytest.mark.parametrize(("r", "word"), [(0.8, "strong"), (-0.55, "moderate"), (0.1, "weak"), (-0.9, "strong")])
def test_three_strengths_in_one_sentence(r: float, word: str) -> None:
    rule = label(
        (
            "Call it strong if the absolute value of r is at least 0.7, moderate if it is between 0.4 and 0.7, and "
            "weak if it is below 0.4."
        ),
        ("weak", "strong", "moderate"),
        TEST,
    )
    assert said(rule, correlation=r, p_value=0.01) == word


@pytest.mark.parametrize(("r", "word"), [(0.35, "fair"), (0.2, "poor"), (0.6, "good")])
def test_strengths_as_chains_of_signs(r: float, word: str) -> None:
    rule = label("poor if |r| < 0.3, fair if 0.3 <= |r| < 0.6, and good if |r| >= 0.6", ("poor", "fair", "good"), TEST)
    assert said(rule, correlation=r, p_value=0.5) == word


@pytest.mark.parametrize(
    ("r", "p", "word"), [(0.8, 0.01, "linear"), (0.2, 0.01, "nonlinear"), (0.8, 0.2, "none"), (-0.6, 0.01, "linear")]
)
def test_two_tests_at_once_and_the_denied_rest(r: float, p: float, word: str) -> None:
    rule = label(
        "Treat it as linear if the p-value is less than 0.05 and the absolute value of r is greater than or equal to "
        "0.5. "
        "Treat it as nonlinear if the p-value is less than 0.05 and the absolute value of r is less than 0.5. "
        "If the p-value is greater than or equal to 0.05, say that there is no significant correlation.",
        ("linear", "nonlinear", "none"),
        TEST,
    )
    assert said(rule, correlation=r, p_value=p) == word


@pytest.mark.parametrize(("skewness", "word"), [(0.9, "skewed_right"), (-0.9, "skewed_left"), (0.0, "symmetric")])
def test_options_are_found_as_people_say_them(skewness: float, word: str) -> None:
    rule = label(
        "A skewness between -0.5 and +0.5 means that it is symmetric, a skewness greater than +0.5 that it is skewed "
        "to the "
        "right and a skewness less than -0.5 that it is skewed to the left.",
        ("symmetric", "skewed_right", "skewed_left"),
        MOMENTS,
    )
    assert said(rule, skewness=skewness, kurtosis=0.0) == word


def test_ranges_of_two_moments() -> None:
    rule = label(
        "If skewness is between -0.5 and 0.5 and kurtosis is between -2 and 2, we call it Normal.",
        ("Normal", "Non-Normal"),
        MOMENTS,
    )
    assert said(rule, skewness=0.1, kurtosis=1.0) == "Normal"
    assert said(rule, skewness=0.1, kurtosis=3.0) == "Non-Normal"


def test_the_sign_decides_among_options_of_one_test() -> None:
    rule = label(
        'If the p-value is below 0.05, report "Positive", "Negative" or "Zero" by the sign of the coefficient. '
        'If the p-value is at least 0.05, report "Not Significant".',
        ("Positive", "Negative", "Zero", "Not Significant"),
        TEST,
    )
    assert said(rule, correlation=0.4, p_value=0.01) == "Positive"
    assert said(rule, correlation=-0.4, p_value=0.01) == "Negative"
    assert said(rule, correlation=-0.4, p_value=0.3) == "Not Significant"


def test_a_denied_option_is_the_one_that_denies() -> None:
    rule = label(
        "If the p-value is less than 0.05, there is a significant difference, else there is no significant difference.",
        ("significant", "not significant"),
        TEST,
    )
    assert said(rule, correlation=0.0, p_value=0.01) == "significant"
    assert said(rule, correlation=0.0, p_value=0.5) == "not significant"


def test_without_a_threshold_there_is_no_rule() -> None:
    assert label("A value close to 1 is strong, one close to 0 is weak.", ("strong", "weak"), TEST) is None
