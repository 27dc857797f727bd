"""Labels by rule: `consider it linear if the p-value is less than 0.05 and the absolute value of r is at least 0.5`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from tablewright.analyst.plan import AllOf, Case, Col, Compare, Condition, Expr, Func, Lit

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
_SENTENCE = re.compile(
    r"(?<!\d)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|\n|;|(?<=[a-z0-9]),\s*(?=otherwise|while|and if|if )", re.IGNORECASE
)
_TEST = re.compile(
    r"(?P<what>p[\s-]?values?|abs(?:olute)?(?:\s+value)?(?:\s+of)?[\s(]+\w+|\|r\||absolute correlation\w*|\br\b(?:\s+value)?|correlation\w*(?:\s+\w+)?|skewness|\bvalue\b)[^.;,]{0,40}?"
    r"(?P<op>less than or equal to|greater than or equal to|less than|greater than|smaller than|larger than|above|below|exceeds|at least|at most|lower than|higher than|>=|<=|≥|≤|>|<)\s*(?:or equal to\s*)?"
    r"(?P<number>-?\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_OPERATORS: dict[str, Operator] = {
    "less than or equal to": "<=", "greater than or equal to": ">=", "less than": "<", "smaller than": "<", "below": "<", "lower than": "<",
    "greater than": ">", "larger than": ">", "above": ">", "exceeds": ">", "higher than": ">", "at least": ">=", "at most": "<=",
    ">=": ">=", "<=": "<=", "≥": ">=", "≤": "<=", ">": ">", "<": "<",
}  # fmt: skip
_NEGATIVE = frozenset({"no", "not", "none", "non", "false", "isn", "doesn", "insignificant"})


def label(text: str, options: Sequence[str], columns: dict[str, str]) -> Expr | None:
    """Return the label as an expression; `columns` name the columns for `p`, `r` and `value`. None without a rule."""
    branches: list[tuple[Condition, Expr]] = []
    for sentence in _SENTENCE.split(text):
        tests = [test for match in _TEST.finditer(sentence) if (test := _condition(match, columns)) is not None]
        option = _option(sentence, options)
        if tests and option is not None:
            condition: Condition = tests[0] if len(tests) == 1 else AllOf(parts=tuple(tests))
            branches.append((condition, Lit(value=option)))
    if not branches:
        return None
    said = {branch[1] for branch in branches}
    rest = [option for option in options if Lit(value=option) not in said]
    otherwise = rest[0] if rest else negative(options) or options[-1]
    return Case(branches=tuple(branches), otherwise=Lit(value=otherwise))


def _condition(match: re.Match[str], columns: dict[str, str]) -> Condition | None:
    what = match.group("what").lower()
    key = "p" if what.startswith("p") else "r" if "r" in columns else "value"
    if key not in columns:
        return None
    left: Expr = Col(name=columns[key])
    if "abs" in what or "|" in what:
        left = Func(name="abs", of=left)
    operator = _OPERATORS[match.group("op").lower()]
    return Compare(op=operator, left=left, right=Lit(value=float(match.group("number"))))


def _option(sentence: str, options: Sequence[str]) -> str | None:
    """The option that a sentence speaks of; the longest first, since `not normal` holds `normal`."""
    plain = _plain(sentence)
    denied = any(word in plain.split() for word in ("no", "not", "neither", "reject", "rejected", "doesn"))
    for option in sorted(options, key=len, reverse=True):
        said = _plain(option)
        if said and f" {said} " in f" {plain} " and (_denies(option) or not denied or negative(options) is None):
            return option
    if denied:
        return negative(options)
    return None


def _plain(text: str) -> str:
    return re.sub(r"[^\w]+", " ", text.lower().replace("_", " ")).strip()


def negative(options: Sequence[str]) -> str | None:
    """Return the option that denies."""
    return next((option for option in options if _denies(option)), None)


def _denies(option: str) -> bool:
    words = _plain(option).split()
    return bool(words) and words[0] in _NEGATIVE


def positive(options: Sequence[str]) -> str | None:
    """Return the option that affirms."""
    denied = negative(options)
    return next((option for option in options if option != denied), None)


def signs(options: Sequence[str], column: str) -> Expr | None:
    """Return positive or negative by a number's sign."""
    up = next((option for option in options if "positive" in option.lower()), None)
    down = next((option for option in options if "negative" in option.lower()), None)
    if up is None or down is None:
        return None
    rest = next((option for option in options if option not in {up, down}), up)
    zero = Lit(value=0)
    return Case(
        branches=(
            (Compare(op=">", left=Col(name=column), right=zero), Lit(value=up)),
            (Compare(op="<", left=Col(name=column), right=zero), Lit(value=down)),
        ),
        otherwise=Lit(value=rest),
    )
