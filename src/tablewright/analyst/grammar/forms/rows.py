"""Rows that a task or a tag is about: those with a cell, a label, a number in a column, a flag that is set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablewright.analyst.grammar.forms.making import Made
from tablewright.analyst.grammar.forms.phrases import FEW, Link, Linker, Phrase
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Between, Bucket, Col, Compare, Condition, Lit, Missing, Not, OneOf
from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.table import Cell

_NEAR = 2
_FAR = 4
_STEM = 5
_YES = frozenset({"yes", "y", "true", "t", "1", "是"})
_NO = frozenset({"no", "n", "false", "f", "0", "否"})
_DATED = frozenset({"date", "datetime"})
_EQUAL = frozenset(
    {"of", "=", "is", "equal", "to", "equals", "value", "are", "was", ":", "were", "exactly", "for", "'", '"'}
)
_EQUALS = frozenset({"of", "=", "equal", "equals", "exactly"})
_OPS = frozenset({"<", "<=", ">", ">=", "=", "!="})
_DECADE = 10
_WITHOUT = frozenset({"without", "not", "non", "no", "never", "did", "un", "didn"})
_WITH = frozenset({"with", "has", "have"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rows for which `where` holds, a test of `column`, and the tokens that say so."""

    where: Condition
    column: str
    start: int
    end: int
    value: Cell = None


def flags(column: ColumnFacts, cells: Sequence[str]) -> tuple[Cell, Cell] | None:
    """Return the values for yes and no of a column of flags, or None."""
    if column.kind in {"integer", "number"}:
        return (1, 0) if (column.minimum, column.maximum) == (0, 1) and (column.distinct or 2) == len("01") else None
    if column.kind == "boolean" and not cells:
        return True, False
    by = {cell.strip().lower(): cell for cell in cells}
    yes, no = [by[one] for one in by if one in _YES], [by[one] for one in by if one in _NO]
    return (yes[0], no[0]) if len(by) == len("yn") and yes and no else None


def groups_of(phrase: Phrase, linker: Linker, made: Sequence[Made], known: Sequence[str]) -> list[Group]:
    """Return the rows that a tag's words may mean; `known` are the columns that the task names."""
    kept: list[Group] = []
    for group in every_group(phrase, linker, made, known):
        if all(one.column != group.column for one in kept):
            kept.append(group)
    return sorted(kept, key=lambda group: group.start)


def every_group(phrase: Phrase, linker: Linker, made: Sequence[Made], known: Sequence[str]) -> list[Group]:
    """Return the rows that words may mean, of one column several too."""
    found = [
        *_labels(phrase, made), *_cells(phrase, linker, known), *_numbered(phrase, linker, known),
        *flagged(phrase, linker), *_gaps(phrase, linker), *_days(phrase, linker), *_decades(phrase, linker),
    ]  # fmt: skip
    kept: list[Group] = []
    for group in found:
        if not any(one.start < group.end and group.start < one.end for one in kept):
            kept.append(group)
    return kept


def _labels(phrase: Phrase, made: Sequence[Made]) -> Iterator[Group]:
    found: list[tuple[int, int, str, str]] = []
    for one in made:
        for label in one.labels:
            found += [(start, end, one.name, label) for start, end in spans(phrase, lemmas(label))]
    for start, end, name, label in sorted(found, key=lambda one: one[0] - one[1]):
        yield Group(where=is_equal(name, label), column=name, start=start, end=end, value=label)


