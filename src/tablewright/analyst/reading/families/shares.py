"""`What percentage of the orders are from Lyon?`, `完工的项目占多少？`: the selected rows as a part of all; and each
group's part: `各大区的销售额占比`, `男女比例`."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention
from tablewright.analyst.plan import Aggregate, Col, Combine, Measure, Named, Part, Project, Relation, Share
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.charts import wants_chart
from tablewright.analyst.reading.groups import read_groups
from tablewright.analyst.reading.parse import Parse, merged

_PERCENT = "percent"


def shares(parse: Parse) -> Offer | None:
    """Read the share of the rows, or of a column's sum, that the conditions select or that each group has."""
    words = parse.words("share")
    if not words or parse.has("difference") or wants_chart(parse):
        return None
    groups = _groups(parse)
    if not groups and not parse.clauses:
        return None
    measure = _measure(parse)
    parse.take(*words, *parse.words("aggregate", "count", "each", "and", "by"))
    targets(parse)
    parse.take(*[mention for mention in parse.free(ColumnMention) if not parse.numeric(mention.column)])
    if groups:
        return Offer(part=_of_each(parse, groups[0], measure), parse=parse, family="shares", fit=1.02)
    sides: list[Relation] = [
        Aggregate(source=source, groups=(), measures=(measure,)) for source in (parse.source(), parse.base())
    ]
    relation = Combine(op="percent", left=sides[0], right=sides[1], name=_PERCENT)
    return Offer(part=Part(relation=relation, decimals=2), parse=parse, family="shares", fit=1.01)


def _measure(parse: Parse) -> Measure:
    """What is shared out: a column of numbers that is named, else the rows."""
    column = next((mention for mention in parse.free(ColumnMention) if parse.numeric_reading(mention)), None)
    of_rows = any(parse.after(word.end, RowsMention, 2) for word in parse.words("share"))
    if column is None or of_rows:
        return Measure(name="count", function="count")
    name = parse.numeric_reading(column) or column.column
    parse.take(column)
    return Measure(name=f"sum_{name}", function="sum", of=Col(name=name))


def _groups(parse: Parse) -> list[Named]:
    """What the shares are of: said, or several values of one column that are named (`男女比例`)."""
    groups = read_groups(parse)
    if groups:
        return groups
    named = [clause for clause in merged(parse.clauses) if len(clause.values) > 1 and not clause.negated]
    return [Named(name=named[0].column, of=Col(name=named[0].column))] if named else []


def _of_each(parse: Parse, group: Named, measure: Measure) -> Part:
    grouped = Aggregate(source=parse.source(), groups=(group,), measures=(measure,))
    shared = Share(source=grouped, column=measure.name, name=_PERCENT)
    wanted = tuple(Named(name=name, of=Col(name=name)) for name in (group.name, _PERCENT))
    return Part(relation=Project(source=shared, columns=wanted), shown=shared, decimals=2)
