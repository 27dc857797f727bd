"""`What is the average price of phones?`, `total sales by region`, `各部门的平均工资`."""

from __future__ import annotations

import re
from dataclasses import replace

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.plan import Aggregate, Bucket, Col, Measure, Named, Part, Relation, Sort
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.groups import named_apart, read_groups, wanted_apart
from tablewright.analyst.reading.parse import Parse

_PER_STRETCH = re.compile(
    r"\b(?:average|mean)\b.*\b(?:per|every|each|a) (?:day|week|month|quarter|year)\b"
    r"|\b(?:average|mean) (?:daily|weekly|monthly|quarterly|yearly|annual)\b"
    r"|\b(?:per|every|each|a) (?:day|week|month|quarter|year) on average\b"
    r"|平均每(?:天|日|周|月|个月|季度|年)|平均每(?:个|名|位|家|人)?[\u4e00-\u9fff]{0,4}每(?:天|日|周|月|个月|季度|年)"
)
_FOR_ALL = re.compile(
    r"平均每(?:个|名|位|家|人)?[\u4e00-\u9fff]{0,4}每|\bper \w+ (?:per|and) (?:day|week|month|quarter|year)\b"
)
"""One average over all things and periods (`平均每人每月`), where otherwise each thing has its own."""
_TWO = 2
_LISTING = frozenset({"and", ",", "，", "、", "和", "与", "及", "以", "the", "&"})


def summing(parse: Parse) -> Offer | None:
    """Offer aggregates of numeric columns over the selected rows, grouped if the question says so."""
    words = [word for word in parse.words("aggregate") if _with_column(parse, word) is not None]
    averaged = {word.end for word in words if word.value == "mean"}
    totals = [word for word in words if word.value == "sum" and word.start in averaged]  # `the average total price`
    parse.take(*totals)
    words = [word for word in words if word not in totals]
    if not words:
        return None
    measures: list[Measure] = []
    for word in words:
        column = _with_column(parse, word)
        if column is None:
            continue
        name = parse.numeric_reading(column) or column.column
        measures.append(_measure(word.value, name))
        parse.take(column, word)
    _share_column(parse, measures)
    _share_function(parse, measures)
    _counted_beside(parse, measures)
    groups = [group for group in read_groups(parse) if not _one_row_each(parse, group, measures)]
    stretch = _each_stretch(parse, groups, measures)
    if stretch is not None:
        return stretch
    groups = [*groups, *named_apart(parse)] if groups else wanted_apart(parse, [told.function for told in measures])
    targets(parse)
    parse.take(*parse.words("and"), *parse.words("by"))
    relation: Relation = Aggregate(source=parse.source(), groups=tuple(groups), measures=tuple(_unique(measures)))
    if parse.order is not None and groups:
        key = measures[0].name if parse.order.axis == "y" or parse.order.column != groups[0].name else groups[0].name
        relation = Sort(source=relation, keys=((key, parse.order.descending),))
    rounded = not groups and any(measure.function in {"mean", "median", "std", "var"} for measure in measures)
    return Offer(part=Part(relation=relation, decimals=2 if rounded else None), parse=parse, family="summing")


def _each_stretch(parse: Parse, groups: list[Named], measures: list[Measure]) -> Offer | None:
    """Offer the average of the totals per period: `average revenue per day`, `平均每月支出` where a day has several
    rows, or per thing and period: `average spending per person per month`, `每个员工平均每月花多少`."""
    said = parse.question.lower()
    stretches = [group for group in groups if isinstance(group.of, Bucket)]
    if _PER_STRETCH.search(said) is None or len(stretches) != 1 or len(groups) > _TWO or len(measures) != 1:
        return None
    measure = measures[0]
    amount = isinstance(measure.of, Col) and aggregate_for(parse.facts(measure.of.name)) == "sum"
    if measure.function != "mean" or not amount or parse.has("chart"):
        return None
    targets(parse)
    parse.take(*parse.words("and", "by", "wh"))
    sums = replace(measure, name=_renamed(measure.name), function="sum")
    each = Aggregate(source=parse.source(), groups=tuple(groups), measures=(sums,))
    told = replace(measure, name=f"mean_{sums.name}", of=Col(name=sums.name))
    things = (
        []
        if _FOR_ALL.search(said)
        else [Named(name=group.name, of=Col(name=group.name)) for group in groups if group not in stretches]
    )
    relation = Aggregate(source=each, groups=tuple(things), measures=(told,))
    return Offer(part=Part(relation=relation, shown=None, decimals=2), parse=parse, family="summing", fit=1.01)


