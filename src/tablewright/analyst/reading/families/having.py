"""Groups selected by their totals: `customers with more than 20 orders`, `哪些申请人的总金额超过50万`."""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.linking.mentions import ColumnMention, NumberMention, RowsMention, WordMention
from tablewright.analyst.plan import (
    Aggregate,
    AggregateName,
    Col,
    Compare,
    Filter,
    Lit,
    Measure,
    Named,
    Part,
    Project,
    Relation,
    Sort,
)
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import named, show
from tablewright.analyst.reading.grain import repeats
from tablewright.analyst.reading.parse import Clause, Parse

_FUNCTIONS: dict[str, AggregateName] = {"sum": "sum", "mean": "mean", "median": "median", "max": "max", "min": "min"}
_TIMES = frozenset({"次", "笔", "单"})
_VERB = 2
_OPERATORS = {">": ">", "<": "<", ">=": ">=", "<=": "<=", "=": "="}


def having(parse: Parse) -> Offer | None:
    """Offer the groups whose sum, average or number of rows passes a bound."""
    found = _measured(parse) or _counted(parse)
    if found is None:
        return None
    parse, measure, operator, bound = found
    key = _key(parse)
    if key is None:
        return None
    targets(parse)
    parse.take(*[mention for mention in parse.free(ColumnMention) if mention.column == key])
    parse.take(*parse.free(RowsMention), *parse.words("each", "wh", "compare"))
    grouped: Relation = Aggregate(
        source=parse.source(), groups=(Named(name=key, of=Col(name=key)),), measures=(measure,)
    )
    test = Compare(op=operator, left=Col(name=measure.name), right=Lit(value=bound))  # type: ignore[arg-type]
    chosen = Filter(source=grouped, where=test)
    if parse.words("count"):
        parse.take(*parse.words("count"))
        number = Measure(name="count", function="count")
        return Offer(
            part=Part(relation=Aggregate(source=chosen, groups=(), measures=(number,))),
            parse=parse,
            family="having",
            fit=1.04,
        )
    return Offer(part=show(chosen, [key], [], measures=[measure.name]), parse=parse, family="having", fit=1.04)


def _measured(parse: Parse) -> tuple[Parse, Measure, str, float] | None:
    """Return the parse without the bound, the measure, operator and bound, if a bound directly follows an aggregate
    and so applies to groups rather than rows; else None."""
    for clause in parse.clauses:
        test = clause.condition
        bounded = isinstance(test, Compare) and isinstance(test.left, Col) and isinstance(test.right, Lit)
        if not bounded or not isinstance(test, Compare) or not isinstance(test.right, Lit) or clause.values:
            continue
        word = _aggregate(parse, clause)
        if word is None or not isinstance(test.right.value, int | float) or not parse.numeric(clause.column):
            continue
        function = _FUNCTIONS[word.value]
        rest = replace(parse, taken=set(parse.taken), clauses=[other for other in parse.clauses if other is not clause])
        rest.take(word)
        measure = Measure(name=f"{function}_{clause.column}", function=function, of=Col(name=clause.column))
        return rest, measure, test.op, test.right.value
    return None


def _aggregate(parse: Parse, clause: Clause) -> WordMention | None:
    near = [
        word
        for word in parse.words("aggregate")
        if word.value in _FUNCTIONS and (clause.start - 2 <= word.start < clause.end or word.end == clause.start)
    ]
    return near[0] if near else None


def _counted(parse: Parse) -> tuple[Parse, Measure, str, float] | None:
    """Return the parse, a count of rows, operator and bound, for a bound on the number of rows (`with more than 20
    orders`); else None."""
    for word in parse.words("compare"):
        number = parse.after(word.end, NumberMention, 0)
        rows = parse.after(number.end, RowsMention, 1) if number is not None else None
        rows = rows or (_events(parse, word, number) if number is not None else None)
        if number is None or rows is None or number.percent or word.value not in _OPERATORS:
            continue
        parse.take(word, number, rows)
        return parse, Measure(name="count", function="count"), word.value, number.value
    return None


def counted_bound(parse: Parse) -> tuple[Parse, Compare | None]:
    """Return the parse without the bound on each group's number of rows (`authors with at least 10 books`), and the
    bound, or None if there is none."""
    found = _counted(parse)
    if found is None:
        return parse, None
    rest, measure, operator, bound = found
    return rest, Compare(op=operator, left=Col(name=measure.name), right=Lit(value=bound))  # type: ignore[arg-type]


def of_many_rows(part: Part, bound: Compare) -> Part:
    """Return a grouped part restricted to groups whose number of rows passes the bound; other parts are returned
    unchanged."""
    sort = part.relation if isinstance(part.relation, Sort) else None
    grouped = sort.source if sort is not None else part.relation
    if not isinstance(grouped, Aggregate) or not grouped.groups:
        return part
    count = Measure(name="count", function="count")
    measures = (*(measure for measure in grouped.measures if measure.name != count.name), count)
    chosen = Filter(source=replace(grouped, measures=measures), where=bound)
    kept = [*(group.name for group in grouped.groups), *(measure.name for measure in grouped.measures)]
    relation: Relation = Project(source=chosen, columns=named(kept))
    return replace(part, relation=relation if sort is None else replace(sort, source=relation))


def _events(parse: Parse, word: WordMention, number: NumberMention) -> RowsMention | None:
    """Add a mention of rows that are counted as times, take the unknown verb before it, and return the mention:
    `下单超过3次的客户`. None if the number counts something else."""
    if parse.gap(number.end, number.end + 1) not in _TIMES or parse.language != "zh":
        return None
    unknown = set(parse.unexplained())
    start = word.start
    while start - 1 in unknown and word.start - start < _VERB:
        start -= 1
    if start < word.start:
        verb = RowsMention(start=start, end=word.start, score=0.6, column=None)
        parse.mentions.append(verb)
        parse.take(verb)
    counted = RowsMention(start=number.end, end=number.end + 1, score=0.8, column=None)
    parse.mentions.append(counted)
    return counted


def _key(parse: Parse) -> str | None:
    """Return the only column that is named and whose values occur in several rows each, or None."""
    fixed = {clause.column for clause in parse.clauses}
    said = [
        mention.column
        for mention in parse.free(ColumnMention)
        if mention.column not in fixed and not parse.numeric(mention.column) and not parse.dated(mention.column)
    ]
    return said[0] if len(set(said)) == 1 and repeats(parse, said[0]) else None
