"""Shares: of the selected rows in all rows (`What percentage of the orders are from Lyon?`, `完工的项目占多少？`), and
of each group (`各大区的销售额占比`, `男女比例`)."""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.plan import (
    Aggregate,
    Case,
    Col,
    Combine,
    Derive,
    Drawing,
    Filter,
    Lit,
    Measure,
    Named,
    Part,
    Project,
    Relation,
    Share,
)
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.charts import wants_chart
from tablewright.analyst.reading.flags import sides
from tablewright.analyst.reading.groups import read_groups
from tablewright.analyst.reading.parse import Clause, Parse, joined, merged
from tablewright.domain.chart import ChartKind
from tablewright.texts.catalogue import text

_PERCENT = "percent"
_AND = frozenset({"和", "与", "及", "、", "and"})
_INSIDE = frozenset({"in", "within", "among", "inside"})
_WITHIN = frozenset({"中", "里", "内"})
_VERBS = frozenset(
    {"is", "are", "was", "were", "has", "have", "had", "did", "do", "does", "come", "came", "who", "that", "which"}
)


def shares(parse: Parse) -> Offer | None:
    """Offer the share of the rows, or of a column's sum, that the conditions select or that each group has."""
    words = parse.words("share")
    if not words or parse.has("difference") or (wants_chart(parse) and not _drawn(parse)):
        return None
    groups = _groups(parse)
    if not groups and not parse.clauses:
        return None
    measure = _measure(parse)
    place = words[0].end
    beside = parse.gap(max(0, words[0].start - 1), words[0].start) in _AND
    if beside and measure.function == "sum" and parse.words("count"):
        return None  # amounts, counts and shares in one table are more than this plan holds
    parse.take(*words, *parse.words("aggregate", "count", "each", "and", "by"))
    targets(parse)
    parse.take(*[mention for mention in parse.free(ColumnMention) if not parse.numeric(mention.column)])
    if groups and (marked := _marked(parse)) and measure.function == "count":
        part = _rate_of_each(parse, groups, marked)
        return Offer(part=part, parse=parse, family="shares", fit=1.03)
    if groups:
        part = _of_each(parse, groups, measure, beside=beside)
        return Offer(
            part=_with_chart(parse, part), parse=parse, family="shares", fit=1.2 if parse.has("chart") else 1.02
        )
    sides: list[Relation] = [
        Aggregate(source=source, groups=(), measures=(measure,)) for source in (parse.source(), _whole(parse, place))
    ]
    relation = Combine(op="percent", left=sides[0], right=sides[1], name=_PERCENT)
    return Offer(part=Part(relation=relation, decimals=2), parse=parse, family="shares", fit=1.01)


def _marked(parse: Parse) -> list[Clause]:
    """Return the conditions on yes-or-no columns, and the one whose share is asked for: `各部门女性占比`."""
    words = [word for word in parse.mentions if isinstance(word, WordMention) and word.code == "share"]
    ends, starts = {word.start for word in words}, {word.end for word in words if parse.language == "en"}
    return [
        clause
        for clause in parse.clauses
        if sides(parse.facts(clause.column)) is not None
        or (
            _alone(parse, clause) and (ends & {clause.end, clause.end + 1} or starts & {clause.start, clause.start - 1})
        )
    ]


def _alone(parse: Parse, clause: Clause) -> bool:
    """Return whether a condition names a single value of its column, unlike `各部门男女比例`."""
    same = [other for other in parse.clauses if other.column == clause.column]
    return len(same) == 1 and len(clause.values) == 1 and not clause.negated


def _rate_of_each(parse: Parse, groups: list[Named], marked: list[Clause]) -> Part:
    """Return the percentage of each group's rows that say yes: `percentage planning to leave in each department`."""
    others = joined([clause for clause in parse.clauses if clause not in marked], parse.either)
    source = parse.base() if others is None else Filter(source=parse.base(), where=others)
    kept = joined(marked, [])
    assert kept is not None
    said = Case(branches=((kept, Lit(value=100.0)),), otherwise=Lit(value=0.0))
    name = text("words.share_name", parse.language)
    told = Derive(source=source, columns=(Named(name=name, of=said),))
    measure = Measure(name=name, function="mean", of=Col(name=name))
    return Part(relation=Aggregate(source=told, groups=tuple(groups), measures=(measure,)), decimals=2)


