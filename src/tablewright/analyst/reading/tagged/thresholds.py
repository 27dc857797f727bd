"""Tests of a number, in words or symbols: `the p-value is less than 0.05`, `|r| >= 0.5`, `between 0.3 and 0.7`,
`skewness > 1`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.plan import AllOf, AnyOf, Col, Compare, Condition, Expr, Func, Lit

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
_NUMBER = r"(?P<number>[-+−]?\s?\d*\.?\d+|(?:the\s+)?(?:significance level|alpha(?:\s+level)?|α))"
_WORDS: dict[str, Operator] = {
    "less than or equal to": "<=", "greater than or equal to": ">=", "smaller than or equal to": "<=",
    "larger than or equal to": ">=",
    "not less than": ">=", "not greater than": "<=", "equal to or greater than": ">=", "equal to or less than": "<=",
    "less than": "<", "smaller than": "<", "lower than": "<", "below": "<", "under": "<",
    "greater than": ">", "larger than": ">", "higher than": ">", "more than": ">", "above": ">", "exceeds": ">",
    "exceeding": ">", "over": ">",
    "at least": ">=", "at most": "<=", ">=": ">=", "<=": "<=", "≥": ">=", "≤": "<=", ">": ">", "<": "<",
    "equal to": "=", "equals": "=",
}  # fmt: skip
_OPERATOR = "|".join(re.escape(word) for word in sorted(_WORDS, key=len, reverse=True))
_SINGLE = re.compile(rf"(?P<op>{_OPERATOR})\s*(?:or equal to\s*)?{_NUMBER}", re.IGNORECASE)
_CHAIN = re.compile(
    r"(?P<low>[-+−]?\d*\.?\d+)\s*(?P<first><=|<|≤)\s*(?P<what>[^<>≤≥\d]{1,40}?)\s*(?P<second><=|<"
    r"|≤)\s*(?P<high>[-+−]?\d*\.?\d+)"
)
_BETWEEN = re.compile(
    r"(?P<outside>outside(?: of)?|not)?\s*(?:the\s+)?(?:range\s+(?:of\s+)?)?(?:is\s+|lies\s+|falls?\s+)?(?:between"
    r"|within|from|in|of)?\s*(?:the\s+range\s+(?:of\s+)?)?\[?"
    r"(?P<low>[-+−]?\s?\d*\.?\d+)\s*(?P<link>and|to|,|–|~)\s*(?P<high>[-+−]?\s?\d*\.?\d+)",
    re.IGNORECASE,
)
_SUBJECTS: tuple[tuple[str, str], ...] = (
    (r"p[\s_-]?values?|\bp\b(?=\s*[<>=≤≥])", "p"),
    (r"skewness|\bskew\b", "skewness"),
    (r"kurtosis", "kurtosis"),
    (r"\|\s*r\s*\||absolute|\br\b|coefficient|correlation", "r"),
    (r"value|statistic|score", "value"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A condition and where a clause states it; the condition is None if the tested quantity is unknown."""

    __test__ = False

    condition: Condition | None
    start: int
    end: int


def tests_in(clause: str, quantities: Mapping[str, str], alpha: float) -> list[Test]:
    """Return the tests of a clause in order. A test without a quantity is of the same one as the test before it."""
    found: list[Test] = []
    subject: Expr | None = None
    taken: list[tuple[int, int]] = []
    spans = sorted(
        [(match, "chain") for match in _CHAIN.finditer(clause)]
        + [(match, "between") for match in _BETWEEN.finditer(clause) if _ranged(match)]
        + [(match, "single") for match in _SINGLE.finditer(clause)],
        key=lambda pair: (pair[0].start(), -pair[0].end()),
    )
    for match, kind in spans:
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        taken.append(match.span())
        before = clause[found[-1].end if found else 0 : match.start()]
        subject = (
            _subject(match.group("what") if kind == "chain" else before, quantities) or subject or _only(quantities)
        )
        condition = _condition(match, kind, subject, alpha) if subject is not None else None
        found.append(Test(condition=condition, start=match.start(), end=match.end()))
    return found


def _ranged(match: re.Match[str]) -> bool:
    """Return whether two numbers form a range; two bare numbers separated by a comma do not."""
    return match.group("link") != "," or "[" in match.group()


def _subject(text: str, quantities: Mapping[str, str]) -> Expr | None:
    best: tuple[int, str] | None = None
    for pattern, key in _SUBJECTS:
        if key not in quantities:
            continue
        for match in re.finditer(pattern, text, re.IGNORECASE):
            if best is None or (match.start() > best[0] and key != "value"):
                best = (match.start(), key)
    if best is None:
        return None
    column: Expr = Col(name=quantities[best[1]])
    absolute = re.search(r"absolute|\|\s*\w+\s*\||magnitude|\babs\b", text, re.IGNORECASE)
    return Func(name="abs", of=column) if absolute and best[1] != "p" else column


def _only(quantities: Mapping[str, str]) -> Expr | None:
    return Col(name=next(iter(quantities.values()))) if len(quantities) == 1 else None


def _condition(match: re.Match[str], kind: str, subject: Expr, alpha: float) -> Condition:
    if kind == "single":
        said = match.group("number")
        value = number(said) if any(char.isdigit() for char in said) else alpha
        return Compare(op=_WORDS[match.group("op").lower()], left=subject, right=Lit(value=value))
    low, high = sorted((number(match.group("low")), number(match.group("high"))))
    if kind == "between" and match.group("outside"):
        return AnyOf(
            parts=(
                Compare(op="<", left=subject, right=Lit(value=low)),
                Compare(op=">", left=subject, right=Lit(value=high)),
            )
        )
    strict = (match.group("first") == "<", match.group("second") == "<") if kind == "chain" else (False, False)
    return AllOf(
        parts=(
            Compare(op=">" if strict[0] else ">=", left=subject, right=Lit(value=low)),
            Compare(op="<" if strict[1] else "<=", left=subject, right=Lit(value=high)),
        )
    )


def number(text: str) -> float:
    """Return a number as written in a question."""
    return float(text.replace("−", "-").replace(" ", "").lstrip("+"))
