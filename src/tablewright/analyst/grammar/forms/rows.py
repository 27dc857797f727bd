"""Rows that a task or a tag is about: those with a cell, a label, a number in a column, a flag that is set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tablewright.analyst.grammar.forms.making import Made
from tablewright.analyst.grammar.forms.phrases import FEW, Link, Linker, Phrase
from tablewright.analyst.grammar.rows import row_words
from tablewright.analyst.grammar.semantics import Word
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
        *_flagged(phrase, linker), *_gaps(phrase, linker), *_days(phrase, linker), *_decades(phrase, linker),
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
        yield Group(where=_equal(name, label), column=name, start=start, end=end, value=label)


def spans(phrase: Phrase, said: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Yield where a text says words in a row."""
    places = [place for place, token in enumerate(phrase.tokens) if token.kind != "mark"]
    for first in range(len(places) - len(said) + 1):
        inside = places[first : first + len(said)]
        if said and tuple(phrase.tokens[place].lemma for place in inside) == said:
            yield inside[0], inside[-1] + 1


def _equal(column: str, value: Cell) -> Compare:
    return Compare(op="=", left=Col(name=column), right=Lit(value=value))


def _cells(phrase: Phrase, linker: Linker, known: Sequence[str]) -> Iterator[Group]:
    for cell in sorted(phrase.cells, key=lambda one: one.start - one.end):
        places = sorted(cell.places, key=lambda place: place[0] not in known)
        column, value = places[0]
        if flags(linker.columns[column], linker.cells.get(column, ())) is None:
            yield Group(where=_equal(column, value), column=column, start=cell.start, end=cell.end, value=value)


def _numbered(phrase: Phrase, linker: Linker, known: Sequence[str]) -> Iterator[Group]:
    """Yield a number beside a column of few numbers (`class 1`, `grade4`, `1st class`), or in one that is named."""
    for one in phrase.numbers:
        near = [link for link in phrase.links if 0 <= one.start - link.end <= 0 or 0 <= link.start - one.end <= 0]
        few = [link for link in near if _is_few(linker, link.column) and _holds(linker.columns[link.column], one.value)]
        for link in few[:1]:
            start, end = min(link.start, one.start), max(link.end, one.end)
            yield Group(where=_equal(link.column, one.value), column=link.column, start=start, end=end, value=one.value)
        if not few and not near:
            rest = [name for name in known if _is_few(linker, name) and _holds(linker.columns[name], one.value)]
            for name in rest[:1]:
                yield Group(where=_equal(name, one.value), column=name, start=one.start, end=one.end, value=one.value)


def _is_few(linker: Linker, name: str) -> bool:
    column = linker.columns[name]
    return column.kind in {"integer", "number"} and (column.distinct or FEW + 1) <= FEW


def _holds(column: ColumnFacts, value: float) -> bool:
    low, high = column.minimum, column.maximum
    within = isinstance(low, int | float) and isinstance(high, int | float) and low <= value <= high
    return within and (column.kind != "integer" or float(value).is_integer())


