"""Finds rankings: `highest price`, `top ten by sales`, `销量排名前十`, `second largest`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tablewright.analyst.linking.columns import hinted
from tablewright.analyst.linking.mentions import ColumnMention, NumberMention, RowsMention, WordMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import AggregateName, Relation, Top
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.parse import Parse
from tablewright.analyst.reading.placing import reversed_by_place
from tablewright.domain.dataset import ColumnFacts

_GONE_BY = re.compile(r"来算|计算|来看|来排|算|看|计|排")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The first `count` rows by `column`, after `offset`, of aggregated groups if `aggregate` is set. `stated` is
    False for `most` without a column, which counts rows; `many` is True if a number was given (`top 3`)."""

    column: str | None
    descending: bool
    count: int = 1
    offset: int = 0
    aggregate: AggregateName | None = None
    many: bool = False
    place: int = 0


_DIGIT = re.compile(r"\d")
_SEASONS = (("season",), ("year",))
_OF_DATES = frozenset({"最 近", "最 新", "最 晚", "最 早", "most recent", "latest", "earliest"})


def read_rankings(parse: Parse) -> list[Ranking]:
    """Take every ranking; those with a number of rows come first, and the others choose among their rows."""
    found = [*_tops(parse), *_places(parse), *_superlatives(parse)]
    return sorted(found, key=lambda ranking: (not ranking.many, ranking.place))


def _tops(parse: Parse) -> list[Ranking]:
    found = []
    for word in _top_words(parse):
        number = parse.after(word.end, NumberMention, 0)
        if number is None or number.percent or number.year or not isinstance(number.value, int):
            continue
        column = _ranked_by(parse, word, number)
        if column is None:
            continue
        superlative = parse.before(word.start, WordMention, 3, "superlative")
        descending = (word.value == "max") == (superlative is None or superlative.value == "max")
        aggregate = parse.before(column.start, WordMention, 1, "aggregate")
        found.append(
            Ranking(
                column=column.column,
                descending=descending,
                count=number.value,
                aggregate=(
                    aggregate.value  # type: ignore[arg-type]
                    if aggregate and aggregate.value in {"mean", "sum"}
                    else None
                ),
                many=True,
                place=word.start,
            )
        )
        parse.take(word, number, column, superlative, aggregate)
        _take_order_words(parse, word.start - 4, number.end + 6)
    return found


def _top_words(parse: Parse) -> list[WordMention]:
    """Return the words for the top: `top`, `前`, and `first` before a number."""
    firsts = [
        WordMention(start=number.start, end=number.end, score=number.score, code="top", value="max")
        for number in parse.free(NumberMention)
        if number.ordinal and number.value == 1 and parse.after(number.end, NumberMention, 0)
    ]
    return [*parse.words("top"), *firsts]


def _take_order_words(parse: Parse, start: int, end: int) -> None:
    for word in parse.words("order", "by", "direction"):
        if start <= word.start and word.end <= end:
            parse.take(word)


def _ranked_by(parse: Parse, word: WordMention, number: NumberMention) -> ColumnMention | None:
    if _han(parse, word):
        return _measure_before(parse, word.start, 6) or _measure_after(parse, number.end, 8)
    for by in parse.words("by", "superlative", "order", "each"):
        if by.start < number.end or (by.code == "each" and _measure_after(parse, number.end, 4)):
            continue
        column = _measure_after(parse, by.end, 4)
        if column is not None and parse.clear(number.end, by.start):
            if by.code == "superlative":
                parse.take(by)
            return column
    return _measure_after(parse, number.end, 4) or _measure_before(parse, word.start, 4)


def _places(parse: Parse) -> list[Ranking]:
    """Take a numbered place by the preceding measure, counted from the highest: `销售额排名第二的客户`."""
    found = []
    for word in parse.words("order"):
        number = parse.after(word.end, NumberMention, 0)
        column = _measure_before(parse, word.start, 4) if number is not None and number.ordinal else None
        if number is None or column is None or not isinstance(number.value, int) or not _han(parse, word):
            continue
        name = parse.numeric_reading(column) or column.column
        found.append(Ranking(column=name, descending=True, offset=number.value - 1, place=word.start))
        parse.take(word, number, column)
    return found


