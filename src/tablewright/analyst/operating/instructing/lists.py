"""Candidates that are made of several words: lists, columns of other sheets, empty cells, ranks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tablewright.analyst.grammar.scene import gap
from tablewright.analyst.grammar.semantics import Word, mask_of
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.joints import joints_of
from tablewright.analyst.operating.instructing.parts import Part, columns, directions, links_of, rows, spoken_of

_NOTHING = 0.1
_LONGEST_ITEM = 4
_VERB = 0.8
_NEAR_FIRST = 2
_FURTHER = 0.05
"""What a column costs that only follows another one of its sheet."""
JOINTS = frozenset({",", "，", "、", "and", "or", "&", "和", "或", "/"})
"""What stands between the items of a list."""


def numbers(clause: Clause) -> Iterator[Part]:
    """Yield the numbers, as (number, whether it is a share in percent)."""
    for number in clause.linked.numbers:
        mask = mask_of(number.start, number.end)
        if number.percent and number.end < len(clause.tokens):
            mask |= mask_of(number.end, number.end + 1)
        yield Part(mask=mask, value=(number.value, number.percent), start=number.start)


def listed(clause: Clause) -> Iterator[Part]:
    """Yield lists of two or more texts, between commas or with `and` before the last, or in quotation marks."""
    yield from _quoted_list(clause)
    for start in range(len(clause.tokens)):
        items: list[tuple[int, int]] = []
        at = start
        while at < len(clause.tokens):
            end = at
            while (
                end < len(clause.tokens)
                and clause.tokens[end].norm not in JOINTS
                and (clause.tokens[end].kind != "mark")
            ):
                end += 1
            short = next((last for last in range(at + 1, end) if clause.costs[last] <= _NOTHING), end)
            if items and short < end:
                yield _list_part(clause, [*items, (at, short)])
            long = end - at > 1 and clause.costs[at] <= _NOTHING and clause.tokens[at].text.islower()
            if end == at or end - at > _LONGEST_ITEM or long:
                break
            items.append((at, end))
            if len(items) > 1:
                yield _list_part(clause, items)
            if end >= len(clause.tokens) or clause.tokens[end].norm not in JOINTS:
                break
            at = end + 1
            while at < len(clause.tokens) and clause.tokens[at].norm in JOINTS:
                at += 1


def _quoted_list(clause: Clause) -> Iterator[Part]:
    quoted, mask = clause.linked.quoted, 0
    for start, end in quoted:
        mask |= mask_of(start, end)
    if len(quoted) > 1:
        yield Part(mask=mask, value=[clause.said(*one) for one in quoted], cost=-0.4, start=quoted[0][0])


def _list_part(clause: Clause, items: list[tuple[int, int]]) -> Part:
    start, end = items[0][0], items[-1][1]
    free = sum(1 for item in items if clause.costs[item[0]] > _NOTHING)
    bounded = any(clause.classes[at] in {"between", "compare"} for at in range(start, end))
    cost = 0.4 - 0.1 * free + 0.6 * (clause.costs[start] <= _NOTHING) + 1.5 * bounded
    verbs = {word.start for word in clause.of("act:keep") + clause.of("act:delete")}
    cost += _VERB * any(start in verbs and clause.tokens[start].text.islower() for start, _ in items[1:])
    nouns = clause.of("noun:column")
    named = [(first, last) for first, last in items if not _counts_columns(clause, first, last)]
    ends = [
        min([last, *(one.start for one in nouns if one.end == last and one.start > first)]) for first, last in named
    ]
    said = [clause.said(first, last) for (first, _), last in zip(named, ends, strict=True)]
    return Part(mask=mask_of(start, end), value=said, cost=cost, start=start)


def _counts_columns(clause: Clause, first: int, last: int) -> bool:
    """Return whether an item of a list only says how many columns there are: `into street and town, two columns`."""
    numbers = {number.start: number.end for number in clause.linked.numbers}
    return any(numbers.get(first) == word.start and word.end == last for word in clause.of("noun:column"))


def shown(clause: Clause) -> Iterator[Part]:
    """Yield columns as tuples of names: one that is spoken of, or all that hold dates or numbers."""
    for part in spoken_of(clause):
        yield Part(mask=part.mask, value=(part.value,), cost=part.cost, start=part.start)
    counts = {number.end: number for number in clause.linked.numbers}
    for word in clause.of("role"):
        known = (one for one in clause.linked.columns if one.name in clause.place.letters)
        names = tuple(one.name for one in known if one.role == word.meaning)
        count = counts.get(word.start)
        if names and (count is None or count.value == len(names)):
            start = word.start if count is None else count.start
            yield Part(mask=mask_of(start, word.end), value=names, cost=-0.1, start=start)


def units(clause: Clause) -> Iterator[Part]:
    """Yield the units that stand in cells beside their numbers."""
    said = tuple(token.lemma for token in clause.tokens)
    held = [one.clean.units for one in clause.place.facts.columns if one.clean is not None]
    for unit in dict.fromkeys(unit for found in held for unit in found):
        form = lemmas(unit)
        for start in range(len(said) - len(form) + 1 if form else 0):
            if said[start : start + len(form)] == form:
                yield Part(mask=mask_of(start, start + len(form)), value=unit, start=start)


def separators(clause: Clause) -> Iterator[Part]:
    """Yield what stands between texts: called by its name, or in an example made of cells of two columns."""
    for word in clause.of("sep"):
        yield Part(mask=word.mask, value=word.meaning, cost=-0.05 * (word.end - word.start), start=word.start)
    for start, end in clause.linked.quoted:
        inside = sorted((cell.start, cell.end) for cell in clause.linked.cells if start <= cell.start < cell.end <= end)
        for (_, one), (other, _) in pairwise(inside):
            between = clause.text[clause.tokens[one - 1].end : clause.tokens[other].start]
            if between and other - one <= 1:
                yield Part(mask=mask_of(start, end), value=between, cost=-0.4, start=start)


def blanks(clause: Clause) -> Iterator[Part]:
    """Yield the columns whose empty cells are meant."""
    for word in clause.of("blank"):
        for part in spoken_of(clause):
            if not part.mask & word.mask:
                away = gap(word.start, word.end, part.start, part.mask.bit_length()) if part.mask else 0
                yield Part(mask=word.mask | part.mask, value=part.value, cost=part.cost + 0.1 * away, start=part.start)
    for part in rows(clause):
        test = part.value["tests"][0]
        if len(part.value["tests"]) == 1 and test["op"] == "missing" and not part.mask & _masks(clause.of("blank")):
            yield Part(mask=part.mask, value=test["column"], cost=part.cost, start=part.start)


def _masks(words: list[Word]) -> int:
    mask = 0
    for word in words:
        mask |= word.mask
    return mask


def looked_up(clause: Clause) -> Iterator[Part]:
    """Yield columns of another sheet with the keys that join the two: (sheet, its key, our key, columns)."""
    for sheet, (place, linked) in clause.others.items():
        named = [mask for name, mask in clause.sheets if name == sheet]
        keys = joints_of(clause, place, linked)
        own = {link.column.name: link for link in links_of(clause)}
        for link in linked.links:
            for other, name in keys[:2]:
                if link.column.name in {other, *clause.place.names}:
                    continue
                mask = link.mask | (named[0] if named and not named[0] & link.mask else 0)
                cost = (1 - link.score) * 2 + (0.0 if named else 0.7)
                if name in own and not own[name].mask & mask:
                    mask |= own[name].mask
                value = (sheet, other, name, (link.column.name,))
                yield Part(mask=mask, value=value, cost=cost, start=link.start)
                yield Part(mask=link.mask, value=value, cost=cost + _FURTHER, start=link.start)


def _firsts(clause: Clause) -> Iterator[tuple[int, bool]]:
    """Yield the words that say what is number one, and whether it is the smallest: `the cheapest is 1`."""
    for size in clause.of("size"):
        for number in clause.linked.numbers:
            if number.value == 1 and 0 <= number.start - size.end <= _NEAR_FIRST:
                yield size.mask | mask_of(number.start, number.end), size.meaning == "asc"


def rank_keys(clause: Clause) -> Iterator[Part]:
    """Yield what rows are ranked by: (column, whether the smallest is first)."""
    for part in columns(clause):
        if not clause.place.numeric(part.value):
            continue
        yield Part(mask=part.mask, value=(part.value, False), cost=part.cost, start=part.start)
        for words, smallest in _firsts(clause):
            yield Part(mask=part.mask | words, value=(part.value, smallest), cost=part.cost, start=part.start)
        for _, _, words, down, cost in directions(clause):
            if not words & part.mask:
                yield Part(
                    mask=part.mask | words, value=(part.value, not down), cost=part.cost + cost, start=part.start
                )
    if clause.memory.added is not None:
        yield Part(mask=0, value=(clause.memory.added, False), cost=0.5)
