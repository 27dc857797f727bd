"""Candidates for the slots of operations: what words of a clause may mean, with the words they cover."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tablewright.analyst.grammar.conditions import conditions
from tablewright.analyst.grammar.scene import ColumnLink, gap
from tablewright.analyst.grammar.semantics import ConditionPart, Word, mask_of
from tablewright.analyst.operating.instructing.clause import SURE, Clause
from tablewright.analyst.operating.instructing.filters import filter_of

_NEAR = 4
_TURNED = 1.5
"""A comparison is hardly ever turned round by a negation that stands apart from it."""
_TIED = 2.0
"""A column is not tested as long as the words name another one as well."""
_SHARED = 1.0
"""A share in percent is hardly ever what a cell equals."""
_SIZES = frozenset({"<", "<=", ">", ">="})
_A_SHEET = 2.0
_SHORT = 3
_SMALL_WORD = 1.0
"""What it costs that a word that fills any sentence names a column."""
_BARE_KEY = 0.3
"""What a key costs that only stands there, where it is said which way others go."""
_PENALTIES = {
    "link:loss": 1.6, "value:loss": 1.6, "implied:column": 0.8, "compare:implied": 0.9, "compare:hinted": 0.4,
    "compare:distance": 0.8, "number:beyond": 1.0, "value:contained": 0.7, "value:several": 0.2,
    "value:named_like_column": 0.4, "condition:equal": 0.5, "equal:distance": 0.2, "implied:date": 0.3,
    "implied:date_place": 0.3, "negation:distance": 0.5, "missing:distance": 0.15, "amount:id": 1.0,
    "range:unsaid": 0.2, "condition:flag": 0.3, "missing:none": 0.5, "condition:year": 0.5, "amount:days_counted": 1.0,
    "compare:product": 1.0, "or:columns": 0.3, "number:scaled": 0.3, "condition:negated": 0.1,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A value for a slot, the words it covers, and what it costs to take them so."""

    mask: int
    value: Any
    cost: float = 0.0
    start: int = 0


def links_of(clause: Clause) -> tuple[ColumnLink, ...]:
    """Return the links to columns that the table still has."""
    return tuple(link for link in clause.linked.links if link.column.name in clause.place.letters)


def columns(clause: Clause) -> Iterator[Part]:
    """Yield the columns that are named, by header or by letter."""
    nouns = clause.of("noun:column")
    named = {word.end for word in [*clause.of("noun:newcolumn"), *clause.of("name:called")]}
    for link in links_of(clause):
        if link.start in named and link.score < SURE:
            continue
        mask = link.mask
        for noun in nouns:
            if noun.start == link.end or noun.end == link.start or _bracketed(clause, noun, link):
                mask |= noun.mask
        cost = (1 - link.score) * 2 + _A_SHEET * _names_a_sheet(clause, link.mask)
        cost += _SMALL_WORD * (mask == link.mask and _small_word(clause, link))
        yield Part(mask=mask, value=link.column.name, cost=cost, start=link.start)


def _small_word(clause: Clause, link: ColumnLink) -> bool:
    """Return whether a column is named by a word that only fills a sentence, and is not written as it is: `to`."""
    said = clause.said(link.start, link.end)
    fills = len(said) <= _SHORT and any(word.mask == link.mask for word in clause.of("filler"))
    return fills and said != link.column.name


def _bracketed(clause: Clause, noun: Word, link: ColumnLink) -> bool:
    """Return whether only a bracket or quotation mark stands between a word for a column and its name."""
    return noun.end == link.start - 1 and clause.tokens[noun.end].kind == "mark" and clause.costs[noun.end] == 0


def _names_a_sheet(clause: Clause, mask: int) -> bool:
    """Return whether words name a sheet together with the word for one: `the Panels tab`."""
    return any(mask & said == mask != said for _, said in clause.sheets)


def cells_of(clause: Clause) -> Iterator[Part]:
    """Yield the columns whose cells are spoken of: right before a word for cells, for letters or for colouring."""
    words = [*clause.of("noun:cells"), *clause.of("noun:font"), *clause.of("act:colour"), *clause.of("colour")]
    starts = {word.start: word for word in words}
    for part in columns(clause):
        end = part.mask.bit_length()
        word = starts.get(end) or starts.get(end + 1)
        if word is not None and not part.mask & word.mask:
            yield Part(mask=part.mask, value=part.value, cost=part.cost + 0.1, start=part.start)


def spoken_of(clause: Clause) -> Iterator[Part]:
    """Yield the columns that are named, and the one that was spoken of last where none is."""
    yield from columns(clause)
    if clause.memory.columns and clause.memory.columns[-1] in clause.place.names:
        yield Part(mask=0, value=clause.memory.columns[-1], cost=0.6)