def _superlatives(parse: Parse) -> list[Ranking]:
    found = []
    extremes = [word for word in parse.words("aggregate") if word.value in {"min", "max"} and parse.has("wh", "which")]
    for word in [*parse.words("superlative"), *extremes]:
        ordinal = parse.before(word.start, NumberMention, 1)
        number = _number(parse, word)
        aggregate = _aggregate(parse, word)
        column = _stated(parse) or _unless_hinted(parse, word, _column(parse, word, aggregate))
        if column is not None and parse.dated(column.column) and _counts_rows(parse, word):
            continue  # `the most days` asks for the number of days, not for the last one
        if column is not None and _counts_rows(parse, word) and lemmas(column.column)[-1:] in _SEASONS:
            parse.take(column)  # `the most seasons` counts rows
            column = None
        column = column or _only_amount(parse, word) or _said_behind(parse, word) or _height(parse, word)
        if column is None and (not _hinted(parse, word.hint) if word.hint else not _counts_rows(parse, word)):
            continue
        name = (parse.numeric_reading(column) or column.column) if column else _by_hint(parse, word)
        found.append(
            Ranking(
                column=name,
                descending=(word.value == "max")
                != (
                    _slower(word, name)
                    or _born(parse, word, name)
                    or reversed_by_place(parse, word.start, word.end, name)
                ),
                count=int(number.value) if number else 1,
                offset=int(ordinal.value) - 1 if ordinal and ordinal.ordinal else 0,
                aggregate=aggregate.value if aggregate else None,  # type: ignore[arg-type]
                many=number is not None,
                place=word.start,
            )
        )
        parse.take(word, column, number, aggregate, ordinal if ordinal and ordinal.ordinal else None)
    return found


def _stated(parse: Parse) -> ColumnMention | None:
    """Take the measure that a ranking is said to go by, and return it: `按金额算`, `按数量来看`."""
    for word in parse.words("each"):
        column = parse.after(word.end, ColumnMention, 0)
        if column is None or not parse.numeric_reading(column):
            continue
        match = _GONE_BY.match("".join(token.norm for token in parse.tokens[column.end : column.end + 3]))
        if match is not None:
            verb = RowsMention(start=column.end, end=column.end + len(match[0]), score=0.6, column=None)
            parse.mentions.append(verb)
            parse.take(word, verb)
            return column
    return None


