"""`Which estate has the highest price?`, `the top ten by sales`, `among the top ten by sales the cheapest`."""

from __future__ import annotations

import re

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    Bucket,
    Col,
    Derive,
    Measure,
    Named,
    Part,
    Project,
    Relation,
    Top,
)
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.entities import entity, targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import named, remaining, show
from tablewright.analyst.reading.groups import bucket, read_groups
from tablewright.analyst.reading.measures import read_measures
from tablewright.analyst.reading.parse import Parse
from tablewright.analyst.reading.placing import ordered_by_number
from tablewright.analyst.reading.ranked_groups import is_repeated, rate_made, rated, repeated_together, summed
from tablewright.analyst.reading.rankings import Ranking, ranked, read_rankings

_PERIOD = re.compile(r"(?:which|what)\s+(month|quarter|weekday|week|day)\b|哪[一几]?个?(月|季度|星期|周|天)")
_UNITS = {
    "month": "month",
    "quarter": "quarter",
    "weekday": "weekday",
    "week": "week",
    "day": "day",
    "天": "day",
    "月": "month",
    "季度": "quarter",
    "星期": "weekday",
    "周": "week",
}
_EACH = re.compile(r"\b(?:each|every|per)\b|[每各]")
_PARTED = re.compile(r"\b(?:each|every|per)\b|[每各]|\bby (?!an? )")
_SOMEBODY = re.compile(r"的(?:人|员工|学生|那?个人)(?:是谁|有谁|有哪些)?[？?。]?$|是谁[？?。]?$")
_AVERAGE_OF_TOP = re.compile(r"\b(?:average|mean|total|sum|combined)\b[^?]*\b(?:of|for|by|among|in) the top \w+")


def ranking(parse: Parse) -> Offer | None:
    """Offer the first or last rows by a measure."""
    if not parse.words("superlative", "top", "aggregate", "order"):
        return None
    asked = targets(parse)
    rankings = read_rankings(parse)
    if not rankings:
        return None
    groups = read_groups(parse)
    made: Named | None = None
    if groups and not asked and any(rank.aggregate for rank in rankings):
        asked = [groups[0].name]
        made = None if isinstance(groups[0].of, Col) else groups[0]
    source = parse.source()
    for rank in rankings[:-1]:
        if rank.column is None:
            return None
        source = ranked(source, rank, rank.column)
    part = _within(parse, source, rankings[-1], asked, groups) or _by_period(parse, source, rankings[-1])
    part = part or _extreme_of_each(parse, source, rankings[-1], asked, groups)
    part = part or _aggregated(parse, source, rankings[-1])
    if made is not None:
        part = part or _of_made_groups(source, rankings[-1], made)
    else:
        part = part or _last(parse, source, rankings[-1], asked)
    return Offer(part=part, parse=parse, family="ranking") if part else None


def _of_made_groups(source: Relation, rank: Ranking, group: Named) -> Part | None:
    """Return the first of groups that are made from a column, such as its months: `the highest monthly average`."""
    if rank.column is None or rank.aggregate is None:
        return None
    measure = Measure(name=f"{rank.aggregate}_{rank.column}", function=rank.aggregate, of=Col(name=rank.column))
    grouped = Aggregate(source=source, groups=(group,), measures=(measure,))
    return show(ranked(grouped, rank, measure.name), [group.name], [], measures=[measure.name])


def _within(parse: Parse, source: Relation, rank: Ranking, asked: list[str], groups: list[Named]) -> Part | None:
    """Return the first rows of each group: `每个地区销售额最高的产品`."""
    cut = (
        tuple(group for group in groups if isinstance(group.of, Bucket)) if _EACH.search(parse.question.lower()) else ()
    )
    source = Derive(source=source, columns=cut) if cut else source
    keys = [group.name for group in groups if group.name not in asked and (cut or isinstance(group.of, Col))]
    things = [name for name in asked if name not in keys]
    if not keys or (rank.aggregate and not (things and rank.column and rank.aggregate in {"sum", "mean"})):
        return None
    if rank.column is None:
        return _most_rows_within(parse, source, rank, asked, keys)
    asked = (
        asked
        or _things(parse, rank)
        or [name for name in _named_things(parse) if name not in keys and _EACH.search(parse.question.lower())]
        or ([entity(parse)] if rank.many and not rank.aggregate and parse.language == "zh" else [])
    )
    if not asked:
        return None
    rows: Relation = source
    by = rank.column
    function = "sum" if summed(parse, rank, asked) else "mean" if rated(parse, rank, asked) else None
    function = rank.aggregate or function
    if function is not None:
        by = f"{function}_{rank.column}"
        measure = Measure(name=by, function=function, of=Col(name=rank.column))  # type: ignore[arg-type]
        rows = Aggregate(source=source, groups=named([*keys, *asked]), measures=(measure,))
    top = Top(source=rows, by=by, count=rank.count, descending=rank.descending, within=tuple(keys))
    return show(top, [*keys, *asked], [by])


