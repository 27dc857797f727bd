"""Columns named without an aggregate: `What is the revenue of the North?`, `各大区的销售额`, `units by month`.

If several rows match, amounts are added up and levels (prices, rates) are averaged within groups.
"""

from __future__ import annotations

from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import Aggregate, AggregateName, Col, Named, Part, Relation, Sort
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.grain import many_rows, repeats
from tablewright.analyst.reading.groups import compared_apart, named_apart, read_groups
from tablewright.analyst.reading.measures import Measured, measures_of, read_measures
from tablewright.analyst.reading.parse import Parse

_OTHERS = (
    "share", "difference", "relation", "growth", "cumulative", "superlative", "top", "comparative", "outliers", "same",
    "normality", "test", "regression", "describe", "duplicates", "row", "consecutive", "distinct", "missing",
)  # fmt: skip
"""Words that belong to other families."""
_SURE = 0.7
_OF_A_PIECE = ("单价", "均价", "率", "楼面价")
_MONEY = ("费", "额", "款", "金", "收入", "支出", "成本", "税", "租", "薪", "工资")
"""Endings of kinds of rows that are themselves amounts."""


def amounts(parse: Parse) -> Offer | None:
    """Offer the amounts of the selected rows, grouped if the question says so."""
    if any(parse.has(code) for code in _OTHERS):
        return None
    groups = read_groups(parse) or _broken_down(parse)
    told = read_measures(parse)
    bare = _bare(parse, groups or compared_apart(parse)) or ([] if told else _implied(parse, groups))
    if not bare or not _summarised(parse, groups):
        return None
    counted = {measured.end for measured in bare}  # `员工总数` for a column 员工人数
    told = [measured for measured in told if measured.column is not None or measured.place not in counted]
    groups = [*groups, *named_apart(parse)]
    measures = measures_of(sorted([*told, *bare], key=lambda measured: measured.place))
    targets(parse)
    parse.take(*parse.words("and", "by", "each"))
    relation: Relation = Aggregate(source=parse.source(), groups=tuple(groups), measures=measures)
    if parse.order is not None and groups:
        by_key = parse.order.axis != "y" and parse.order.column == groups[0].name
        key = groups[0].name if by_key else measures[0].name
        relation = Sort(source=relation, keys=((key, parse.order.descending),))
    return Offer(part=Part(relation=relation), parse=parse, family="amounts", fit=1.02)


def _broken_down(parse: Parse) -> list[Named]:
    """Return the only text column named, for a breakdown: `the gender split`, `部门构成`."""
    words = parse.words("breakdown")
    near = [mention for mention in parse.free(ColumnMention) if not parse.numeric_reading(mention)]
    if not words or len(near) != 1:
        return []
    parse.take(*words, *near)
    return [Named(name=near[0].column, of=Col(name=near[0].column))]


def _implied(parse: Parse, groups: list[Named]) -> list[Measured]:
    """Return the table's only amount, if the question means it without naming it (`研发部的差旅费是多少`), or a count
    for a breakdown of nothing else."""
    if parse.has("breakdown") and groups:
        return [Measured(function="count", column=None, place=0, end=0)]
    free = [mention for mention in parse.free(ColumnMention) if mention.score >= _SURE]
    amounts = [column.name for column in parse.table.facts.columns if aggregate_for(column) == "sum"]
    words = [word for word in parse.words("aggregate") if word.value in {"sum", "mean", "median"}]
    asked = words or (parse.clauses and parse.has("wh", "much") and not _of_things(parse, amounts))
    if len(amounts) != 1 or free or groups or not asked or parse.has("count"):
        return []
    parse.take(*words)
    function: AggregateName = words[0].value if words else "sum"  # type: ignore[assignment]
    return [Measured(function=function, column=amounts[0], place=0, end=0)]


def _of_things(parse: Parse, amounts: list[str]) -> bool:
    """Return whether `多少` asks how many rather than how much: the amount is itself a condition
    (`费用在500到1000之间的有多少`), or a counting word has no other meaning (`状态为待审的有多少份`)."""
    if any(clause.column in amounts for clause in parse.clauses):
        return True
    unknown = set(parse.unexplained())
    money = any(value.endswith(_MONEY) for clause in parse.clauses for value in clause.values)
    return any(
        word.value == "much"
        and (word.end in unknown or (not money and parse.gap(max(0, word.start - 1), word.start) == "有"))
        for word in parse.words("wh")
    )


def _summarised(parse: Parse, groups: list[Named]) -> bool:
    """Return whether rows must be combined: groups have several rows, or, without groups, several rows match."""
    if not groups:
        return many_rows(parse)
    columns = [group.name for group in groups if group.name in {column.name for column in parse.table.facts.columns}]
    return len(columns) < len(groups) or any(repeats(parse, column) for column in columns)


def _total_said(parse: Parse, mention: ColumnMention, name: str) -> bool:
    """Return whether a price column must be added up because a total is asked for: `成交总价` of many sales."""
    said = parse.gap(mention.start, mention.end)
    return "总" in said and "总" not in name and not any(word in name for word in _OF_A_PIECE)


def _bare(parse: Parse, groups: list[Named]) -> list[Measured]:
    """Take the columns named without an aggregate, and return them as measures by how they add up."""
    fixed = {clause.column for clause in parse.clauses}
    found: list[Measured] = []
    for mention in list(parse.free(ColumnMention)):
        name = parse.numeric_reading(mention)
        if name is None or name in fixed or mention.score < _SURE:
            continue
        function = "sum" if _total_said(parse, mention, name) else aggregate_for(parse.facts(name))
        made = parse.made is not None and name == parse.made.name
        if function is None or (function == "mean" and not groups and not made):
            continue
        parse.take(mention)
        found.append(Measured(function=function, column=name, place=mention.start, end=mention.end))
    return found