def _renamed(name: str) -> str:
    return f"sum_{name.removeprefix('mean_')}"


def _one_row_each(parse: Parse, group: Named, measures: list[Measure]) -> bool:
    """Return whether each group has one row, so that the average is over the groups: `the average number of storms
    per year`."""
    facts = next((column for column in parse.table.facts.columns if column.name == group.name), None)
    unique = facts is not None and facts.distinct is not None and facts.distinct >= parse.table.facts.rows
    return unique and any(measure.function == "mean" for measure in measures)


def _unique(measures: list[Measure]) -> list[Measure]:
    return list({measure.name: measure for measure in measures}.values())


def _measure(function: str, column: str) -> Measure:
    return Measure(name=f"{function}_{column}", function=function, of=Col(name=column))  # type: ignore[arg-type]


def _with_column(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the numeric column of an aggregate: after it, or in Chinese also before it (`价格的平均值`)."""
    after = [
        mention
        for mention in parse.free(ColumnMention)
        if word.end <= mention.start <= word.end + 6
        and parse.numeric_reading(mention)
        and parse.clear(word.end, mention.start)
    ]
    before = [
        mention
        for mention in parse.free(ColumnMention)
        if mention.end <= word.start <= mention.end + 3 and parse.numeric_reading(mention)
    ]
    han = is_han(parse.tokens[word.start].norm[0])
    if han and before and (not after or before[-1].end == word.start or parse.gap(before[-1].end, word.start) == "的"):
        return before[-1]
    if after:
        return after[0]
    if before:
        return before[-1]
    numeric = [mention for mention in parse.free(ColumnMention) if parse.numeric_reading(mention)]
    return numeric[0] if numeric and (not han or len(numeric) == 1) else None


def _share_function(parse: Parse, measures: list[Measure]) -> None:
    """Add further columns with the first one's aggregate: `the average of math, english and science`."""
    first = measures[0]
    place = _end_of(parse, first)
    while place is not None:
        following = parse.after(place, ColumnMention, 2)
        between = parse.gap(place, following.start).split() if following is not None else []
        if following is None or not between or not set(between) <= _LISTING or not parse.numeric_reading(following):
            return
        measures.append(_measure(first.function, parse.numeric_reading(following) or following.column))
        parse.take(following, *parse.words("and"))
        place = following.end


def _counted_beside(parse: Parse, measures: list[Measure]) -> None:
    """Add a count of rows beside the aggregates: `各类型的平均金额和笔数`, `number of orders and average revenue`."""
    for word in parse.words("count"):
        rows = parse.after(word.end, RowsMention, 1)
        end = rows.end if rows is not None else word.end
        before, after = parse.gap(max(0, word.start - 2), word.start), parse.gap(end, end + 1)
        if (set(before.split()) | {after}) & _LISTING - {"the"}:
            measures.append(Measure(name="count", function="count"))
            parse.take(word, rows)


def _end_of(parse: Parse, measure: Measure) -> int | None:
    """Return where the taken mention of a measure's column ends, or None."""
    name = measure.of.name if isinstance(measure.of, Col) else ""
    taken = [
        mention for at, mention in enumerate(parse.mentions) if at in parse.taken and isinstance(mention, ColumnMention)
    ]
    return next(
        (mention.end for mention in taken if name in {mention.column, *(other for other, _ in mention.others)}), None
    )


def _share_column(parse: Parse, measures: list[Measure]) -> None:
    """Add further aggregates of the last one's column: `the mean and median of price`."""
    last = measures[-1]
    for word in parse.words("aggregate"):
        near = any(
            abs(word.start - other.end) <= 4 or abs(other.start - word.end) <= 4
            for other in parse.mentions
            if isinstance(other, WordMention) and other is not word and other.code == "aggregate"
        )
        if near and isinstance(last.of, Col):
            measures.append(_measure(word.value, last.of.name))
            parse.take(word)
