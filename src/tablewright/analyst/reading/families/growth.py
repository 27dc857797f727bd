"""`销售额的环比增长率`, `sales growth by month`, `cumulative sales`: each period against the one before."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.plan import Aggregate, Bucket, Col, Drawing, Measure, Named, Part, Relation, Shift, Sort
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.groups import bucket, read_groups
from tablewright.analyst.reading.parse import Parse


def growth(parse: Parse) -> Offer | None:
    """Read a growth rate or a running sum over time."""
    words = parse.words("growth", "cumulative")
    measures = [mention for mention in parse.free(ColumnMention) if parse.numeric_reading(mention)]
    if not words or not measures:
        return None
    column = parse.numeric_reading(measures[0]) or measures[0].column
    groups = read_groups(parse) or _by_month(parse)
    if len(groups) != 1 or not _over_time(parse, groups[0]):
        return None
    parse.take(*words, *measures, *parse.words("trend", "aggregate", "wh", "each", "chart"))
    running = words[0].code == "cumulative"
    measure = Measure(name=f"sum_{column}", function="sum", of=Col(name=column))
    relation: Relation = Aggregate(source=parse.source(), groups=tuple(groups), measures=(measure,))
    relation = Sort(source=relation, keys=((groups[0].name, False),))
    name = "cumulative" if running else "growth"
    relation = Shift(source=relation, column=measure.name, name=name, how="cumulative" if running else "growth")
    drawing = Drawing(kind="line", x=groups[0].name, y=name)
    return Offer(part=Part(relation=relation, drawing=drawing), parse=parse, family="growth", fit=1.03)


def _by_month(parse: Parse) -> list[Named]:
    dated = next((column.name for column in parse.table.facts.columns if column.kind in {"date", "datetime"}), None)
    return [bucket(dated, "month")] if dated else []


def _over_time(parse: Parse, group: Named) -> bool:
    return isinstance(group.of, Bucket) or parse.dated(group.name) or "year" in group.name.lower() or "年" in group.name