def rows(clause: Clause) -> Iterator[Part]:
    """Yield the tests of rows as filters."""
    verbs = _in_verbs(clause)
    dates = {column.name for column in clause.linked.columns if column.role == "date"}
    numbered = {word.end for word in clause.of("noun:row")}
    ordinal = 0
    for word in clause.of("ordinal"):
        ordinal |= word.mask
    for part in conditions(clause.linked):
        if part.mask & ordinal:
            continue
        counted = clause.tokens[part.start].kind in {"number", "ordinal"}
        by_place = counted and part.start in numbered and not any(link.mask & part.mask for link in links_of(clause))
        if by_place or (part.negated and part.mask & verbs):
            continue
        found = filter_of(part.where, dates)
        if found is None or any(test["column"] not in clause.place.letters for test in found["tests"]):
            continue
        yield Part(mask=part.mask, value=found, cost=_loss(clause, part, found), start=part.start)
    for word in clause.of("blank"):
        for link in links_of(clause):
            away = gap(link.start, link.end, word.start, word.end)
            if away <= _NEAR:
                test = {"tests": [{"column": link.column.name, "op": "missing"}], "match": "all"}
                cost = 0.12 * away + (1 - link.score) * 1.6
                yield Part(mask=word.mask | link.mask, value=test, cost=cost, start=min(word.start, link.start))


def _loss(clause: Clause, part: ConditionPart, found: dict[str, Any]) -> float:
    cost = sum(_PENALTIES.get(name, 0.0) * size for name, size in part.features)
    if part.negated and any(test["op"] in _SIZES for test in found["tests"]):
        cost += _TURNED
    for test in found["tests"]:
        cost += _TIED * _tied(clause, part.mask, test["column"])
    share = any(one.percent and mask_of(one.start, one.end) & part.mask for one in clause.linked.numbers)
    return cost + _SHARED * (share and all(test["op"] == "=" for test in found["tests"]))


def _tied(clause: Clause, mask: int, column: str) -> bool:
    """Return whether the words that name a column name another one as well."""
    links = [link for link in links_of(clause) if link.mask & mask]
    own = [link for link in links if link.column.name == column]
    best = max(own, key=lambda link: link.score, default=None)
    return best is not None and any(
        link.column.name != column and link.mask == best.mask and link.score >= best.score for link in links
    )


def _in_verbs(clause: Clause) -> int:
    """Return the negations that are a part of a longer word for deleting, and turn nothing round."""
    verbs = [
        word
        for word in clause.of("act:delete")
        if word.end - word.start > 1 or clause.tokens[word.start].kind == "word"
    ]
    mask = 0
    for word in clause.linked.of("not"):
        mask |= word.mask if any(word.mask & verb.mask for verb in verbs) else 0
    return mask


def directions(clause: Clause) -> list[tuple[int, int, int, bool, float]]:
    """Return the directions that are said, as (start, end, words, descending, cost): by one phrase, or by a size and
    which end comes first."""
    found = [(word.start, word.end, word.mask, word.meaning == "desc", 0.0) for word in clause.of("direction")]
    fronts = clause.of("front")
    for size in clause.of("size"):
        for front in fronts:
            if front.mask & size.mask or gap(size.start, size.end, front.start, front.end) > 6:
                continue
            down = (size.meaning == "desc") == (front.meaning == "front")
            found.append((size.start, size.end, size.mask | front.mask, down, 0.1))
    return found


def sort_keys(clause: Clause) -> Iterator[Part]:
    """Yield columns to sort by, with and without a direction beside them."""
    said = directions(clause)
    helpers = clause.of("by:by") + clause.of("within")
    for part in columns(clause):
        mask = part.mask
        for word in helpers:
            if 0 <= part.start - word.end <= 1:
                mask |= word.mask
        bare = 0.15 + _BARE_KEY * (mask == part.mask and bool(said))
        yield Part(mask=mask, value=(part.value, False), cost=part.cost + bare, start=part.start)
        end = part.mask.bit_length()
        ages = 0
        for word in clause.of("age") if not clause.place.fact(part.value).kind.startswith("date") else ():
            ages |= word.mask
        for start, stop, words, down, cost in said:
            away = gap(start, stop, part.start, end)
            if away <= 5 and not words & part.mask:
                value = (part.value, down != bool(words & ages))
                yield Part(mask=mask | words, value=value, cost=part.cost + cost + 0.1 * away, start=part.start)
    dates = [column.name for column in clause.linked.columns if column.role == "date"]
    numbers = [column for column in clause.linked.columns if column.role == "number" and not column.identifies]
    for start, _, words, down, cost in said:
        for at, name in enumerate(dates[:2]):
            yield Part(mask=words, value=(name, down), cost=cost + 0.6 + 0.3 * at, start=start)
        if len(numbers) == 1:
            yield Part(mask=words, value=(numbers[0].name, down), cost=cost + 0.8, start=start)


