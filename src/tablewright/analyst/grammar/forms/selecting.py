"""Rows that a task is about: those that its sentences select, by cells, numbers, flags, or two columns compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablewright.analyst.grammar.forms.making import Made
from tablewright.analyst.grammar.forms.phrases import Link, Linker, Phrase
from tablewright.analyst.grammar.forms.rows import Group, flagged, flags, groups_of, holds, is_equal, is_few
from tablewright.analyst.grammar.rows import row_words
from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.linking.mentions import NumberMention, PeriodMention
from tablewright.analyst.linking.periods import periods
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Between, Bucket, Col, Compare, Condition, Lit, OneOf

_NEAR = 2
_FAR = 4
_EQUAL = frozenset(
    {"of", "=", "is", "equal", "to", "equals", "value", "are", "was", ":", "were", "exactly", "for", "'", '"'}
)
_EQUALS = frozenset({"of", "=", "equal", "equals", "exactly"})
_OPS = frozenset({"<", "<=", ">", ">=", "=", "!="})


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
        where = is_equal(column, value)
        if any(0 < cell.start - word.end + 1 <= _FAR for word in phrase.of("drop", "deny")):
            where = Compare(op="!=", left=where.left, right=where.right)
        yield Group(where=where, column=column, start=cell.start, end=cell.end, value=value)
    yield from _compared(phrase, linker)
    yield from _against(phrase, linker)
    yield from _periods(phrase, linker)
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
                or (words and identifies(linker, link.column))
                or one.start < link.end
                or len(between) > _FAR + 1
            ):
                continue
            if any(
                link.end <= other.start < one.start
                for other in _spans(phrase)
                if (other.start, other.end) not in {(link.start, link.end), (one.start, one.end)}
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
            if not words and not opened and not (is_few(linker, link.column) or {t.norm for t in between} & _EQUALS):
                continue
            where = Compare(op=op, left=Col(name=link.column), right=Lit(value=one.value))  # type: ignore[arg-type]
            yield Group(where=where, column=link.column, start=link.start, end=one.end, value=one.value)
        yield from _before(phrase, linker, one.start, one.end, one.value)


def _periods(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    """Yield the days, months or years of the only column of dates."""
    dated = [column.name for column in linker.facts.columns if column.kind in {"date", "datetime"}]
    for one in periods(phrase.text, phrase.tokens) if len(dated) == 1 else ():
        where = _within(Col(name=dated[0]), one)
        if where is not None:
            yield Group(where=where, column=dated[0], start=one.start, end=one.end, value=one.text or one.low)


def _within(of: Col, period: PeriodMention) -> Condition | None:
    if period.low is not None and period.high is not None:
        return Between(of=of, low=period.low, high=period.high)
    months = period.months or ((period.month,) if period.month else ())
    if not months or period.day is not None:
        return None
    bucket = Bucket(of=of, unit="month_of_year")
    if len(months) > 1:
        return OneOf(of=bucket, values=tuple(months))
    return Compare(op="=", left=bucket, right=Lit(value=months[0]))


def _spans(phrase: Phrase) -> list[Link | NumberMention]:
    return [*phrase.links, *phrase.numbers]


def _comparing(phrase: Phrase) -> list[Word]:
    """Return the words that compare; `from` says where something is taken from."""
    turned = {word.start for word in phrase.of("turned")}
    return [word for word in phrase.of("compare") if word.start not in turned]


def identifies(linker: Linker, name: str) -> bool:
    """Return whether a column numbers the rows."""
    column = linker.columns[name]
    low, high = column.minimum, column.maximum
    numbered = isinstance(low, int | float) and isinstance(high, int | float) and high - low + 1 == linker.facts.rows
    return column.kind == "integer" and column.distinct == linker.facts.rows and numbered


def _against(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    """Yield a column compared with another: `Miles higher than Planned`."""
    numeric = [link for link in phrase.links if linker.numeric(link.column) and not identifies(linker, link.column)]
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
        if identifies(linker, link.column):
            continue
        if words or (is_few(linker, link.column) and holds(linker.columns[link.column], value)):
            op = words[0].meaning if words else "="
            where = Compare(op=op, left=Col(name=link.column), right=Lit(value=value))  # type: ignore[arg-type]
            yield Group(where=where, column=link.column, start=start, end=link.end, value=value)


def _who(phrase: Phrase, linker: Linker) -> Iterator[Group]:
    """Yield the flags of `passengers who survived`, `excluding cancelled flights`."""
    for group in flagged(phrase, linker):
        before = [word for word in phrase.of("who", "drop") if 0 <= group.start - word.end <= 1]
        joined = group.start > 0 and phrase.tokens[group.start - 1].norm == "and"
        if joined and not before and not phrase.has("correlation", "predict", "make", "between"):
            before = [word for word in phrase.of("who") if word.end < group.start]
        dropped = any(word.type == "drop" for word in before)
        if not before:
            continue
        pair = flags(linker.columns[group.column], linker.cells.get(group.column, ()))
        if dropped and pair is not None and phrase.of("gap") == []:
            yield Group(
                where=is_equal(group.column, pair[1]),
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
