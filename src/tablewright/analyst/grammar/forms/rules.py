"""Verdicts by the rules that a task states: `linear if the p-value is less than 0.05 and |r| is at least 0.5`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tablewright.analyst.grammar.forms.phrases import Phrase
from tablewright.analyst.grammar.forms.words import vocabulary
from tablewright.analyst.linking.tokens import Token, lemmas
from tablewright.analyst.plan import AllOf, AnyOf, Case, Col, Compare, Condition, Expr, Func, Lit, Not

Op = Literal["<", "<=", ">", ">="]
_TURNED: dict[str, Op] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEAR = 6
_SKIPPED = frozenset({"to", "the", "a", "an", "towards", "-", "_"})
_TWO = 2
_DENIAL_NEAR = 3
_PREFIXES = ("not", "non", "no", "in", "un")


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A test of a quantity, and where it is said."""

    start: int
    end: int
    where: Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option, and where it is said."""

    option: str
    start: int
    end: int


def rule(
    phrases: Sequence[Phrase], options: Sequence[str], quantities: Mapping[str, str], alpha: float, affirmed: str = ""
) -> Expr | None:
    """Return the verdict that sentences define, as an expression; None if they define none. `quantities` maps what may
    be tested (`p`, `r`, `skew`, `kurtosis`) to columns; words of the type `affirmed` stand for the option that
    affirms, where a sentence names none."""
    branches: list[tuple[Condition, Expr]] = []
    rest: str | None = None
    for phrase in phrases:
        for start, end, otherwise in _clauses(phrase):
            tests = [one for one in tests_in(phrase, quantities, alpha) if start <= one.start < end]
            said = [one for one in mentioned(phrase, options) if start <= one.start < end]
            if affirmed and tests and not said:
                said = _affirmed(phrase, options, affirmed)
            found = _branches(phrase, tests, said, options, quantities)
            branches += [branch for branch in found if all(branch[1] != other for _, other in branches)]
            if otherwise and not tests and len(said) == 1:
                rest = said[0].option
    if not branches:
        return None
    told = {option.value for _, option in branches if isinstance(option, Lit)}
    free = [option for option in options if option not in told]
    if rest is None:
        rest = (negative(free) if len(free) > 1 else None) or (free[0] if free else negative(options)) or options[-1]
    return Case(branches=tuple(branches), otherwise=Lit(value=rest))


def _affirmed(phrase: Phrase, options: Sequence[str], affirmed: str) -> list[Option]:
    """Return the option that a word of a type stands for: the affirmed one, or if it is denied the other."""
    for word in phrase.of(affirmed):
        denied = any(0 <= word.start - one.end <= _DENIAL_NEAR + 1 for one in phrase.of("deny"))
        option = negative(options) if denied else positive(options)
        if option is not None:
            return [Option(option=option, start=word.start, end=word.end)]
    return []


def _clauses(phrase: Phrase) -> Iterator[tuple[int, int, bool]]:
    """Yield the clauses of a sentence, and whether they are about all other cases. A list of options with their tests
    is one clause."""
    start, otherwise = 0, False
    for word in phrase.of("otherwise"):
        yield start, word.start, otherwise
        start, otherwise = word.end, True
    yield start, len(phrase.tokens), otherwise


def _branches(
    phrase: Phrase, tests: Sequence[Test], said: Sequence[Option], options: Sequence[str],
    quantities: Mapping[str, str],
) -> list[tuple[Condition, Expr]]:  # fmt: skip
    if not tests:
        return []
    if not said:
        denied = negative(options)
        if denied is None or not phrase.has("deny"):
            return []
        return [(_joined(phrase, tests), Lit(value=denied))]
    signed = [one.option for one in said]
    if len(tests) == 1 and len(said) > 1 and "r" in quantities and (sign := signs(signed, quantities["r"])) is not None:
        own = [_reads(test) for test in tests]
        if quantities["r"] not in own:
            return [(tests[0].where, sign)]
    return [(_joined(phrase, own), Lit(value=one.option)) for one, own in _assigned(said, tests) if own]


def _reads(test: Test) -> str:
    where = test.where
    left = where.left if isinstance(where, Compare) else None
    left = left.of if isinstance(left, Func) else left
    return left.name if isinstance(left, Col) else ""


def _assigned(said: Sequence[Option], tests: Sequence[Test]) -> Iterator[tuple[Option, list[Test]]]:
    """Yield each option with its tests: those behind it if the clause begins with an option, else those before it."""
    leading = said[0].start < tests[0].start
    for place, one in enumerate(said):
        low = one.start if leading else (said[place - 1].start if place else -1)
        high = float(said[place + 1].start) if place + 1 < len(said) else float("inf")
        if not leading and place + 1 < len(said):
            high = one.start
        yield one, [test for test in tests if low <= test.start < high]


def _joined(phrase: Phrase, tests: Sequence[Test]) -> Condition:
    parts = tuple(dict.fromkeys(test.where for test in tests))
    if len(parts) == 1:
        return parts[0]
    between = {token.norm for token in phrase.tokens[tests[0].end : tests[1].start]}
    return AnyOf(parts=parts) if "or" in between and "and" not in between else AllOf(parts=parts)


def tests_in(phrase: Phrase, quantities: Mapping[str, str], alpha: float) -> list[Test]:
    """Return the tests of quantities in a sentence, in order."""
    found: list[Test] = []
    said = [word for word in phrase.of("quantity") if word.meaning in quantities]
    taken: set[int] = set()
    for word in phrase.of("between"):
        ends = [one for one in phrase.numbers if word.end <= one.start <= word.end + _NEAR][:_TWO]
        quantity = _quantity(phrase, quantities, word.start)
        if quantity is None or len(ends) < _TWO:
            continue
        taken |= {one.start for one in ends}
        low, high = (float(one.value) for one in ends)
        parts = (
            Compare(op=">=", left=quantity, right=Lit(value=low)),
            Compare(op="<=", left=quantity, right=Lit(value=high)),
        )
        inside: Condition = AllOf(parts=parts)
        if any(token.norm == "outside" for token in phrase.tokens[: word.start]):
            inside = Not(of=inside)
        found.append(Test(start=word.start, end=ends[-1].end, where=inside))
    if not said and not found:
        return found
    words = [word for word in phrase.of("compare") if word.meaning in _TURNED]
    tests = [_compared(phrase, one.start, one.end, one.meaning, quantities, alpha, taken) for one in words]
    found += [test for test in tests if test is not None]
    return sorted(found, key=lambda test: test.start)


def _compared(
    phrase: Phrase, start: int, end: int, op: str, quantities: Mapping[str, str], alpha: float, taken: set[int]
) -> Test | None:
    behind = [one for one in phrase.numbers if end <= one.start <= end + _NEAR and one.start not in taken]
    levels = [word for word in phrase.of("alpha") if end <= word.start <= end + _NEAR]
    before = [one for one in phrase.numbers if one.end == start]
    symbolic = phrase.tokens[start].kind == "mark"
    if (symbolic and before and not behind[:1]) or (symbolic and before and behind and behind[0].start > end + 2):
        quantity = _quantity(phrase, quantities, end + 3, least=end)
        if quantity is None:
            return None
        where = Compare(op=_TURNED[op], left=quantity, right=Lit(value=float(before[0].value)))
        return Test(start=start, end=end, where=where)
    quantity = _quantity(phrase, quantities, start) or _quantity(phrase, quantities, end + 3, least=end)
    if quantity is None or not (behind or levels):
        return None
    if symbolic and before and behind:  # a chain: 0.3 <= |r| < 0.5
        return Test(
            start=start, end=end, where=Compare(op=_TURNED[op], left=quantity, right=Lit(value=float(before[0].value)))
        )
    value = float(behind[0].value) if behind else alpha
    last = behind[0].end if behind else levels[0].end
    side = _TURNED[_TURNED[op]]
    return Test(start=start, end=last, where=Compare(op=side, left=quantity, right=Lit(value=value)))


def _quantity(phrase: Phrase, quantities: Mapping[str, str], before: int, least: int = 0) -> Expr | None:
    """Return the last quantity that is named before a place, absolute if the words before it or bars say so."""
    said = [word for word in phrase.of("quantity") if least <= word.start < before]
    known = [word for word in said if word.meaning in quantities]
    if not known:
        if said or len(quantities) != 1 or least:
            return None
        return Col(name=next(iter(quantities.values())))
    word = known[-1]
    column = Col(name=quantities[word.meaning])
    absolute = any(0 <= word.start - one.end <= 3 or one.start - word.end == 0 for one in phrase.of("absolute"))
    absolute = absolute or (word.start > 0 and phrase.tokens[word.start - 1].norm == "|")
    return Func(name="abs", of=column) if absolute else column


def mentioned(phrase: Phrase, options: Sequence[str]) -> list[Option]:
    """Return where a sentence names options, the longest first; one that is denied counts as its opposite."""
    found: list[Option] = []
    for option in sorted(options, key=lambda one: -len(lemmas(one))):
        for start, end in _spans(phrase.tokens, lemmas(option)):
            if any(one.start < end and start < one.end for one in found):
                continue
            meant = _meant(phrase, option, start, options)
            found.append(Option(option=meant, start=start, end=end))
    ordered = sorted(found, key=lambda one: one.start)
    return [one for place, one in enumerate(ordered) if all(one.option != other.option for other in ordered[:place])]


def _spans(tokens: tuple[Token, ...], said: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield where words stand in a row, but for small words; two words also the other way round."""
    orders = [said, said[::-1]] if len(said) == _TWO and not _denies(" ".join(said)) else [said]
    for start in range(len(tokens)):
        for order in orders:
            place, inside = start, 0
            while place < len(tokens) and inside < len(order):
                if tokens[place].lemma == order[inside]:
                    inside += 1
                elif inside == 0 or tokens[place].norm not in _SKIPPED:
                    break
                place += 1
            if order and inside == len(order):
                yield start, place
                break


