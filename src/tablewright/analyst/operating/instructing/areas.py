"""Candidates for cells, ranges, rows by their numbers and columns by their place on the sheet."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.semantics import mask_of
from tablewright.analyst.operating.instructing.clause import SURE, Clause
from tablewright.analyst.operating.instructing.lettered import is_letters, letters_at
from tablewright.analyst.operating.instructing.parts import Part, columns, links_of
from tablewright.analyst.operating.scene import columns_between
from tablewright.workbook.areas import letters

_LAST_ROW = 1_048_576
_NUMERALS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
             "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "first": 1, "second": 2, "third": 3,
             "fourth": 4, "fifth": 5}  # fmt: skip
_LEADING = frozenset({"first", "leftmost", "left", "前", "左边", "左侧"})
_PLACES = frozenset({"first", "second", "third", "fourth", "fifth"})
_JOINTS = frozenset({"and", "和", "与", "及", "跟", "、", ",", "&"})
_TO = frozenset({":", "to", "through", "-", "–", "~", "到", "至"})
_BARE = 0.3
_NAMED = 0.05
_HELD = 1.5


def cell_at(clause: Clause, at: int) -> tuple[str, int] | None:
    """Return the cell that is written at a token, with the token behind it."""
    tokens = clause.tokens
    while at < len(tokens) and tokens[at].norm == "$":
        at += 1
    if at + 1 >= len(tokens) or not is_letters(tokens[at]):
        return None
    row = at + 1 + (tokens[at + 1].norm == "$")
    if row >= len(tokens) or tokens[row].kind != "number" or tokens[row].start > tokens[at].end + 1:
        return None
    number = tokens[row].text
    touching = tokens[row].start == tokens[at].end + (row > at + 1)
    if (
        not (number.isascii() and number.isdecimal())
        or number.startswith("0")
        or not touching
        or int(number) > _LAST_ROW
    ):
        return None
    return f"{tokens[at].text.upper()}{number}", row + 1


def cells(clause: Clause) -> Iterator[Part]:
    """Yield the single cells that are written."""
    for at in range(len(clause.tokens)):
        found = cell_at(clause, at)
        if found is not None and not _in_header(clause, at, found[1]):
            mask = mask_of(at, found[1])
            yield Part(mask=mask, value=found[0], cost=_HELD * _is_value(clause, mask), start=at)


def _is_value(clause: Clause, mask: int) -> bool:
    """Return whether what looks like a cell is what a cell of the table holds, as `W2507` among numbers of orders."""
    return any(one.how == "exact" and mask_of(one.start, one.end) & mask for one in clause.linked.cells)


def ranges(clause: Clause) -> Iterator[Part]:
    """Yield the ranges that are written, single cells among them."""
    for part in cells(clause):
        yield part
        end = part.mask.bit_length()
        for joint in range(end, min(end + 3, len(clause.tokens))):
            if clause.tokens[joint].norm in _TO and (found := cell_at(clause, joint + 1)) is not None:
                mask = mask_of(part.start, found[1])
                loss = -0.2 if clause.tokens[joint].kind == "mark" else -0.05
                yield Part(mask=mask, value=f"{part.value}:{found[0]}", cost=loss, start=part.start)


def _in_header(clause: Clause, start: int, end: int) -> bool:
    """Return whether what looks like a cell is the name of a column."""
    mask = mask_of(start, end)
    return any(link.mask & mask == mask and link.score >= SURE for link in links_of(clause))


def areas(clause: Clause) -> Iterator[Part]:
    """Yield the cells that something is done to: ranges, columns, rows by number, the header, the whole table."""
    yield from ranges(clause)
    for columns_part in column_lists(clause):
        names = columns_part.value
        spans = tuple(clause.place.span(name) for name in names)
        yield Part(mask=columns_part.mask, value=spans, cost=columns_part.cost + _NAMED, start=columns_part.start)
    for rows_part in numbered_rows(clause):
        first, count = rows_part.value
        area = clause.place.area
        text = f"{letters(area.first_column)}{first}:{letters(area.last_column)}{first + count - 1}"
        yield Part(mask=rows_part.mask, value=text, cost=rows_part.cost + _NAMED, start=rows_part.start)
    header = clause.place.header_range
    for word in clause.of("noun:header") if header else ():
        yield Part(mask=word.mask, value=header, start=word.start)
    for word in [*clause.of("noun:table"), *clause.of("noun:allcells")]:
        yield Part(mask=word.mask, value=clause.place.area.text, cost=_NAMED, start=word.start)
    yield from _whole_sheet(clause)


def _whole_sheet(clause: Clause) -> Iterator[Part]:
    for word in clause.of("noun:wholesheet"):
        yield Part(mask=word.mask, value=clause.place.area.text, start=word.start)


def spoken_areas(clause: Clause) -> Iterator[Part]:
    """Yield the cells that are named, and those that were spoken of last where none are."""
    yield from areas(clause)
    memory = clause.memory
    if memory.area is not None:
        yield Part(mask=0, value=memory.area, cost=_BARE)
    elif memory.columns and memory.columns[-1] in clause.place.names:
        spans = tuple(clause.place.span(name) for name in memory.columns if name in clause.place.names)
        yield Part(mask=0, value=spans, cost=2 * _BARE)


def numbered_rows(clause: Clause) -> Iterator[Part]:
    """Yield rows by their numbers on the sheet, as (first row, how many)."""
    ordinal = 0
    for word in clause.of("ordinal"):
        ordinal |= word.mask
    for noun in clause.of("noun:row"):
        at = noun.end
        while at < len(clause.tokens) and clause.tokens[at].norm in {"number", "#"}:
            at += 1
        if (found := _span_at(clause, at, step=1)) is not None:
            first, last, end = found
            yield Part(mask=mask_of(noun.start, end), value=(first, last - first + 1), start=noun.start)
            if last > first and clause.tokens[at + 1].kind == "word":
                alone = mask_of(noun.start, at + 1)
                yield Part(mask=alone, value=(number_of(clause, at), 1), cost=0.1, start=noun.start)
        if (found := _span_at(clause, noun.start - 1, step=-1)) is not None and _ranked(clause, found[2], noun.start):
            first, last, start = found
            start -= start > 0 and clause.tokens[start - 1].norm == "第"
            yield Part(mask=mask_of(start, noun.end), value=(first, last - first + 1), start=start)
    for word in clause.of("noun:header"):
        if clause.tokens[word.start].norm not in {"header", "headings", "表", "抬"}:
            yield Part(mask=word.mask, value=(1, 1), cost=0.1, start=word.start)
    for word in clause.of("noun:lastrow"):
        yield Part(mask=word.mask, value=(clause.place.rows[1], 1), start=word.start)


def _ranked(clause: Clause, start: int, end: int) -> bool:
    """Return whether numbers before a word for rows are places, not a count: `第3行`, `3rd row`, not `3 rows`."""
    first = clause.tokens[start]
    placed = start > 0 and clause.tokens[start - 1].norm == "第"
    span = any(clause.tokens[at].norm in _TO for at in range(start, end))
    return first.norm == "第" or placed or span or first.kind == "ordinal"


def number_of(clause: Clause, at: int) -> int | None:
    """Return the whole number that is written at a token, or None."""
    if not 0 <= at < len(clause.tokens):
        return None
    token = clause.tokens[at]
    if token.kind == "number":
        return int(token.text) if token.text.isdecimal() else None
    if token.kind == "ordinal":
        return int(token.text[:-2])
    return _NUMERALS.get(token.norm)


def _span_at(clause: Clause, at: int, *, step: int) -> tuple[int, int, int] | None:
    """Return (first, last, token at the far end) of one number, or of two with a word between them, read in one
    direction; the far end is exclusive going forward."""
    first = number_of(clause, at)
    if first is None or not 1 <= first <= _LAST_ROW:
        return None
    near, between = at, at + step
    nouns = {word.start for word in clause.of("noun:row")} | {word.start for word in clause.of("ordinal")}
    if 0 <= between < len(clause.tokens) and between in nouns and clause.tokens[between].norm != "第":
        between += step
    if 0 <= between < len(clause.tokens) and clause.tokens[between].norm in _TO:
        other = between + step
        while 0 <= other < len(clause.tokens) and (clause.tokens[other].norm == "第" or other in nouns):
            other += step
        second = number_of(clause, other)
        if second is not None:
            return min(first, second), max(first, second), other + (step > 0)
    return first, first, near + (step > 0)


def column_lists(clause: Clause) -> Iterator[Part]:
    """Yield columns as tuples of names: one, several by their letters or their place, all between two of them."""
    for part in columns(clause):
        yield Part(mask=part.mask, value=(part.value,), cost=part.cost, start=part.start)
    yield from _lettered(clause)
    yield from _placed(clause)
    for word in clause.of("noun:allcolumns"):
        yield Part(mask=word.mask, value=clause.place.names, cost=0.25, start=word.start)
    spoken = [name for name in clause.memory.columns[-1:] if name in clause.place.names]
    for word in clause.of("noun:thiscolumn") if spoken else ():
        yield Part(mask=word.mask, value=(spoken[0],), cost=0.1, start=word.start)


def _lettered(clause: Clause) -> Iterator[Part]:
    """Yield runs of letters beside the word for a column: `columns C to E`, `A列和B列`, `C:E列`."""
    nouns = clause.of("noun:column")
    starts = {noun.end for noun in nouns} | {at for noun in nouns for at in range(noun.start - 4, noun.start)}
    for start in sorted(starts):
        found = _letter_run(clause, start)
        if found is None:
            continue
        names, end = found
        mask = mask_of(start, end)
        beside = [noun for noun in nouns if noun.end == start or noun.start == end]
        known = [clause.place.by_letters(name) or name for name in names]
        if beside and len(known) > 1:
            for noun in beside:
                mask |= noun.mask
            yield Part(mask=mask, value=tuple(known), cost=-0.1, start=start)


def _letter_run(clause: Clause, start: int) -> tuple[list[str], int] | None:
    first = letters_at(clause.tokens, start)
    if first is None:
        return None
    names, at = [first], start + 1
    nouns = {word.start: word.end for word in clause.of("noun:column")}
    while at < len(clause.tokens):
        after = nouns.get(at, at)
        sign = clause.tokens[after].norm if after < len(clause.tokens) else ""
        step = after + 1
        step = nouns.get(step, step)
        following = letters_at(clause.tokens, step)
        if following is None or sign not in _TO | _JOINTS:
            break
        names = [*names[:-1], *columns_between(names[-1], following)] if sign in _TO else [*names, following]
        at = step + 1
    return names, at


def _placed(clause: Clause) -> Iterator[Part]:
    """Yield columns by their place: `the first column`, `the first two columns`, `第一列`, `前3列`."""
    names = clause.place.names
    for noun in clause.of("noun:column"):
        start = noun.start
        number = number_of(clause, start - 1)
        if number is None or number > len(names):
            continue
        leading = clause.tokens[start - 2].norm if start > 1 else ""
        if leading in _LEADING:
            yield Part(mask=mask_of(start - 2, noun.end), value=names[:number], cost=-0.1, start=start - 2)
        elif leading == "第":
            yield Part(mask=mask_of(start - 2, noun.end), value=(names[number - 1],), cost=-0.1, start=start - 2)
        elif clause.tokens[start - 1].norm in _PLACES:
            yield Part(mask=mask_of(start - 1, noun.end), value=(names[number - 1],), cost=-0.1, start=start - 1)
    for word in clause.of("noun:lastcolumn"):
        yield Part(mask=word.mask, value=names[-1:], start=word.start)


def top_rows(clause: Clause) -> Iterator[Part]:
    """Yield the place above the table: `at the top`, `above the header`, `above row 1`, `最上面`."""
    first = clause.place.area.first_row
    for word in clause.of("front:front"):
        yield Part(mask=word.mask, value=first, start=word.start)
    for word in [*clause.of("vertical:above"), *clause.of("beside:before")]:
        for noun in [*clause.of("noun:header"), *clause.of("noun:table")]:
            if 0 <= noun.start - word.end <= 1 or 0 <= word.start - noun.end <= 1:
                yield Part(mask=word.mask | noun.mask, value=first, start=word.start)
