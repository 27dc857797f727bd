"""Numbers sorted into named categories: `'Child' (0-12 years), 'Adult' (13 and above)`, `'High' if it is above the
75th percentile`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablewright.analyst.grammar.forms.phrases import Linker, Phrase
from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.linking.mentions import NumberMention
from tablewright.analyst.plan import AllOf, Case, Col, Compare, Condition, Cut, Expr, Lit, Statistic

_TWO = 2
_NEAR = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """One category; an open end is None. `spoken` if its ends come with words of comparison."""

    label: str
    low: float | None = None
    high: float | None = None
    low_closed: bool = True
    high_closed: bool = True
    quantiles: bool = False
    spoken: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bands:
    """Categories of a column, as an expression, and their labels."""

    of: Expr
    labels: tuple[str, ...]


def bands(phrase: Phrase, name: str, linker: Linker, before: Sequence[str]) -> Bands | None:
    """Return the categories that a text defines for the column `name`, else None. `before` are the columns that were
    named before."""
    labels = _labels(phrase, name, linker)
    if not labels:
        return None
    found: list[Band] = []
    rest: str | None = None
    against: tuple[Condition, str] | None = None
    for place, (label, _, end) in enumerate(labels):
        until = labels[place + 1][1] if place + 1 < len(labels) else len(phrase.tokens)
        start = _clause_start(phrase, labels, place)
        if any((word.end <= end and word.start >= start) or (end <= word.start < until and place + 1 == len(labels))
               for word in phrase.of("otherwise")):  # fmt: skip
            rest = label
            continue
        band = _band(phrase, label, end, until)
        if band is not None:
            found.append(band)
        elif (test := _columns_compared(phrase, end, until, linker)) is not None:
            against = (test, label)
    if against is not None and rest is not None:
        case = Case(branches=((against[0], Lit(value=against[1])),), otherwise=Lit(value=rest))
        return Bands(of=case, labels=(against[1], rest))
    column = _column(phrase, name, linker, [one[0] for one in labels], before)
    if column is None or len(found) + (rest is not None) < _TWO:
        return None
    return Bands(of=_expression(column, found, rest), labels=(*(one.label for one in found), *([rest] if rest else [])))


def _labels(phrase: Phrase, name: str, linker: Linker) -> list[tuple[str, int, int]]:
    """Return quoted labels with their spans, else capitalised words before brackets."""
    known = {name.lower(), *(column.lower() for column in linker.columns)}
    found = [
        (phrase.said(start, end), start, end)
        for start, end in phrase.quoted
        if phrase.said(start, end).lower() not in known or _ruled(phrase, end)
    ]
    own = [one for one in found if one[0].lower() != name.lower()]
    last = {label: (label, start, end) for label, start, end in own if _ruled(phrase, end)}
    if len(own) >= _TWO:
        return sorted({**{one[0]: one for one in own}, **last}.values(), key=lambda one: one[1])
    return [
        (token.text, place, place + 1)
        for place, token in enumerate(phrase.tokens[:-1])
        if token.text[:1].isupper() and place > 0 and phrase.tokens[place + 1].norm == "("
    ]


def _ruled(phrase: Phrase, end: int) -> bool:
    """Return whether a rule follows: a bracket, or a word such as `if`."""
    following = [token for token in phrase.tokens[end : end + 2] if token.norm not in "\"'”’"]
    words = [word.start for word in phrase.of("condition", "otherwise", "being")]
    return any(token.norm in "(:" for token in following[:1]) or any(end <= start <= end + 2 for start in words)


def _clause_start(phrase: Phrase, labels: Sequence[tuple[str, int, int]], place: int) -> int:
    """Return where the clause of a label begins: after the comma before it, or after the label before it."""
    lowest = labels[place - 1][2] if place else 0
    start = labels[place][1]
    while start > lowest and phrase.tokens[start - 1].norm not in ",;":
        start -= 1
    return start


def _band(phrase: Phrase, label: str, start: int, end: int) -> Band | None:
    counts = [one for one in phrase.numbers if start <= one.start < end]
    if not counts:
        return None
    quantiles = any(start <= word.start < end for word in phrase.of("percentile"))
    bounds = list(_bounds(phrase, counts, start, end))
    low = next(((value, op) for op, value in bounds if op in {">", ">="}), None)
    high = next(((value, op) for op, value in bounds if op in {"<", "<="}), None)
    if low is None and high is None:
        ends = [float(one.value) for one in counts[:_TWO]]
        low, high = (ends[0], ">="), (ends[-1], "<=")
    spoken = any(start <= word.start and word.end <= one.start < end for word in phrase.of("compare") for one in counts)
    size = 100 if quantiles else 1
    return Band(
        label=label, low=low[0] / size if low else None, high=high[0] / size if high else None,
        low_closed=low is None or low[1] == ">=", high_closed=high is None or high[1] == "<=",
        quantiles=quantiles, spoken=spoken,
    )  # fmt: skip


def _bounds(phrase: Phrase, counts: Sequence[NumberMention], start: int, end: int) -> Iterator[tuple[str, float]]:
    words = [word for word in phrase.of("compare", "open") if start <= word.start < end]
    for one in counts:
        op = _op(words, one, phrase)
        if op:
            yield op, float(one.value)


def _op(words: Sequence[Word], number: NumberMention, phrase: Phrase) -> str:
    between = {place for one in phrase.numbers for place in range(one.start, one.end)}
    for word in words:
        if (
            word.type == "open"
            and 0 <= word.start - number.end <= _TWO
            and not between & {*range(number.end, word.start)}
        ):
            return word.meaning
    for word in reversed(words):
        behind = 0 <= number.start - word.end <= _NEAR and not between & {*range(word.end, number.start)}
        if word.type == "compare" and behind and word.meaning in {"<", "<=", ">", ">="}:
            return word.meaning
    return ""


def _columns_compared(phrase: Phrase, start: int, end: int, linker: Linker) -> Condition | None:
    """Return the test of one column against another: `'Up' if Close is greater than Open`."""
    links = [one for one in phrase.links if start <= one.start < end and linker.numeric(one.column)]
    words = [one for one in phrase.of("compare") if start <= one.start < end and one.meaning in {"<", ">"}]
    if len(links) < _TWO or not words:
        return None
    op = ">" if words[0].meaning == ">" else "<"
    return Compare(op=op, left=Col(name=links[0].column), right=Col(name=links[1].column))  # type: ignore[arg-type]


def _column(phrase: Phrase, name: str, linker: Linker, labels: Sequence[str], before: Sequence[str]) -> Col | None:
    first = next((start for start, end in phrase.quoted if phrase.said(start, end) in labels), len(phrase.tokens))
    links = [one for one in phrase.links if linker.numeric(one.column) and one.column not in {name, *labels}]
    ordered = [one.column for one in links if one.score >= 1] + [one.column for one in links if one.end <= first]
    ordered += [one.column for one in linker.phrase(name).links if linker.numeric(one.column)]
    ordered += [one.column for one in links] + [column for column in before if linker.numeric(column)]
    return Col(name=ordered[0]) if ordered else None


def _expression(column: Col, found: Sequence[Band], rest: str | None) -> Expr:
    plain = not any(band.spoken or band.quantiles for band in found) and rest is None
    if plain and all(band.low is not None and band.low != band.high for band in found):
        ordered = sorted(found, key=lambda band: band.low or 0.0)
        last = ordered[-1].high
        edges = (*(band.low or 0.0 for band in ordered), float("inf") if last is None else last + 1)
        return Cut(of=column, edges=edges, labels=tuple(band.label for band in ordered))
    ends_first = sorted(found, key=lambda band: band.low is not None and band.high is not None)
    branches = tuple((_condition(column, band), Lit(value=band.label)) for band in ends_first)
    return Case(branches=branches, otherwise=Lit(value=rest))


def _condition(column: Col, band: Band) -> Condition:
    parts: list[Condition] = []
    if band.low is not None:
        parts.append(Compare(op=">=" if band.low_closed else ">", left=column, right=_end(column, band, band.low)))
    if band.high is not None:
        parts.append(Compare(op="<=" if band.high_closed else "<", left=column, right=_end(column, band, band.high)))
    return parts[0] if len(parts) == 1 else AllOf(parts=tuple(parts))


def _end(column: Col, band: Band, value: float) -> Expr:
    return Statistic(name="quantile", of=column, argument=value) if band.quantiles else Lit(value=value)