def _whole(parse: Parse, place: int) -> Relation:
    """Return the rows of which the share is taken, those described before the verb: `of the days in Quito were
    sunny`, `本科员工中…占多少`."""
    owning = _behind_share(parse)
    if owning:
        where = joined(owning, [])
        assert where is not None
        return Filter(source=parse.base(), where=where)
    breaks = [at for at, token in enumerate(parse.tokens) if _breaks(parse, token.norm, at, place)]
    for at in breaks:
        before = [clause for clause in parse.clauses if clause.end <= at]
        if before and len(before) < len(parse.clauses):
            where = joined(before, [])
            assert where is not None
            return Filter(source=parse.base(), where=where)
    within = [clause for clause in parse.clauses if _stands_in(parse, clause)]
    if breaks or not within or len(within) == len(parse.clauses):
        return parse.base()
    where = joined(within, [])
    assert where is not None
    return Filter(source=parse.base(), where=where)


def _behind_share(parse: Parse) -> list[Clause]:
    """Return the conditions after 占, which describe the whole: `购物占支出的比例`."""
    place = next((at for at, token in enumerate(parse.tokens) if token.norm == "占"), None)
    if place is None or not any(clause.end <= place for clause in parse.clauses):
        return []
    return [clause for clause in parse.clauses if clause.start > place]


def _stands_in(parse: Parse, clause: Clause) -> bool:
    """Return whether a condition describes the whole: the club in `boys in the chess club`."""
    before = parse.gap(max(0, clause.start - 2), clause.start).split()
    return parse.language == "en" and bool(_INSIDE & {word for word in before if word not in {"the", "a"}})


def _breaks(parse: Parse, said: str, at: int, place: int) -> bool:
    return said in _WITHIN if parse.language == "zh" else at >= place and said in _VERBS


def _measure(parse: Parse) -> Measure:
    """Return what is shared: the sum of a numeric column that is named, else the number of rows."""
    column = next((mention for mention in parse.free(ColumnMention) if parse.numeric_reading(mention)), None)
    of_rows = any(parse.after(word.end, RowsMention, 2) for word in parse.words("share"))
    if column is None or of_rows:
        return Measure(name="count", function="count")
    name = parse.numeric_reading(column) or column.column
    parse.take(column)
    return Measure(name=f"sum_{name}", function="sum", of=Col(name=name))


def _groups(parse: Parse) -> list[Named]:
    """Return the groups that have shares: those named as such, or several values of one column (`男女比例`)."""
    groups = read_groups(parse)[:1]
    named = [clause for clause in merged(parse.clauses) if len(clause.values) > 1 and not clause.negated]
    parts = [Named(name=clause.column, of=Col(name=clause.column)) for clause in named[:1]]
    return list({group.name: group for group in (*groups, *parts)}.values())


def _drawn(parse: Parse) -> bool:
    """Return whether shares are to be computed and then drawn: `各地区销售额占比，画饼图`."""
    charts = [word.value for word in parse.words("chart")]
    return parse.language == "zh" and bool(charts) and set(charts) <= {"pie", "bar", "", None}


def _with_chart(parse: Parse, part: Part) -> Part:
    """Return the shares of one key with the chart that is asked for, if any."""
    words, relation = parse.words("chart"), part.relation
    if not words or not isinstance(relation, Project) or relation.columns[-1].name != _PERCENT:
        return part
    parse.take(*words, *parse.words("wh"))
    kind: ChartKind = "bar" if any(word.value == "bar" for word in words) else "pie"
    return replace(part, drawing=Drawing(kind=kind, x=relation.columns[0].name, y=_PERCENT))


def _of_each(parse: Parse, groups: list[Named], measure: Measure, *, beside: bool = False) -> Part:
    """Return the share of each group, with the amounts too if they are asked for `beside` it (`人数及占比`); with two
    keys, the shares of the second within the first (`各部门男女比例`)."""
    grouped = Aggregate(source=parse.source(), groups=tuple(groups), measures=(measure,))
    within = tuple(group.name for group in groups[:-1])
    shared = Share(source=grouped, column=measure.name, name=_PERCENT, within=within)
    names = (*(group.name for group in groups), *((measure.name,) if beside else ()), _PERCENT)
    wanted = tuple(Named(name=name, of=Col(name=name)) for name in names)
    return Part(relation=Project(source=shared, columns=wanted), shown=shared, decimals=2)