def tops(clause: Clause) -> Iterator[Part]:
    """Yield how many of the largest or smallest are meant: (column, count, largest)."""
    ordinal = {at for word in clause.of("ordinal") for at in (word.start, word.end)}
    yield from _single_tops(clause)
    for number in clause.linked.numbers:
        for size in clause.of("size"):
            if gap(number.start, number.end, size.start, size.end) > 2 or number.value > 100:
                continue
            if number.percent or number.start in ordinal:
                continue
            mask = mask_of(number.start, number.end) | size.mask
            for part in spoken_of(clause):
                if not part.mask & mask and part.value in clause.place.names and clause.place.numeric(part.value):
                    value = (part.value, int(number.value), size.meaning == "desc")
                    whole = mask | part.mask | _kinds(clause, mask.bit_length(), part.mask)
                    yield Part(mask=whole, value=value, cost=part.cost, start=number.start)
            hinted = [word for word in clause.linked.words if word.about]
            for column in clause.linked.columns:
                for word in hinted:
                    if column.role == "number" and word.about in column.concepts:
                        value = (column.name, int(number.value), size.meaning == "desc")
                        yield Part(mask=mask | word.mask, value=value, cost=0.6, start=number.start)


def _kinds(clause: Clause, at: int, taken: int) -> int:
    """Return the words at a place that call the rows by what a column of names holds: `the top 3 products`."""
    for link in links_of(clause):
        if at <= link.start <= at + 1 and link.column.role == "text" and not link.mask & taken:
            return link.mask
    return 0


def _single_tops(clause: Clause) -> Iterator[Part]:
    """Yield the one largest or smallest, `the highest salary`, and the one at a place, `the second largest`."""
    for size in clause.of("size") + [word for word in clause.of("agg") if word.meaning in {"max", "min"}]:
        if clause.classes[size.start] == "compare" or any(
            word.mask & size.mask == size.mask != word.mask for word in clause.of("asking")
        ):
            continue
        largest = size.meaning in {"desc", "max"}
        before = clause.tokens[size.start - 1] if size.start else None
        place, mask = _place_before(clause, size.start)
        counted = before is not None and before.kind == "number"
        for part in spoken_of(clause):
            fits = part.value in clause.place.names and clause.place.numeric(part.value) and bool(part.mask)
            if not fits or part.mask & (size.mask | mask) or (counted and place == 1):
                continue
            away = gap(size.start, size.end, part.start, part.mask.bit_length())
            if away <= _NEAR:
                value = (part.value, 1, largest) if place == 1 else (part.value, 1, largest, place)
                cost = part.cost + 0.3 + 0.05 * away
                yield Part(mask=size.mask | mask | part.mask, value=value, cost=cost, start=size.start)


_PLACES = {"second": 2, "third": 3, "fourth": 4, "二": 2, "三": 3, "四": 4, "2": 2, "3": 3, "4": 4, "2nd": 2, "3rd": 3}


def _place_before(clause: Clause, at: int) -> tuple[int, int]:
    """Return the place that is said right before a token, and its words; 1 if none is."""
    if at > 0 and clause.tokens[at - 1].norm in _PLACES:
        chinese = at > 1 and clause.tokens[at - 2].norm == "第"
        if chinese or clause.tokens[at - 1].kind in {"word", "ordinal"}:
            return _PLACES[clause.tokens[at - 1].norm], mask_of(at - 1 - chinese, at)
    return 1, 0


def said(kind: str) -> Any:
    """Return the maker of the parts that words of a type stand for."""

    def make(clause: Clause) -> Iterator[Part]:
        for word in clause.of(kind):
            loss = -0.05 * (word.end - word.start)
            yield Part(mask=word.mask, value=word.meaning, cost=loss, start=word.start)

    return make


def known_sheets(clause: Clause) -> Iterator[Part]:
    """Yield the sheets that are named, and the one at hand for `this sheet`."""
    for word in clause.of("noun:thissheet"):
        yield Part(mask=word.mask, value=clause.place.sheet, start=word.start)
    for name, mask in clause.sheets:
        yield Part(mask=mask, value=name, cost=0.0)


def editable(clause: Clause) -> Iterator[Part]:
    """Yield the columns that are said to stay open to changes."""
    for word in clause.of("editable"):
        for part in columns(clause):
            if not part.mask & word.mask:
                away = gap(part.start, part.mask.bit_length(), word.start, word.end)
                cost = part.cost + 0.1 * away
                yield Part(mask=part.mask | word.mask, value=part.value, cost=cost, start=part.start)


def some(parts: Sequence[Part], most: int) -> list[Part]:
    """Return the best parts, each value with its words once."""
    kept: dict[tuple[int, str], Part] = {}
    for part in sorted(parts, key=lambda part: part.cost):
        kept.setdefault((part.mask, repr(part.value)), part)
    return list(kept.values())[:most]
