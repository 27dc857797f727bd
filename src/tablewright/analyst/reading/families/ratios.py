"""`pageviews per session by device`: one amount per unit of another, over all rows or each group."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.plan import Aggregate, Col, Derive, Math, Measure, Named, Part, Project
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.groups import read_groups
from tablewright.analyst.reading.parse import Parse

_DECIMALS = 2


def ratios(parse: Parse) -> Offer | None:
    """Offer the sum of the column before `per` divided by the sum of the column after it."""
    for word in parse.words("each"):
        if parse.gap(word.start, word.end) != "per":
            continue
        pair = _pair(parse, word)
        if pair is None:
            continue
        parse.take(word, *pair)
        return _offer(parse, parse.numeric_reading(pair[0]) or "", parse.numeric_reading(pair[1]) or "")
    return None


def _pair(parse: Parse, word: WordMention) -> tuple[ColumnMention, ColumnMention] | None:
    """Return the amounts before and after the word; None unless both add up and differ."""
    above, below = parse.before(word.start, ColumnMention, 0), parse.after(word.end, ColumnMention, 0)
    if above is None or below is None or not all(_adds_up(parse, column) for column in (above, below)):
        return None
    return (above, below) if parse.numeric_reading(above) != parse.numeric_reading(below) else None


def _adds_up(parse: Parse, column: ColumnMention) -> bool:
    name = parse.numeric_reading(column)
    return name is not None and aggregate_for(parse.facts(name)) == "sum"


def _offer(parse: Parse, above: str, below: str) -> Offer:
    means = [word for word in parse.words("aggregate") if word.value in {"mean", "sum"}]
    parse.take(*means)
    groups = read_groups(parse)
    parse.take(*parse.words("wh", "by", "each"), *parse.free(RowsMention))
    sums = [Measure(name=f"sum_{name}", function="sum", of=Col(name=name)) for name in (above, below)]
    grouped = Aggregate(source=parse.source(), groups=tuple(groups), measures=tuple(sums))
    name = f"{above} / {below}"
    divided = Math(op="/", left=Col(name=sums[0].name), right=Col(name=sums[1].name))
    told = Derive(source=grouped, columns=(Named(name=name, of=divided),))
    wanted = [*(group.name for group in groups), name]
    relation = Project(source=told, columns=tuple(Named(name=column, of=Col(name=column)) for column in wanted))
    return Offer(part=Part(relation=relation, shown=told, decimals=_DECIMALS), parse=parse, family="ratios", fit=1.05)