def _meant(phrase: Phrase, option: str, start: int, options: Sequence[str]) -> str:
    denied = negative(options)
    if denied is None or denies(option, options) or len(options) > 3:
        return option
    near = any(0 < start - word.start <= _DENIAL_NEAR + 1 and word.end <= start for word in phrase.of("deny"))
    return denied if near else option


def negative(options: Sequence[str]) -> str | None:
    """Return the option that denies, or None."""
    found = next((option for option in options if _denies(option)), None)
    if found is not None or len(options) != _TWO:
        return found
    one, other = ("".join(letter for letter in option.lower() if letter.isalpha()) for option in options)
    if any(other == prefix + one for prefix in _PREFIXES):
        return options[1]
    return options[0] if any(one == prefix + other for prefix in _PREFIXES) else None


def denies(option: str, options: Sequence[str]) -> bool:
    """Return whether an option is the one that denies."""
    return option == negative(options)


def _denies(option: str) -> bool:
    said, known = lemmas(option), vocabulary()["deny"]
    return bool(said) and any((word,) in known for word in said)


def positive(options: Sequence[str]) -> str | None:
    """Return the option that affirms, or None."""
    denied = negative(options)
    return next((option for option in options if option != denied), None)


def rejecting(options: Sequence[str]) -> tuple[str | None, str | None]:
    """Return the options for a small p-value and for a large one."""
    known = vocabulary()["reject"]
    marked = [option for option in options if lemmas(option)[:1] in known and not _denies(option)]
    if len(options) == _TWO and len(marked) == 1:
        return marked[0], next(option for option in options if option != marked[0])
    return positive(options), negative(options)


def signs(options: Sequence[str], column: str) -> Expr | None:
    """Return the verdict by the sign of a column; None unless there are options for positive and negative."""
    by = {kind: [option for option in options if kind in lemmas(option)] for kind in ("positive", "negative")}
    if not by["positive"] or not by["negative"]:
        return None
    up, down = by["positive"][0], by["negative"][0]
    rest = next((option for option in options if option not in {up, down}), up)
    zero = Lit(value=0)
    return Case(
        branches=(
            (Compare(op=">", left=Col(name=column), right=zero), Lit(value=up)),
            (Compare(op="<", left=Col(name=column), right=zero), Lit(value=down)),
        ),
        otherwise=Lit(value=rest),
    )


def by_level(p_value: str, alpha: float, small: str | None, large: str | None) -> Expr | None:
    """Return the verdict by a p-value: `small` below the level, else `large`."""
    if small is None or large is None:
        return None
    below = Compare(op="<", left=Col(name=p_value), right=Lit(value=alpha))
    return Case(branches=((below, Lit(value=small)),), otherwise=Lit(value=large))
