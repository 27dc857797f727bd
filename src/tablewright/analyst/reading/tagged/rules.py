"""Verdicts by a stated rule: `consider it linear if the p-value is less than 0.05 and the absolute value of r is at
least 0.5`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tablewright.analyst.plan import AllOf, AnyOf, Case, Col, Compare, Condition, Expr, Lit
from tablewright.analyst.reading.tagged.thresholds import Test, tests_in

_SENTENCE = re.compile(r"(?<!\d)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|\n|;|•|(?<=\s)-\s", re.IGNORECASE)
_CLAUSE = re.compile(
    r",?\s*\b(?:otherwise|else|whereas|while)\b,?|,\s*(?:and|or|but)\s+(?=(?:if|it is|considered)\b)|,\s+(?=if\b)",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(r"\b(?:otherwise|else|in all other cases|neither)\b", re.IGNORECASE)
_NEGATIVE = frozenset(
    {"no", "not", "none", "non", "false", "isn", "doesn", "insignificant", "nonlinear", "uncorrelated", "without",
        "fail", "absent"}
)  # fmt: skip
_DENYING = re.compile(r"\b(?:no|not|non|neither|doesn't|isn't|without)\s*-?\s*(?:\w+\s+){0,2}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An option and where a clause names it."""

    option: str
    start: int
    end: int


def label(text: str, options: Sequence[str], quantities: Mapping[str, str], alpha: float = 0.05) -> Expr | None:
    """Return the verdict that the rule in `text` defines, as an expression; None if there is no rule. `quantities`
    maps what may be tested (`p`, `r`, `skewness`, `kurtosis`, `value`) to columns."""
    branches: list[tuple[Condition, Expr]] = []
    rest: str | None = None
    for sentence in _SENTENCE.split(text):
        for clause, otherwise in _clauses(sentence):
            found, left_over = _read(clause, options, quantities, alpha)
            branches += found
            if otherwise and left_over is not None:
                rest = left_over
    branches = list(dict(reversed([(option, (test, option)) for test, option in branches])).values())[::-1]
    if not branches:
        return None
    said = {option.value for _, option in branches if isinstance(option, Lit)}
    free = [option for option in options if option not in said]
    if rest is None and len(free) > 1:
        rest = negative(free)
    if rest is None:
        rest = free[0] if free else negative(options) or options[-1]
    return Case(branches=tuple(branches), otherwise=Lit(value=rest))


def _clauses(sentence: str) -> list[tuple[str, bool]]:
    """Return the clauses of a sentence, each with whether it is about all other cases."""
    clauses: list[tuple[str, bool]] = []
    start, otherwise = 0, False
    for match in _CLAUSE.finditer(sentence):
        clauses.append((sentence[start : match.start()], otherwise))
        start, otherwise = match.end(), _OTHERWISE.search(match.group()) is not None
    clauses.append((sentence[start:], otherwise))
    return [(clause, otherwise or _OTHERWISE.search(clause) is not None) for clause, otherwise in clauses]


def _read(
    clause: str, options: Sequence[str], quantities: Mapping[str, str], alpha: float
) -> tuple[list[tuple[Condition, Expr]], str | None]:
    """Return the branches of a clause, and the option that it names without a test, if any."""
    tests = [test for test in tests_in(clause, quantities, alpha) if test.condition is not None]
    said = mentioned(clause, options)
    if not tests:
        return [], said[0].option if len(said) == 1 else None
    if not said:
        denied = negative(options)
        if denied is None or not re.search(r"\bno\b|\bnot\b|\bnone\b", clause.lower()):
            return [], None
        return [(_joined(clause, tests), Lit(value=denied))], None
    up = [one.option for one in said if "positive" in one.option.lower()]
    if up and len(tests) == 1 and len(said) > 1 and "r" in quantities and "sign" in clause:
        signed = signs([one.option for one in said], quantities["r"])
        return ([(tests[0].condition, signed)] if signed is not None and tests[0].condition else []), None
    return [(_joined(clause, own), Lit(value=one.option)) for one, own in _assigned(said, tests) if own], None


def _assigned(said: Sequence[Said], tests: Sequence[Test]) -> list[tuple[Said, list[Test]]]:
    """Return each option with its tests: those after it if the clause begins with an option, else those before it."""
    pairs: list[tuple[Said, list[Test]]] = []
    leading = said[0].start < tests[0].start
    for place, one in enumerate(said):
        if leading:
            low, high = one.start, said[place + 1].start if place + 1 < len(said) else float("inf")
        else:
            low = said[place - 1].start if place else -1
            high = one.start if place + 1 < len(said) else float("inf")
        pairs.append((one, [test for test in tests if low <= test.start < high]))
    return pairs


def _joined(clause: str, tests: Sequence[Test]) -> Condition:
    parts = tuple(test.condition for test in tests if test.condition is not None)
    if len(parts) == 1:
        return parts[0]
    between = clause[tests[0].end : tests[1].start].lower()
    if re.search(r"\bor\b", between) and not re.search(r"\band\b", between):
        return AnyOf(parts=parts)
    return AllOf(parts=parts)


def mentioned(clause: str, options: Sequence[str]) -> list[Said]:
    """Return where a clause names options. Longer options are matched first, since `not normal` contains `normal`; a
    negated option counts as its opposite."""
    found: list[Said] = []
    for option in sorted(options, key=len, reverse=True):
        for match in re.finditer(_pattern(option), clause, re.IGNORECASE):
            if any(one.start < match.end() and match.start() < one.end for one in found):
                continue
            found.append(
                Said(option=_meant(option, clause[: match.start()], options), start=match.start(), end=match.end())
            )
    ordered = sorted(found, key=lambda one: one.start)
    return [one for place, one in enumerate(ordered) if one.option not in {other.option for other in ordered[:place]}]


def _pattern(option: str) -> str:
    """Return a pattern for an option as people write it: `skewed_right` matches `skewed to the right` and
    `right-skewed`."""
    words = [re.escape(word) for word in re.split(r"[\s_-]+", option) if word]
    straight = r"(?:[\s_-]+(?:to|the|a|an|towards?))*[\s_-]*".join(words)
    if len(words) != 2 or _denies(option):
        return rf"(?<!\w){straight}(?!\w)"
    return rf"(?<!\w)(?:{straight}|{words[1]}[\s_-]+{words[0]})(?!\w)"


def _meant(option: str, before: str, options: Sequence[str]) -> str:
    denied = negative(options)
    if denied is None or _denies(option) or len(options) > 3 or not _DENYING.search(before):
        return option
    return denied


def negative(options: Sequence[str]) -> str | None:
    """Return the option that denies, or None."""
    denied = next((option for option in options if _denies(option)), None)
    if denied is not None or len(options) != 2:
        return denied
    one, other = (re.sub(r"[^a-z]", "", option.lower()) for option in options)
    prefixes = ("not", "non", "no", "in", "un")
    if any(other == prefix + one for prefix in prefixes):
        return options[1]
    return options[0] if any(one == prefix + other for prefix in prefixes) else None


def _denies(option: str) -> bool:
    words = re.sub(r"[^\w]+|_", " ", option.lower()).split()
    return bool(words) and (words[0] in _NEGATIVE or any(word in {"not", "no"} for word in words))


def positive(options: Sequence[str]) -> str | None:
    """Return the option that affirms, or None."""
    denied = negative(options)
    return next((option for option in options if option != denied), None)


def signs(options: Sequence[str], column: str) -> Expr | None:
    """Return the verdict by the sign of a column; None unless there are options for positive and negative."""
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
