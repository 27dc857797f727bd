"""`How many pilots are from Spain?`, `the number of orders per month`, `有多少个不同的城市`."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Aggregate, Col, Measure, Named, Part
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.comparisons import identifying
from tablewright.analyst.reading.entities import targets
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.families.projection import show
from tablewright.analyst.reading.grain import repeats
from tablewright.analyst.reading.groups import named_apart, read_groups, wanted_apart
from tablewright.analyst.reading.order import in_order
from tablewright.analyst.reading.parse import Parse, is_code

_SURE = 0.8
_ONE_EACH = 0.8
"""Fit of counts that are all 1."""
_AMOUNTS = frozenset(
    {"income", "amount", "price", "cost", "salary", "age", "rate", "score", "weight", "height", "value", "revenue"}
)
"""Heads of names of columns that measure rather than count."""
_PERSONS = ("姓名", "名字", "full name", "full_name", "employee name", "employee", "patient name", "student name")
_EVENTS = ("次", "笔", "单", "票", "行", "条")
"""Counting words for the rows themselves, whoever they concern."""


def counting(parse: Parse) -> Offer | None:
    """Offer a number of rows or of distinct values, or the count that a numeric column holds."""
    words = parse.words("count", "times") or [word for word in parse.words("wh") if _asks_number(parse, word)]
    words = words or _rows_by_group(parse)
    if not words:
        return None
    word = words[0]
    groups = read_groups(parse)
    groups = [*groups, *(named_apart(parse) if groups else wanted_apart(parse, ["count"]))]
    column = _counted(parse, word)
    distinct = [] if groups else parse.words("distinct")
    parse.take(*words, *distinct)
    parse.take(*[aggregate for aggregate in parse.words("aggregate") if aggregate.value == "sum"])
    if column is not None and parse.numeric(column.column) and not distinct:
        part = _number_told(parse, column, groups=bool(groups))
        if part is not None:
            parse.take(column)
            return Offer(part=part, parse=parse, family="counting")
    if column is not None and groups and not distinct and (amount := _amount_of_groups(parse, column)) is not None:
        parse.take(column)
        relation = Aggregate(source=parse.source(), groups=tuple(groups), measures=(amount,))
        return Offer(part=Part(relation=in_order(parse, relation)), parse=parse, family="counting")
    targets(parse)
    events = parse.gap(word.start, word.end).endswith(_EVENTS)
    measure = _measure(parse, None if groups or events else column, distinct=bool(distinct))
    if column is not None:
        parse.take(column)
    relation = Aggregate(source=parse.source(), groups=tuple(groups), measures=(measure,))
    fit = _ONE_EACH if groups and all(_own_row(parse, group) for group in groups) else 0.97
    return Offer(part=Part(relation=in_order(parse, relation)), parse=parse, family="counting", fit=fit)


def _own_row(parse: Parse, group: Named) -> bool:
    """Return whether each group has one row, whose count would be 1: `headcount by department` of the departments."""
    return isinstance(group.of, Col) and _unique(parse, group.of.name)


def _rows_by_group(parse: Parse) -> list[WordMention]:
    """Return the word `by` directly after the noun for the rows that begins the question, which then counts them:
    `orders by city and weekday`."""
    first = next((mention for mention in parse.mentions if mention.start == 0), None)
    noun = isinstance(first, ColumnMention) and first.score < _SURE and _unique(parse, first.column)
    rows = first if noun or isinstance(first, RowsMention) else None
    by = parse.after(rows.end, WordMention, 0, "by") if rows is not None else None
    key = parse.after(by.end, ColumnMention, 0) if by is not None else None
    if by is None or key is None or parse.numeric(key.column) or parse.order is not None:
        return []
    if _unique(parse, key.column) or parse.has("superlative") or parse.has("top"):
        return []
    parse.take(rows)
    return [by]


def _asks_number(parse: Parse, word: WordMention) -> bool:
    """Return whether `多少` asks how many: before a column without numbers (`多少地块`), or after `有`
    (`没有评分的员工有多少`)."""
    column = parse.after(word.end, ColumnMention, 0)
    if word.value != "much" or parse.language != "zh":
        return False
    if column is not None:
        return not parse.numeric_reading(column)
    rows = [mention for mention in parse.free(ColumnMention) if not parse.numeric_reading(mention)]
    said_have = word.start > 0 and parse.tokens[word.start - 1].norm == "有"
    return said_have and bool(parse.clauses) and len(rows) == len(list(parse.free(ColumnMention)))


def _counted(parse: Parse, word: WordMention) -> ColumnMention | None:
    after = parse.after(word.end, ColumnMention, 3)
    if after is not None and parse.after(word.end, WordMention, after.start - word.end, "and") is not None:
        return None  # `接诊量和总费用`: the second column is a separate measure
    if after is not None and parse.clear(word.end, after.start):
        return after
    before = parse.before(word.start, ColumnMention, 3)
    return before if before is not None and parse.language == "zh" else None


def _number_told(parse: Parse, column: ColumnMention, *, groups: bool) -> Part | None:
    """Return the count held by a column, as the cell or the sum over rows: `How many wins did X have?` with a column
    `wins`. None if it holds no such count."""
    name = parse.numeric_reading(column)
    facts = parse.facts(name) if name else None
    if name is None or facts is None or groups or identifying(name, facts.minimum, facts.maximum):
        return None
    if _qualified_alone(parse, column, name):
        return None
    if any(clause.column == name for clause in parse.clauses) or _numbers_rows(parse, name):
        return None
    one = any(clause.values and len(clause.values) == 1 and _unique(parse, clause.column) for clause in parse.clauses)
    several = [clause for clause in parse.clauses if clause.values and not clause.negated]
    if one and len(several) == 1:
        return show(parse.source(), [name], [])
    return Part(
        relation=Aggregate(
            source=parse.source(), groups=(), measures=(Measure(name=name, function="sum", of=Col(name=name)),)
        )
    )


def _qualified_alone(parse: Parse, mention: ColumnMention, column: str) -> bool:
    """Return whether a mention names only the qualifier of an amount: `how many applicants` does not mean
    `ApplicantIncome`."""
    head = lemmas(column)[-1:]
    said = {token.lemma for token in parse.tokens[mention.start : mention.end]}
    return bool(head) and head[0] in _AMOUNTS and head[0] not in said


def _numbers_rows(parse: Parse, column: str) -> bool:
    """Return whether a column only numbers the rows 1, 2, 3, …."""
    facts = parse.facts(column)
    return facts.minimum == 1 and facts.maximum == facts.distinct == parse.table.facts.rows


def _amount_of_groups(parse: Parse, column: ColumnMention) -> Measure | None:
    """Return the sum of a column that holds counts per row: `how many sessions did each device have`."""
    name = parse.numeric_reading(column)
    if name is None or column.score < _SURE or aggregate_for(parse.facts(name)) != "sum":
        return None
    return Measure(name=f"sum_{name}", function="sum", of=Col(name=name))


def _unique(parse: Parse, column: str) -> bool:
    facts = parse.facts(column)
    return facts.distinct is not None and facts.distinct >= 0.95 * parse.table.facts.rows


def _of_persons(parse: Parse, column: str) -> bool:
    """Return whether a column names persons although each row has its own number: since persons may share a name,
    rows are then counted instead of names."""
    numbered = (facts for facts in parse.table.facts.columns if is_code(facts.name))
    alone = any(facts.distinct == parse.table.facts.rows for facts in numbered)
    return alone and column.strip().lower().endswith(_PERSONS)


def _measure(parse: Parse, column: ColumnMention | None, *, distinct: bool) -> Measure:
    if column is None:
        return Measure(name="count", function="count")
    facts = parse.facts(column.column)
    textual = facts.kind in {"text", "mixed"} and not _unique(parse, column.column)
    used = any(clause.column == column.column for clause in parse.clauses)
    told_apart = parse.language == "en" or (repeats(parse, column.column) and not identifying(facts.name, None, None))
    if distinct or (
        textual and not used and not _of_persons(parse, facts.name) and column.score >= _SURE and told_apart
    ):
        return Measure(name="count", function="count_distinct", of=Col(name=column.column))
    return Measure(name="count", function="count")
