"""`What percentage of the orders are from Lyon?`, `完工的项目占多少？`: the selected rows as a part of all."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import Aggregate, Col, Combine, Measure, Part, Relation
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.parse import Parse


def shares(parse: Parse) -> Offer | None:
    """Read the share of the rows, or of a column's sum, that the conditions select."""
    words = parse.words("share")
    if not words or not parse.clauses or parse.has("each") or parse.has("difference"):
        return None
    column = next((mention for mention in parse.free(ColumnMention) if parse.numeric_reading(mention)), None)
    measure = Measure(name="count", function="count")
    if column is not None:
        name = parse.numeric_reading(column) or column.column
        measure = Measure(name=name, function="sum", of=Col(name=name))
        parse.take(column)
    parse.take(*words, *parse.words("aggregate", "count"))
    targets(parse)
    parse.take(*[mention for mention in parse.free(ColumnMention) if not parse.numeric(mention.column)])
    sides: list[Relation] = [
        Aggregate(source=source, groups=(), measures=(measure,)) for source in (parse.source(), parse.base())
    ]
    relation = Combine(op="percent", left=sides[0], right=sides[1], name="percent")
    return Offer(part=Part(relation=relation, decimals=2), parse=parse, family="shares", fit=1.01)
