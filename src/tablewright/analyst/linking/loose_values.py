"""Links words to cells that they do not repeat: of one word family, another word for them, or part of a Chinese
cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from tablewright.analyst.linking.families import cell_groups, stems, titles
from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.mentions import LinkHow, ValueMention
from tablewright.analyst.linking.text import compact, is_han
from tablewright.analyst.linking.tokens import Token, lemmas
from tablewright.analyst.linking.values import TextColumn

MOST_VALUES = 400
"""Cells of columns with more of them are names or texts, which are linked by what they hold alone."""
_LONGEST = 4
_MOST_CELLS = 6
"""A part of more cells of a column means none of them."""
_SCORES: dict[LinkHow, float] = {"stem": 0.85, "concept": 0.75, "part": 0.65}
_NUMERALS = frozenset("一二三四五六七八九十")
_NAME_LENGTHS = frozenset({2, 3, 4})
_FAMILIAR = frozenset("老小大阿")
Span = tuple[int, int]
Cell = tuple[str, str]
Index = dict[str, dict[tuple[str, ...], list[Cell]]]


@lru_cache(maxsize=64)
def _index(columns: tuple[TextColumn, ...]) -> Index:
    """Return the cells by what else may be said for them, for each kind of link."""
    found: dict[str, dict[tuple[str, ...], list[Cell]]] = {
        kind: defaultdict(list) for kind in ("stem", "concept", "part", "surname")
    }
    for column in columns:
        for part, cells in _parts_of(column).items():
            found["part"][part] += cells
        for value in column.values if len(column.values) <= MOST_VALUES else ():
            cell = (column.column, value)
            form = lemmas(value)
            if not form or len(form) > 12:
                continue
            if is_han(form[0][0]) or is_han(form[-1][0]):
                if len(form) in _NAME_LENGTHS and all(is_han(character) for character in compact(value)):
                    found["surname"][form[:1]].append(cell)
            else:
                found["stem"][stems(form)].append(cell)
            for others in _groups().get(form, ()):
                for other in others - {form}:
                    found["concept"][stems(other)].append(cell)
    return found


def _parts_of(column: TextColumn) -> dict[tuple[str, ...], list[Cell]]:
    """Return the cells of a column by their parts, but not by those that most of them share."""
    found: dict[tuple[str, ...], list[Cell]] = defaultdict(list)
    for value in column.values if len(column.values) <= MOST_VALUES else ():
        if value and is_han(value[-1]):
            for part in _parts(compact(value)):
                found[part].append((column.column, value))
    return {part: cells for part, cells in found.items() if len(cells) == 1 or len(cells) * 2 < len(column.values)}


@lru_cache(maxsize=1)
def _groups() -> dict[tuple[str, ...], list[frozenset[tuple[str, ...]]]]:
    groups: dict[tuple[str, ...], list[frozenset[tuple[str, ...]]]] = defaultdict(list)
    for group in cell_groups():
        for form in group:
            groups[form].append(group)
    return groups


def _parts(value: str) -> set[tuple[str, ...]]:
    """Return what a Chinese cell may be called for short: its first or last characters, or itself without numerals
    (`小班` of 小一班, `2班` of 高二(2)班)."""
    bare = "".join(character for character in value if character not in _NUMERALS and not character.isdigit())
    found = {value[:2], value[-2:], value[:3], value[-3:], bare} - {value}
    return {lemmas(part) for part in found if len(part) >= 2 and is_han(part[-1]) and set(part) - _NUMERALS}


def loose_values(tokens: Sequence[Token], columns: tuple[TextColumn, ...], taken: set[Span]) -> list[ValueMention]:
    """Return the cells that spans of a question may mean; `taken` are the spans that name cells by themselves."""
    index = _index(columns)
    found: list[ValueMention] = []
    for start, end in _spans(tokens):
        crossed = [span for span in taken if span[0] < end and start < span[1]]
        if any(not (start <= left and right <= end and right - left < end - start) for left, right in crossed):
            continue
        form = tuple(token.lemma for token in tokens[start:end])
        for cells, how in _cells(form, index):
            places = _few(cells)
            if places and (how == "concept" or not crossed):
                found.append(ValueMention(start=start, end=end, score=_SCORES[how], places=places, how=how))
                break
    persons = [
        one for one in _persons(tokens, index) if not any(one.start < end and start < one.end for start, end in taken)
    ]
    return _outermost(found) + persons


def _spans(tokens: Sequence[Token]) -> Iterator[Span]:
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + _LONGEST, len(tokens)) + 1):
            if tokens[end - 1].kind == "mark":
                break
            yield start, end


def _cells(form: tuple[str, ...], index: Index) -> Iterator[tuple[list[Cell], LinkHow]]:
    if is_han(form[-1][0]):
        yield index["concept"].get(form, []), "concept"
        yield index["part"].get(form, []), "part"
    elif not (len(form) == 1 and (form[0] in stopwords() or form[0].isdigit())):
        yield index["stem"].get(stems(form), []), "stem"
        yield index["concept"].get(stems(form), []), "concept"


def _few(cells: list[Cell]) -> tuple[Cell, ...]:
    """Return the cells, but none of a column of which there are too many."""
    counts: dict[str, int] = defaultdict(int)
    for column, _ in cells:
        counts[column] += 1
    return tuple(dict.fromkeys(cell for cell in cells if counts[cell[0]] <= _MOST_CELLS))


def _persons(tokens: Sequence[Token], index: Index) -> Iterator[ValueMention]:
    """Yield the persons of a surname with what stands behind or before it: `张师傅`, `老刘`."""
    for place, token in enumerate(tokens):
        if token.kind != "han":
            continue
        for size in (1, 2):
            if tuple(one.norm for one in tokens[place + 1 : place + 1 + size]) in titles():
                yield from _person(index, (token.norm,), place, place + 1 + size)
        if token.norm in _FAMILIAR and place + 1 < len(tokens):
            yield from _person(index, (tokens[place + 1].norm,), place, place + 2)


def _person(index: Index, surname: tuple[str, ...], start: int, end: int) -> Iterator[ValueMention]:
    places = _few(index["surname"].get(surname, []))
    if places:
        yield ValueMention(start=start, end=end, score=_SCORES["part"], places=places, how="part")


def _outermost(found: list[ValueMention]) -> list[ValueMention]:
    """Return the mentions that stand in no longer one."""
    return [
        one
        for one in found
        if not any(
            other.start <= one.start and one.end <= other.end and other.end - other.start > one.end - one.start
            for other in found
        )
    ]