def _flagged(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    """Yield flags that are set, or with a denial before them not set."""
    for link in _flag_links(phrase, linker):
        pair = flags(linker.columns[link.column], linker.cells.get(link.column, ()))
        if pair is None:
            continue
        start = link.start
        denied = start > 0 and phrase.tokens[start - 1].norm in _WITHOUT
        start -= denied or (start > 0 and phrase.tokens[start - 1].norm in _WITH)
        value = pair[1] if denied else pair[0]
        yield Group(where=_equal(link.column, value), column=link.column, start=start, end=link.end, value=value)


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
    years = [c.name for c in linker.facts.columns if c.kind == "integer" and _holds(c, 1990) and not _holds(c, 9999)]
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


def kept_rows(
    phrases: Sequence[Phrase], tags: Sequence[Phrase], linker: Linker, made: Sequence[Made], options: Sequence[str]
) -> tuple[Condition, ...]:
    """Return the conditions of the rows that the task is about, without those by which its tags differ."""
    apart = {
        (group.column, group.value) for tag in tags for group in groups_of(tag, linker, made, tuple(linker.columns))
    }
    compared = {column for column, _ in apart}
    making = frozenset[int]().union(*(one.sentences for one in made))
    found: dict[tuple[str, Condition], Group] = {}
    words = {lemma for option in options for lemma in lemmas(option)}
    for place, phrase in enumerate(phrases):
        if place in making:
            continue
        cells_only = _is_no_selection(phrase, asked=phrase.asked)
        for group in _tested(phrase, linker):
            if cells_only and not (phrase.asked and isinstance(group.value, str) and _is_quoted(phrase, group)):
                continue
            said = {token.lemma for token in phrase.tokens[group.start : group.end]}
            if group.column not in compared and not said <= words:
                found.setdefault((group.column, group.where), group)
    return _together(list(found.values()))


def _is_quoted(phrase: Phrase, group: Group) -> bool:
    return any(start <= group.start and group.end <= end for start, end in phrase.quoted)


def _in_quotes(phrase: Phrase, place: int) -> bool:
    return any(start <= place < end for start, end in phrase.quoted)


def unread(
    phrases: Sequence[Phrase], linker: Linker, made: Sequence[Made], known: Sequence[str]
) -> int:  # fmt: skip
    """Return how many numbers and quoted texts of the task select rows, for all one can see, but no part accounts for
    them; `known` are names and words that its quotes may be."""
    making = frozenset[int]().union(*(one.sentences for one in made))
    names = {
        name.strip().lower() for name in (*known, *linker.columns, *(label for one in made for label in one.labels))
    }
    found = 0
    for place, phrase in enumerate(phrases):
        if place in making or not (phrase.asked or phrase.has("strictly")):
            continue
        groups = list(_tested(phrase, linker))
        cells = [(cell.start, cell.end) for cell in phrase.cells]
        for start, end in phrase.quoted if phrase.asked else ():
            said = (
                any(one[0] < end and start < one[1] for one in cells)
                or phrase.said(start, end).strip().lower() in names
            )
            found += not said
        if phrase.has("quantity", "method", "outlier", "percentile", "alpha", "decimals", "split", "fill"):
            continue
        beside = {one.start for one in phrase.numbers for word in _comparing(phrase) if 0 <= one.start - word.end <= 1}
        found += sum(not any(group.start <= number < group.end for group in groups) for number in beside)
    return found


def _is_no_selection(phrase: Phrase, *, asked: bool) -> bool:
    """Return whether a sentence selects no rows: it gives rules, steps or a method, or does not restrict anything."""
    if phrase.has("quantity", "outlier", "method", "p_value", "alpha", "split", "seed", "fill", "percentile"):
        return not asked or phrase.has("method", "fill", "percentile", "p_value")
    return not asked and not phrase.has("only", "drop")


def _tested(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    names = [(link.start, link.end) for link in phrase.links if link.score >= 1]
    nouns = row_words(linker.facts)
    for cell in phrase.cells:
        inside = any(start < cell.end and cell.start < end for start, end in names)
        column, value = _place(phrase, cell.places)
        said = phrase.tokens[cell.start].norm
        inflected = cell.end - cell.start == 1 and said != value.strip().lower() and said[:-1] == value.strip().lower()
        rows = (
            cell.end - cell.start == 1
            and phrase.tokens[cell.start].lemma in nouns
            and not _in_quotes(phrase, cell.start)
        )
        if inside or inflected or rows or flags(linker.columns[column], linker.cells.get(column, ())) is not None:
            continue
        where = _equal(column, value)
        if any(0 < cell.start - word.end + 1 <= _FAR for word in phrase.of("drop", "deny")):
            where = Compare(op="!=", left=where.left, right=where.right)
        yield Group(where=where, column=column, start=cell.start, end=cell.end, value=value)
    yield from _compared(phrase, linker)
    yield from _against(phrase, linker)
    yield from _who(phrase, linker)


def _place(phrase: Phrase, places: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return the column of a cell: one that the sentence names, else the first."""
    named = {link.column for link in phrase.links}
    return next((place for place in places if place[0] in named), places[0])


def _compared(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    """Yield named columns beside a number, or compared with one or with another column."""
    counted = {one.start for one in phrase.numbers for word in phrase.of("decimals") if 0 <= word.start - one.end <= 1}
    for one in (one for one in phrase.numbers if one.start not in counted):
        for link in phrase.links:
            between = phrase.tokens[link.end : one.start]
            words = [w for w in _comparing(phrase) if link.end <= w.start and w.end <= one.start and w.meaning in _OPS]
            if (
                not linker.numeric(link.column)
                or (words and _identifies(linker, link.column))
                or one.start < link.end
                or len(between) > _FAR + 1
            ):
                continue
            if any(
                link.end <= other.start < one.start
                for other in [*phrase.links, *phrase.numbers]
                if other is not link and other is not one
            ):
                continue
            rest = [
                t
                for t in between
                if t.norm not in _EQUAL
                and t.kind != "mark"
                and not any(w.start <= phrase.tokens.index(t) < w.end for w in words)
            ]
            if rest:
                continue
            op = words[-1].meaning if words else "="
            opened = [w.meaning for w in phrase.of("open") if w.start == one.end]
            op = opened[0] if opened and not words else op
            if not words and not opened and not (_is_few(linker, link.column) or {t.norm for t in between} & _EQUALS):
                continue
            where = Compare(op=op, left=Col(name=link.column), right=Lit(value=one.value))  # type: ignore[arg-type]
            yield Group(where=where, column=link.column, start=link.start, end=one.end, value=one.value)
        yield from _before(phrase, linker, one.start, one.end, one.value)


def _comparing(phrase: Phrase) -> list[Word]:
    """Return the words that compare; `from` says where something is taken from."""
    turned = {word.start for word in phrase.of("turned")}
    return [word for word in phrase.of("compare") if word.start not in turned]


def _identifies(linker: Linker, name: str) -> bool:
    column = linker.columns[name]
    return column.kind == "integer" and column.distinct == linker.facts.rows


def _against(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    """Yield a column compared with another: `Miles higher than Planned`."""
    numeric = [link for link in phrase.links if linker.numeric(link.column) and not _identifies(linker, link.column)]
    for word in _comparing(phrase):
        left = [link for link in numeric if 0 <= word.start - link.end <= _NEAR]
        right = [link for link in numeric if 0 <= link.start - word.end <= _NEAR]
        if left and right and left[-1].column != right[0].column and word.meaning in _OPS:
            one, other = Col(name=left[-1].column), Col(name=right[0].column)
            where = Compare(op=word.meaning, left=one, right=other)  # type: ignore[arg-type]
            yield Group(where=where, column=one.name, start=left[-1].start, end=right[0].end, value=other.name)


def _before(phrase: Phrase, linker: Linker, start: int, end: int, value: float) -> Iterator[Group]:
    """Yield a number right before a column: `first class`, `at least 100 reviews`."""
    links = [link for link in phrase.links if link.start == end and linker.numeric(link.column)]
    words = [word for word in _comparing(phrase) if word.end == start and word.meaning in _OPS]
    for link in links:
        if _identifies(linker, link.column):
            continue
        if words or (_is_few(linker, link.column) and _holds(linker.columns[link.column], value)):
            op = words[0].meaning if words else "="
            where = Compare(op=op, left=Col(name=link.column), right=Lit(value=value))  # type: ignore[arg-type]
            yield Group(where=where, column=link.column, start=start, end=link.end, value=value)


def _who(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    """Yield the flags of `passengers who survived`, `excluding cancelled flights`."""
    for group in _flagged(phrase, linker):
        before = [word for word in phrase.of("who", "drop") if 0 <= group.start - word.end <= 1]
        dropped = any(word.type == "drop" for word in before)
        if not before:
            continue
        pair = flags(linker.columns[group.column], linker.cells.get(group.column, ()))
        if dropped and pair is not None and phrase.of("gap") == []:
            yield Group(
                where=_equal(group.column, pair[1]),
                column=group.column,
                start=group.start,
                end=group.end,
                value=pair[1],
            )
        elif not dropped:
            yield group


def _direction(where: Condition) -> object:
    """Return what tests of one column have in common of which the later is the more exact: their side."""
    return where.op[0] if isinstance(where, Compare) and where.op[0] in "<>" else where


def _together(groups: Sequence[Group]) -> tuple[Condition, ...]:
    """Return the conditions; several cells of one column are alternatives."""
    by: dict[str, list[Group]] = {}
    for group in groups:
        by.setdefault(group.column, []).append(group)
    found: list[Condition] = []
    for column, several in by.items():
        values = tuple(dict.fromkeys(group.value for group in several))
        equal = all(isinstance(group.where, Compare) and group.where.op == "=" for group in several)
        if len(values) > 1 and equal:
            found.append(OneOf(of=Col(name=column), values=values))
        else:
            ends = {_direction(group.where): group.where for group in several}
            found += dict.fromkeys(ends.values())
    return tuple(found)