def _most_rows_within(parse: Parse, source: Relation, rank: Ranking, asked: list[str], keys: list[str]) -> Part | None:
    """Return, for each group, the value with the most rows: `the most used carrier in each warehouse`."""
    other = next(
        (name for name in [*asked, *_named_things(parse)] if name not in keys and is_repeated(parse, name)), None
    )
    if other is None:
        return None
    parse.take(*parse.free(RowsMention), *[named for named in parse.free(ColumnMention) if named.column == other])
    counted = Measure(name="count", function="count")
    grouped = Aggregate(source=source, groups=named([*keys, other]), measures=(counted,))
    top = Top(source=grouped, by="count", count=rank.count, descending=rank.descending, within=tuple(keys))
    return show(top, [*keys, other], [], measures=["count"])


def _things(parse: Parse, rank: Ranking) -> list[str]:
    """Return the column that names the rows, if the question asks for them: `每个部门月薪最高的人`."""
    rows = any(mention.start > rank.place for mention in parse.free(RowsMention))
    somebody = _SOMEBODY.search(parse.question) is not None
    for place in [near for near in parse.unexplained() if somebody and parse.tokens[near].norm == "人"]:
        said = RowsMention(start=place, end=place + 1, score=0.7, column=None)
        parse.mentions.append(said)
        parse.take(said)
    return [entity(parse)] if rows or somebody else []


def _by_period(parse: Parse, source: Relation, rank: Ranking) -> Part | None:
    """Return the periods ranked by their sum: `哪个月的销售额最高`, `which month had the highest sales`."""
    match = _PERIOD.search(parse.question.lower())
    dated = next((column.name for column in parse.table.facts.columns if column.kind in {"date", "datetime"}), None)
    if match is None or dated is None or rank.column is None or not parse.numeric(rank.column):
        return None
    unit = _UNITS[next(group for group in match.groups() if group)]
    if unit == "day" and not (aggregate_for(parse.facts(rank.column)) == "sum" and _several_a_day(parse, dated)):
        return None
    group = bucket(dated, unit)
    function = rank.aggregate or "sum"
    measure = Measure(name=f"{function}_{rank.column}", function=function, of=Col(name=rank.column))
    grouped = Aggregate(source=source, groups=(group,), measures=(measure,))
    return show(ranked(grouped, rank, measure.name), [group.name], [], measures=[measure.name])


def _several_a_day(parse: Parse, dated: str) -> bool:
    """Return whether a day may have several rows."""
    facts = parse.facts(dated)
    return facts.kind == "datetime" or (facts.distinct or parse.table.facts.rows) <= parse.table.facts.rows / 2


def _aggregated(parse: Parse, source: Relation, rank: Ranking) -> Part | None:
    """Return an aggregate over the rows that the ranking keeps: `the average revenue of the top five by profit`."""
    if not rank.many or rank.column is None:
        return None
    if rank.aggregate:
        return _of_the_top(parse, source, rank)
    measured = [measured for measured in read_measures(parse) if measured.column is not None and not measured.told]
    if len(measured) != 1:
        return None
    measure = measured[0].measure()
    decimals = 2 if measure.function in {"mean", "median"} else None
    return Part(
        relation=Aggregate(source=ranked(source, rank, rank.column), groups=(), measures=(measure,)), decimals=decimals
    )


def _of_the_top(parse: Parse, source: Relation, rank: Ranking) -> Part | None:
    """Return an aggregate of the ranking's own column over its first rows: `the average market value of the top 5
    companies`."""
    if _AVERAGE_OF_TOP.search(parse.question.lower()) is None or rank.column is None or rank.aggregate is None:
        return None
    measure = Measure(name=f"{rank.aggregate}_{rank.column}", function=rank.aggregate, of=Col(name=rank.column))
    parse.take(*parse.words("wh"), *parse.free(RowsMention))
    parse.take(*[named for named in parse.free(ColumnMention) if not parse.numeric(named.column)])
    kept = ranked(source, rank, rank.column)
    return Part(relation=Aggregate(source=kept, groups=(), measures=(measure,)), decimals=2)


def _last(parse: Parse, source: Relation, rank: Ranking, asked: list[str]) -> Part | None:
    if rank.column is None:
        return _most_rows(parse, source, rank, asked)
    things = asked or _named_things(parse)
    if rank.aggregate or rate_made(parse, rank, things) or summed(parse, rank, things) or rated(parse, rank, things):
        return _group_measure(parse, source, rank, asked)
    ordered, by = ordered_by_number(parse, source, rank.column)
    if _value_asked(parse, rank, asked):
        return _extreme(source, rank) if by == rank.column else show(ranked(ordered, rank, by), [rank.column], [])
    asked = [column for column in asked if column != rank.column]
    others = [column for column in remaining(parse) if column != rank.column]
    if not asked:
        asked = others[:3]
    name = entity(parse)
    asked = asked or ([name] if name != rank.column else [column.name for column in parse.table.facts.columns[:1]])
    return show(ranked(ordered, rank, by), asked, [name], measures=[rank.column])