def _said_behind(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the measure named after `by`: `best page in each country by revenue`."""
    if word.hint or _han(parse, word) or _counts_rows(parse, word):
        return None
    for by in parse.words("by"):
        column = _measure_after(parse, by.end, 1)
        if by.start >= word.end and column is not None and parse.gap(by.start, by.end) == "by":
            parse.take(by)
            return column
    return None


def _height(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the table's only column of heights, for `the highest mountain`."""
    heights = [name for name in hinted("height", parse.table.names) if parse.numeric(name)]
    if parse.gap(word.start, word.end) not in {"highest", "lowest"} or len(heights) != 1:
        return None
    thing = parse.after(word.end, ColumnMention, 0)
    if thing is None or parse.numeric_reading(thing) is not None:
        return None
    return ColumnMention(start=word.start, end=word.end, score=0.8, column=heights[0])


def _only_amount(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the table's only column of amounts, for a ranking of one kind of rows: `哪个部门的差旅费最高`."""
    amounts = [column.name for column in parse.table.facts.columns if aggregate_for(column) == "sum"]
    near = [clause for clause in parse.clauses if clause.values and clause.end <= word.start <= clause.end + 1]
    if word.hint or len(amounts) != 1 or not near or not _han(parse, word):
        return None
    return ColumnMention(start=word.start, end=word.end, score=0.8, column=amounts[0])


def _unless_hinted(parse: Parse, word: WordMention, column: ColumnMention | None) -> ColumnMention | None:
    """Return the column, or None if it is only the date of what the word implies: `the hottest day` is ranked by
    temperature."""
    dated = any(facts.kind in {"date", "datetime"} for facts in parse.table.facts.columns)
    if word.hint == "time" and dated and column is not None and parse.gap(word.start, word.end) in _OF_DATES:
        return None if parse.numeric(column.column) else column
    implied = [name for name in hinted(word.hint, parse.table.names) if parse.numeric(name)] if word.hint else []
    return None if implied and column is not None and parse.dated(column.column) else column


def _hinted(parse: Parse, hint: str) -> list[str]:
    """Return the columns of an implied concept; best-selling is measured by units sold, else by revenue."""
    named = hinted(hint, parse.table.names)
    if hint == "speed" and not named:
        return [facts.name for facts in parse.table.facts.columns if _timed(parse, facts)]
    if hint != "sales":
        return named
    amounts = [*named, *hinted("sales_volume", parse.table.names), *hinted("revenue", parse.table.names)]
    return [name for name in dict.fromkeys(amounts) if aggregate_for(parse.facts(name)) == "sum"] or [
        name for name in named if parse.numeric(name) and "price" not in name.lower()
    ]


def _timed(parse: Parse, facts: ColumnFacts) -> bool:
    """Return whether a column holds times that can be ordered; texts can if all have the same form."""
    forms = {_DIGIT.sub("0", str(sample)) for sample in facts.samples if sample is not None}
    ordered = parse.numeric(facts.name) or facts.kind == "time" or (facts.kind == "text" and len(forms) == 1)
    return "time" in lemmas(facts.name) and ordered


def _counts_rows(parse: Parse, word: WordMention) -> bool:
    """Return whether a superlative can mean the number of rows: `most` and `fewest` can, `highest` cannot."""
    said = parse.gap(word.start, word.end)
    return any(part in said for part in ("most", "fewest", "least")) or "".join(said.split()) in {
        "最多",
        "最少",
        "最受欢迎",
    }


def _born(parse: Parse, word: WordMention, column: str | None) -> bool:
    """Return whether the order is reversed because the oldest has the earliest date of birth."""
    return word.hint == "age" and column is not None and parse.dated(column)


def _slower(word: WordMention, column: str | None) -> bool:
    """Return whether the order is reversed because the fastest has the lowest time."""
    return word.hint == "speed" and column is not None and "time" in column.lower()


def _number(parse: Parse, word: WordMention) -> NumberMention | None:
    """Return the number of things wanted: `最低的五个小区`, `哪三个小区的房价最低`, `the 3 highest`, `lowest 3`."""
    after = parse.after(word.end, NumberMention, 1)
    before = parse.before(word.start, NumberMention, 1)
    asked = None
    for wh in parse.mentions:
        if isinstance(wh, WordMention) and wh.code == "wh":
            asked = asked or parse.after(wh.end, NumberMention, 0)
    things = next((number for number in parse.free(NumberMention) if _counts_things(parse, word, number)), None)
    for number in (after, before, asked, things):
        if (
            number is not None
            and not number.ordinal
            and not number.year
            and isinstance(number.value, int)
            and 1 < number.value <= 1000
        ):
            return number
    return None


def _counts_things(parse: Parse, word: WordMention, number: NumberMention) -> bool:
    """Return whether a number after the ranking says how many things are wanted: `最近入库的5个商品`."""
    counted = number.end < len(parse.tokens) and parse.tokens[number.end].norm in {"个", "名", "位", "家", "条", "款"}
    return word.end <= number.start <= word.end + 6 and counted and parse.tokens[number.start - 1].norm == "的"


def _aggregate(parse: Parse, word: WordMention) -> WordMention | None:
    after = parse.after(word.end, WordMention, 1, "aggregate")
    before = parse.before(word.start, WordMention, 6, "aggregate") if _han(parse, word) else None
    spoken = [other for other in parse.words("aggregate") if "on average" in parse.gap(other.start, other.end)]
    chosen = after or before or next(iter(spoken), None)
    return chosen if chosen is not None and chosen.value in {"mean", "sum", "median"} else None


def _column(parse: Parse, word: WordMention, aggregate: WordMention | None) -> ColumnMention | None:
    if _han(parse, word):
        close = parse.after(word.end, ColumnMention, 0)
        if close is not None and parse.numeric_reading(close):
            return close
        return _measure_before(parse, word.start, 5) or _measure_after(parse, word.end, 4)
    named = parse.after(word.end, ColumnMention, 0)  # `the most rain in total`: the aggregate follows the column
    end = aggregate.end if aggregate is not None and named is None and aggregate.start <= word.end + 1 else word.end
    after = _measure_after(parse, end, 4)
    if after is not None and parse.clear(end, after.start):
        return after
    before = _measure_before(parse, word.start, 4)
    tied = {"is", "was", "are", "were", "has"} & set(parse.gap(before.end, word.start).split()) if before else set()
    if before is not None and (tied or before.end == word.start):
        return before
    return None


def _by_hint(parse: Parse, word: WordMention) -> str | None:
    if not word.hint:
        return None
    named = _hinted(parse, word.hint)
    ends = {"max": ("max", "high", "最高"), "min": ("min", "low", "最低")}[word.value]
    named.sort(key=lambda column: not any(end in column.lower() for end in ends))
    ordered = [column for column in named if parse.numeric(column) or parse.dated(column)]
    return next(iter([*ordered, *named]), None)


def _measure_before(parse: Parse, place: int, reach: int) -> ColumnMention | None:
    near = [
        mention
        for mention in parse.free(ColumnMention)
        if mention.end <= place
        and place - mention.end <= reach
        and parse.clear(mention.end, place)
        and rankable(parse, mention)
    ]
    return near[-1] if near else None


def _measure_after(parse: Parse, place: int, reach: int) -> ColumnMention | None:
    near = [
        mention
        for mention in parse.free(ColumnMention)
        if place <= mention.start <= place + reach and parse.clear(place, mention.start) and rankable(parse, mention)
    ]
    return near[0] if near else None


def rankable(parse: Parse, mention: ColumnMention) -> bool:
    """Return whether rows can be ordered by a column: by numbers, dates, or text that begins with a number."""
    name = parse.numeric_reading(mention)
    if name is not None or parse.dated(mention.column):
        return True
    samples = [str(sample).strip() for sample in parse.facts(mention.column).samples if sample is not None]
    digits = [sample for sample in samples if sample[:1].isdigit() or sample[:1] in "$€£¥+-"]
    return len(digits) > 0.6 * len(samples) if samples else False


def _han(parse: Parse, word: WordMention) -> bool:
    return is_han(parse.tokens[word.start].norm[0])


def ranked(source: Relation, ranking: Ranking, column: str) -> Relation:
    """Return the relation of the rows that a ranking keeps."""
    return Top(
        source=source,
        by=column,
        count=ranking.count,
        descending=ranking.descending,
        ties=not ranking.many,
        offset=ranking.offset,
    )
