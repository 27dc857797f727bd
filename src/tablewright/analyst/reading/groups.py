"""Finds what rows are grouped by: `for each country`, `各部门`, `by month`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.plan import Bucket, Col, Named
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.comparisons import identifying
from tablewright.analyst.reading.parse import Parse, merged


def read_groups(parse: Parse) -> list[Named]:
    """Take the grouping words with their columns, and return the group keys; a time unit truncates the table's date
    column."""
    found: list[Named] = []
    for word in parse.words("unit"):
        group = _bucket(parse, word.value)
        if group is not None:
            found.append(group)
            near = parse.before(word.start, ColumnMention, 2)
            parse.take(word, near if near is not None and near.column == _date_column(parse) else None)
            found.extend(_further(parse, word.end))
    for word in parse.words("each", "by"):
        column = parse.after(word.end, ColumnMention, 2)
        if column is None or not _ties(parse, word.end, column.start) or not groupable(parse, column):
            found.extend(_unit_alone(parse, word, None) if column is None or column.start > word.end + 1 else [])
            continue
        parse.take(word, column)
        found.append(_cut(parse, column) or Named(name=column.column, of=Col(name=column.column)))
        found.extend(_further(parse, column.end))
    if not found:
        found = _different(parse)
    return list({group.name: group for group in found}.values())


def _cut(parse: Parse, column: ColumnMention) -> Named | None:
    """Return a date column truncated to the unit after its name: `by join month`, `按入职年份`."""
    if not parse.dated(column.column):
        return None
    said = parse.gap(column.start, column.end).replace(" ", "")
    own = next((unit for word, unit in _UNITS.items() if is_han(word[0]) and word in said[1:]), None)
    alone = _UNITS.get(said) if said != column.column.lower() else None
    own = own or (alone if column.end - column.start == 1 and not is_han(said[0]) else None)
    unit = own or (_UNITS.get(parse.tokens[column.end].lemma) if column.end < len(parse.tokens) else None)
    if unit is None:
        return None
    if own is None:
        words = RowsMention(start=column.end, end=column.end + 1, score=0.8, column=None)
        parse.mentions.append(words)
        parse.take(words, *[other for other in parse.free(ColumnMention) if other.start == column.end])
    return bucket(column.column, unit)


def _different(parse: Parse) -> list[Named]:
    """Return the distinct column as the key if each value is counted: `the different card types and how many cards
    of each`."""
    if not (parse.has("each") or parse.has("aggregate")) or not (parse.has("count") or parse.has("aggregate")):
        return []
    for word in parse.words("distinct"):
        column = parse.after(word.end, ColumnMention, 1)
        if parse.before(word.start, WordMention, 0, "count") is not None and not parse.has("each"):
            continue  # `一共有多少个不同的客户`: the values are counted, not grouped by
        if column is not None and groupable(parse, column):
            parse.take(word, column, *parse.words("each"))
            return [Named(name=column.column, of=Col(name=column.column))]
    return []


def _ties(parse: Parse, start: int, end: int) -> bool:
    allowed = {
        "of",
        "the",
        "attribute",
        "different",
        "same",
        "个",
        "by",
        "each",
        "type",
        "家",
        "种",
        "一",
        "their",
        "in",
        "every",
        "a",
        "不",
        "同",
        "其",
        "所",
        "在",
        "distinct",
        "unique",
        "individual",
    }
    return all(token.norm in allowed for token in parse.tokens[start:end])


def groupable(parse: Parse, mention: ColumnMention) -> bool:
    """Return whether rows can be grouped by a column; numbers with many distinct values are measurements."""
    facts = parse.facts(mention.column)
    if facts.kind not in {"number", "integer"}:
        return True
    if _PER_PIECE.search(parse.question.lower()) and aggregate_for(facts) == "sum":
        return False
    few = facts.distinct is not None and facts.distinct <= max(12, parse.table.facts.rows // 3)
    return (few and (facts.kind == "integer")) or identifying(facts.name, facts.minimum, facts.maximum)


def _further(parse: Parse, end: int) -> list[Named]:
    """Return the second key, after the words of the first: `by region and product`, `by region and month`."""
    while end < len(parse.tokens) and parse.tokens[end].norm in _ENDS_OF_UNITS:
        end += 1
    connector = parse.after(end, WordMention, 0, "and", "distinct")
    if connector is None:
        return _dated_behind(parse, end)
    second = parse.after(connector.end, ColumnMention, 1)
    if second is None or parse.dated(second.column):
        return _unit_alone(parse, connector, second)
    if not groupable(parse, second) or parse.numeric(second.column):
        return []
    parse.take(connector, second)
    return [Named(name=second.column, of=Col(name=second.column))]


def _dated_behind(parse: Parse, end: int) -> list[Named]:
    """Return a date truncated to the unit in its name, directly after the first key: `各部门入职年份的人数`."""
    column = parse.after(end, ColumnMention, 0)
    if column is None or not is_han(parse.tokens[column.start].norm[0]):
        return []
    cut = _cut(parse, column)
    if cut is None:
        return []
    parse.take(column)
    return [cut]


def _unit_alone(parse: Parse, connector: WordMention, column: ColumnMention | None) -> list[Named]:
    """Return the dates truncated to the unit that stands after a connector; else the date `column` itself, if any."""
    dated = _date_column(parse) if column is None else column.column
    for length in (2, 1):
        end = min(connector.end + length, len(parse.tokens))
        unit = _UNITS.get("".join(token.lemma for token in parse.tokens[connector.end : end]))
        if unit is not None and dated is not None:
            said = RowsMention(start=connector.end, end=end, score=0.8, column=None)
            parse.mentions.append(said)
            parse.take(connector, said, column)
            return [bucket(dated, unit)]
    if column is None:
        return []
    parse.take(connector, column)
    return [Named(name=column.column, of=Col(name=column.column))]


def _date_column(parse: Parse) -> str | None:
    return next((column.name for column in parse.table.facts.columns if column.kind in {"date", "datetime"}), None)


def _bucket(parse: Parse, unit: str) -> Named | None:
    column = _date_column(parse)
    if column is None:
        plain = next(
            (name.column for name in parse.table.names if unit in name.concepts or unit == "".join(name.plain)), None
        )
        return Named(name=plain, of=Col(name=plain)) if plain else None
    return bucket(column, unit)


def bucket(column: str, unit: str) -> Named:
    """Return a date column truncated to a unit and named after the unit."""
    return Named(name=unit, of=Bucket(of=Col(name=column), unit=unit))  # type: ignore[arg-type]


_UNITS = {
    "year": "year",
    "quarter": "quarter",
    "month": "month",
    "week": "week",
    "weekday": "weekday",
    "季度": "quarter",
    "年": "year",
    "月": "month",
}
_ENDS_OF_UNITS = frozenset("份度")
TOGETHER = re.compile(r"合计|一共|总共|加起来|合起来|\b(?:combined|together|altogether|in total|in all)\b")
_PER_PIECE = re.compile(r"\bper (?:unit|piece|item)\b|每件|每单位")
_APART = re.compile(r"各|分别|对比|比较|\b(?:respectively|each|compare[ds]?|comparison|versus|vs)\b")
_COMPARED = re.compile(r"对比|比较|\bcompare\b|\bcomparison\b")
_MADE_OF_AMOUNTS = frozenset({"sum", "count", "count_distinct"})


def wanted_apart(parse: Parse, functions: Iterable[str]) -> list[Named]:
    """Return the key that separates the cells named, if the question says so or if a single number for all would
    mean little (an average of both): `硕士和博士各有多少人`, `the average of sunny and cloudy days`."""
    if parse.has("or"):
        return []
    said = _APART.search(parse.question.lower()) is not None
    return named_apart(parse) if said or not set(functions) & _MADE_OF_AMOUNTS else []


def compared_apart(parse: Parse) -> list[Named]:
    """Return the key that separates the cells named, if they are compared: `compare satisfaction between remote and
    onsite workers`."""
    return named_apart(parse) if _COMPARED.search(parse.question.lower()) else []


def named_apart(parse: Parse) -> list[Named]:
    """Return the key that separates several cells of one column: `the revenue of Notebook and Keyboard`."""
    if TOGETHER.search(parse.question.lower()):
        return []
    several = [clause for clause in merged(parse.clauses) if not clause.negated and clause not in parse.clauses]
    for clause in several:
        if clause.unit is not None and parse.dated(clause.column):
            return [bucket(clause.column, clause.unit)]
        return [Named(name=clause.column, of=Col(name=clause.column))]
    return []