def _named_things(parse: Parse) -> list[str]:
    """Return the column ranked, if no question word points at it: `the top 5 products by revenue`."""
    return [mention.column for mention in parse.free(ColumnMention) if not parse.numeric_reading(mention)][:1]


def _value_asked(parse: Parse, rank: Ranking, asked: list[str]) -> bool:
    """Return whether the ranked value itself is asked for, and nothing else: `What is the highest price?`."""
    if rank.many or [column for column in asked if column != rank.column]:
        return False
    if rank.column in asked:
        return True
    if _thing_ranked(parse, rank):
        return False
    wants = parse.has("wh", "much") or parse.question.lower().startswith(("what is the", "what was the", "what's the"))
    return (wants or _level_named(parse)) and not parse.has("count")


def _level_named(parse: Parse) -> bool:
    """Return whether the ranked column is the only one named: `lowest satisfaction score in Sales`."""
    first = parse.mentions[0] if parse.mentions else None
    if not isinstance(first, WordMention) or first.code != "superlative" or first.start > 1 or first.hint:
        return False
    near = [
        mention
        for mention in parse.mentions
        if isinstance(mention, ColumnMention) and mention.start == first.end and parse.numeric_reading(mention)
    ]
    return bool(near) and not list(parse.free(ColumnMention)) and not list(parse.free(RowsMention))


def _thing_ranked(parse: Parse, rank: Ranking) -> bool:
    """Return whether a thing follows the superlative, and so is asked for: `the highest city in terms of altitude`."""
    thing = parse.after(rank.place + 1, ColumnMention, 0)
    return thing is not None and thing.column != rank.column and not parse.numeric(thing.column)


def _extreme(source: Relation, rank: Ranking) -> Part:
    assert rank.column is not None
    if rank.offset:
        top = ranked(source, rank, rank.column)
        return Part(
            relation=Project(source=top, columns=(Named(name=rank.column, of=Col(name=rank.column)),), distinct=True)
        )
    measure = Measure(name=rank.column, function="max" if rank.descending else "min", of=Col(name=rank.column))
    return Part(relation=Aggregate(source=source, groups=(), measures=(measure,)))


def _extreme_of_each(
    parse: Parse, source: Relation, rank: Ranking, asked: list[str], groups: list[Named]
) -> Part | None:
    """Return the highest or lowest value of each group: `每科最高分是多少`."""
    others = [name for name in asked if name not in {group.name for group in groups}]
    if (
        not groups
        or not _PARTED.search(parse.question.lower())
        or rank.column is None
        or rank.aggregate
        or rank.offset
        or not _value_asked(parse, rank, others)
    ):
        return None
    function: AggregateName = "max" if rank.descending else "min"
    measure = Measure(name=f"{function}_{rank.column}", function=function, of=Col(name=rank.column))
    return Part(relation=Aggregate(source=source, groups=tuple(groups), measures=(measure,)))


def _group_measure(parse: Parse, source: Relation, rank: Ranking, asked: list[str]) -> Part | None:
    if rank.column is None:
        return None
    keys = asked if repeated_together(parse, asked) else asked[:1]
    keys = keys or [column for column in remaining(parse) if not parse.numeric(column)][:1]
    if not keys:
        return None
    mean = rate_made(parse, rank, keys) or rated(parse, rank, keys)
    function = rank.aggregate or ("mean" if mean else "sum")
    measure = Measure(name=f"{function}_{rank.column}", function=function, of=Col(name=rank.column))
    grouped = Aggregate(source=source, groups=named(keys), measures=(measure,))
    return show(ranked(grouped, rank, measure.name), keys, [], measures=[measure.name])


def _most_rows(parse: Parse, source: Relation, rank: Ranking, asked: list[str]) -> Part | None:
    """Return the group with the most rows: `Which nationality is most common?`."""
    parse.take(*parse.free(RowsMention))
    said = {named.column for named in parse.mentions if isinstance(named, ColumnMention)}
    others = remaining(parse)
    things = asked if parse.language == "en" and said & set(asked) else [*asked, *others]
    key = next((column for column in things if is_repeated(parse, column)), None)
    if key is None:
        return None
    grouped = Aggregate(
        source=source, groups=(Named(name=key, of=Col(name=key)),), measures=(Measure(name="count", function="count"),)
    )
    return show(ranked(grouped, rank, "count"), [key], [], measures=["count"])
