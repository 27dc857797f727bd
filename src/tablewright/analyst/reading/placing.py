"""Columns of places in an order (`Position`, `排名`), where the best place is the smallest number, and text columns
that begin with a number (`12th`, `947 (289)`) and are ordered by it."""

from __future__ import annotations

import re

from tablewright.analyst.linking.mentions import ColumnMention, NumberMention, RowsMention
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Col, Compare, Derive, Expr, Func, Lit, Named, Relation
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.domain.dataset import ColumnFacts

_PLACES = frozenset(
    {"position", "pos", "place", "placing", "rank", "ranking", "finish", "standing", "pick", "seed", "名次", "排名",
        "位次"}
)  # fmt: skip
_BY_QUALITY = frozenset(
    {
        "highest",
        "best",
        "top",
        "better",
        "higher",
        "lowest",
        "worst",
        "worse",
        "lower",
        "最高",
        "最好",
        "最低",
        "最差",
        "更高",
        "更好",
    }
)
_PLACED = frozenset(
    {"finish", "finished", "finishing", "place", "placed", "placing", "rank", "ranked", "came", "come", "finishes"}
)
_LAST_PLACE = 200
_MEDALS = {"gold": 1, "silver": 2, "bronze": 3}
_REACHED = frozenset({"reach", "reached", "hit", "at", "ranked", "rank", "peaked", "was", "went", "to"})
_TIES = frozenset({"in", "the", "a", "overall"})
_NUMBER_FIRST = re.compile(r"\s*[#$€£¥]?\s*-?\d[\d,.]*(?:st|nd|rd|th)?(?![\d:–/-])")
_MONTH = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)
_MOST = 0.6


def is_placing(column: str) -> bool:
    """Return whether a column holds places in an order, by its name."""
    words = lemmas(column)
    return bool(words) and ("".join(words) in _PLACES or words[-1] in _PLACES or column in _PLACES)


def reversed_by_place(parse: Parse, start: int, end: int, column: str | None) -> bool:
    """Return whether `best` or `highest` in a span means the smallest number of the column."""
    said = {token.norm for token in parse.tokens[start:end]} | {parse.gap(start, end).replace(" ", "")}
    return column is not None and (is_placing(column) or _of_peaks(parse, column)) and bool(said & _BY_QUALITY)


def _of_peaks(parse: Parse, column: str) -> bool:
    """Return whether a column holds the best chart places reached (`Peak UK`): small numbers without a unit, not
    mountains."""
    facts = next((known for known in parse.table.facts.columns if known.name == column), None)
    most = facts.maximum if facts is not None and not facts.unit else None
    return "peak" in lemmas(column) and isinstance(most, int | float) and most <= _LAST_PLACE


def ordered_by_number(parse: Parse, source: Relation, column: str) -> tuple[Relation, str]:
    """Return a relation and one of its columns, by which rows are ordered as by the numbers in `column`."""
    facts = next((known for known in parse.table.facts.columns if known.name == column), None)
    if facts is None or facts.kind not in {"text", "mixed"} or not _numbers_first(facts):
        return source, column
    name = f"{column}_number"
    return Derive(source=source, columns=(Named(name=name, of=Func(name="first_number", of=Col(name=column))),)), name


def _numbers_first(facts: ColumnFacts) -> bool:
    samples = [str(sample).strip() for sample in facts.samples if sample is not None]
    found = [sample for sample in samples if _NUMBER_FIRST.match(sample) and not _MONTH.search(sample)]
    return len(found) > _MOST * len(samples) if samples else False


def read_placed(parse: Parse) -> None:
    """Take `finished first`, `placed 3rd`, `came in second` as conditions on the column of places."""
    column = _placing(parse)
    if column is None or parse.language != "en":
        return
    _read_top(parse, column)
    for number in list(parse.free(NumberMention)):
        if not number.ordinal or not _placed(parse, number):
            continue
        condition = Compare(op="=", left=_place_of(column), right=Lit(value=number.value))
        near = [parse.before(number.start, ColumnMention, 3), parse.after(number.end, ColumnMention, 0)]
        parse.clauses.append(Clause(condition=condition, start=number.start, end=number.end, column=column.name))
        parse.take(number, *(mention for mention in near if mention is not None and mention.column == column.name))


def read_medals(parse: Parse) -> None:
    """Take `won a silver medal` as a second place and so on, if no column counts medals."""
    column = _placing(parse)
    if column is None or column.missing or parse.language != "en":
        return
    linked = {place for mention in parse.mentions for place in range(mention.start, mention.end)}
    for place in (place for place in parse.unexplained() if place not in linked):
        value = _MEDALS.get(parse.tokens[place].lemma)
        if value is None:
            continue
        end = place + 1 + (parse.gap(place + 1, place + 2) in {"medal", "medals"})
        condition = Compare(op="=", left=_place_of(column), right=Lit(value=value))
        parse.clauses.append(Clause(condition=condition, start=place, end=end, column=column.name))
        said = RowsMention(start=place, end=end, score=0.8, column=None)
        parse.mentions.append(said)
        parse.take(said)


def _placing(parse: Parse) -> ColumnFacts | None:
    """Return the column of places: the one named (`Peak UK`), else the first, else None."""
    found = [facts for facts in parse.table.facts.columns if is_placing(facts.name) or _peaks(facts.name)]
    named = {mention.column for mention in parse.free(ColumnMention)}
    plain = [facts for facts in found if is_placing(facts.name)]
    return next((facts for facts in found if facts.name in named), plain[0] if plain else None)


def _peaks(column: str) -> bool:
    """Return whether a column holds the best places reached, by its name (`Peak chart positions US`)."""
    return bool({"peak", "position"} & set(lemmas(column)))


def _place_of(column: ColumnFacts) -> Expr:
    of = Col(name=column.name)
    return Func(name="first_number", of=of) if column.kind in {"text", "mixed"} else of


def _read_top(parse: Parse, column: ColumnFacts) -> None:
    """Take `ranked in the top 5` and `reached number one` as conditions on the column of places."""
    if column.missing:
        return  # the first place is often only a picture in such tables
    for number in list(parse.free(NumberMention)):
        said = parse.gap(max(0, number.start - 3), number.start).split()
        top = said[-1:] == ["top"] and bool({"in", "within", "inside", "reached", "made"} & set(said[:-1]))
        first = said[-1:] in (["number"], ["no"]) and bool(set(said[:-1]) & _REACHED)
        if not (first or top) or parse.gap(number.end, number.end + 1) == "by":
            continue
        condition = Compare(op="<=" if top else "=", left=_place_of(column), right=Lit(value=number.value))
        parse.clauses.append(Clause(condition=condition, start=number.start - 1, end=number.end, column=column.name))
        words = RowsMention(start=number.start - 1, end=number.start, score=0.9, column=None)
        parse.mentions.append(words)
        parse.take(words)
        parse.take_span(number.start - 1, number.end)
        parse.take(*[mention for mention in parse.free(ColumnMention) if mention.column == column.name])


def _placed(parse: Parse, number: NumberMention) -> bool:
    """Return whether an ordinal is a place: `finished (in the) third`, `third place`."""
    after = parse.gap(number.end, number.end + 1)
    place = number.start - 1
    while place >= 0 and parse.tokens[place].norm in _TIES:
        place -= 1
    return after in {"place", "position"} or (place >= 0 and parse.tokens[place].norm in _PLACED)