def spans(phrase: Phrase, said: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield where a text says words in a row."""
    places = [place for place, token in enumerate(phrase.tokens) if token.kind != "mark"]
    for first in range(len(places) - len(said) + 1):
        inside = places[first : first + len(said)]
        if said and tuple(phrase.tokens[place].lemma for place in inside) == said:
            yield inside[0], inside[-1] + 1


def is_equal(column: str, value: Cell) -> Compare:
    """Return the test of whether a column has a value."""
    return Compare(op="=", left=Col(name=column), right=Lit(value=value))


def _cells(phrase: Phrase, linker: Linker, known: Sequence[str]) -> Iterator[Group]:
    for cell in sorted(phrase.cells, key=lambda one: one.start - one.end):
        places = sorted(cell.places, key=lambda place: place[0] not in known)
        column, value = places[0]
        if flags(linker.columns[column], linker.cells.get(column, ())) is None:
            yield Group(where=is_equal(column, value), column=column, start=cell.start, end=cell.end, value=value)


def _numbered(phrase: Phrase, linker: Linker, known: Sequence[str]) -> Iterator[Group]:
    """Yield a number beside a column of few numbers (`class 1`, `grade4`, `1st class`), or in one that is named."""
    for one in phrase.numbers:
        near = [link for link in phrase.links if 0 <= one.start - link.end <= 0 or 0 <= link.start - one.end <= 0]
        few = [link for link in near if is_few(linker, link.column) and holds(linker.columns[link.column], one.value)]
        for link in few[:1]:
            start, end = min(link.start, one.start), max(link.end, one.end)
            yield Group(
                where=is_equal(link.column, one.value), column=link.column, start=start, end=end, value=one.value
            )
        if not few and not near:
            rest = [name for name in known if is_few(linker, name) and holds(linker.columns[name], one.value)]
            for name in rest[:1]:
                yield Group(where=is_equal(name, one.value), column=name, start=one.start, end=one.end, value=one.value)


def is_few(linker: Linker, name: str) -> bool:
    """Return whether a column holds only few different numbers."""
    column = linker.columns[name]
    return column.kind in {"integer", "number"} and (column.distinct or FEW + 1) <= FEW


def holds(column: ColumnFacts, value: float) -> bool:
    """Return whether a number may be one of a column's: within its range, and whole where it holds whole ones."""
    low, high = column.minimum, column.maximum
    within = isinstance(low, int | float) and isinstance(high, int | float) and low <= value <= high
    return within and (column.kind != "integer" or float(value).is_integer())


def flagged(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    """Yield flags that are set, or with a denial before them not set."""
    for link in _flag_links(phrase, linker):
        pair = flags(linker.columns[link.column], linker.cells.get(link.column, ()))
        if pair is None:
            continue
        start = link.start
        denied = start > 0 and phrase.tokens[start - 1].norm in _WITHOUT
        start -= denied or (start > 0 and phrase.tokens[start - 1].norm in _WITH)
        value = pair[1] if denied else pair[0]
        yield Group(where=is_equal(link.column, value), column=link.column, start=start, end=link.end, value=value)


def _flag_links(phrase: Phrase, linker: Linker) -> list[Link]:
    """Return the links to columns of flags, other forms of their names too (`delay rate` of `Delayed`)."""
    found = list(phrase.links)
    covered = {place for link in found for place in range(link.start, link.end)}
    for column in linker.facts.columns:
        for place, token in enumerate(phrase.tokens):
            name = lemmas(column.name)
            alike = any(_alike(token.lemma, said) for said in name)
            if place not in covered and alike and flags(column, linker.cells.get(column.name, ())) is not None:
                found.append(Link(start=place, end=place + 1, column=column.name, score=0.8))
    return found


def _alike(one: str, other: str) -> bool:
    return len(one) >= _STEM and len(other) >= _STEM and one[:_STEM] == other[:_STEM]


def _gaps(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    """Yield rows in which a named column has no value, or has one."""
    for word in phrase.of("filled", "gap"):
        for link in phrase.links:
            if abs(link.end - word.start) <= 1 and linker.columns[link.column].missing:
                test: Condition = Missing(of=Col(name=link.column))
                where = test if word.type == "gap" else Not(of=test)
                yield Group(
                    where=where, column=link.column, start=min(link.start, word.start), end=word.end, value=word.type
                )


def _days(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    dated = [column.name for column in linker.facts.columns if column.kind in _DATED]
    for word in phrase.of("days") if dated else ():
        weekend = OneOf(of=Bucket(of=Col(name=dated[0]), unit="weekday"), values=("Sat", "Sun"))
        where: Condition = weekend if word.meaning == "weekend" else Not(of=weekend)
        yield Group(where=where, column=f"days of {dated[0]}", start=word.start, end=word.end, value=word.meaning)


def _decades(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    years = [c.name for c in linker.facts.columns if c.kind == "integer" and holds(c, 1990) and not holds(c, 9999)]
    for one in phrase.numbers:
        following = phrase.tokens[one.end : one.end + 1]
        if (
            one.year
            and years
            and following
            and following[0].norm == "s"
            and following[0].start == phrase.tokens[one.start].end
        ):
            where = Between(of=Col(name=years[0]), low=one.value, high=one.value + _DECADE - 1)
            yield Group(where=where, column=years[0], start=one.start, end=one.end + 1, value=one.value)
