"""Conditions on numbers: comparisons (`超过8亿`, `at least 3 wins`), ranges, and plain equality (`5 gold medals`)."""

from __future__ import annotations

import itertools
from typing import Literal, cast

from tablewright.analyst.linking.additivity import identifying, is_code
from tablewright.analyst.linking.columns import hinted
from tablewright.analyst.linking.mentions import ColumnMention, Mention, NumberMention, PeriodMention, WordMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.plan import AggregateName, Between, Col, Compare, Lit, Statistic
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.domain.table import Cell

Operator = Literal["=", "!=", "<", "<=", ">", ">="]
_REACH = 3
_FAR = 9
_WHOLE = 1000
"""A column whose maximum exceeds this does not hold percentages."""
_CONNECTORS = frozenset({"and", "to", "-", "~", "–", "—", "至", "到", "与", "和", "through"})
_POSTFIX = frozenset({">=", "<=", ">"})
_UNITS = {"岁": "age", "year old": "age", "套": "sales_volume"}
"""Units that imply what is measured, by concept."""
_OPPOSITE: dict[str, Operator] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def read_ranges(parse: Parse) -> None:
    """Take ranges such as `between a and b`, `a-b之间`, `from a to b`."""
    numbers = list(parse.free(NumberMention)) + [
        period for period in parse.free(PeriodMention) if bare_number(period) is not None
    ]
    numbers.sort(key=lambda mention: mention.start)
    for low, high in itertools.pairwise(numbers):
        between = {token.norm for token in parse.tokens[low.end : high.start]}
        if not between & _CONNECTORS or high.start - low.end > 4:
            continue
        opener = parse.before(low.start, WordMention, _REACH, "between")
        closer = parse.after(high.end, WordMention, _REACH, "between.end")
        dash = bool(between & {"-", "~", "至", "到", "–"})
        aged = _aged(parse, low, high)
        if opener is None and closer is None and not dash and aged is None:
            continue
        column = aged or _column(parse, opener.start if opener else low.start, high.end)
        if column is None or (
            isinstance(low, PeriodMention) and _is_time(parse, column, opener.start if opener else low.start)
        ):
            continue
        name = parse.numeric_reading(column) or column.column
        condition = Between(of=Col(name=name), low=number_of(low), high=number_of(high))
        parse.clauses.append(Clause(condition=condition, start=column.start, end=high.end, column=name))
        parse.take(opener, closer, low, high, column)


def _aged(parse: Parse, low: Mention, high: Mention) -> ColumnMention | None:
    """Return the column of ages beside two ages: `employees aged 30 to 40`, `30 to 40 years old`."""
    ages = [name for name in hinted("age", parse.table.names) if parse.numeric(name)]
    before = parse.gap(max(0, low.start - 1), low.start) == "aged"
    behind = parse.gap(high.end, high.end + 2) == "years old"
    if len(ages) != 1 or not (before or behind):
        return None
    start, end = (low.start - 1, low.start) if before else (high.end, high.end + 2)
    said = ColumnMention(start=start, end=end, score=0.9, column=ages[0])
    parse.mentions.append(said)
    return said


def _is_time(parse: Parse, column: ColumnMention, start: int) -> bool:
    """Return whether two numbers are years: they are if they could be, unless a column of measurements directly
    precedes them."""
    if parse.dated(column.column):
        return True
    dated = [
        facts
        for facts in parse.table.facts.columns
        if facts.kind in {"date", "datetime"} or _yearly(facts.minimum, facts.maximum)
    ]
    facts = parse.facts(column.column)
    return bool(dated) and (start - column.end > 1 or _yearly(facts.minimum, facts.maximum))


def _yearly(low: Cell, high: Cell) -> bool:
    return isinstance(low, int | float) and isinstance(high, int | float) and 1500 <= low <= high <= 2100


def read_comparisons(parse: Parse) -> None:
    """Take comparisons such as `more than 10`, `不低于 3`, `30 or more`."""
    for word in parse.words("compare"):
        number = _number_after(parse, word) or _number_before(parse, word)
        if number is None:
            _against_statistic(parse, word)
            continue
        start, end = min(word.start, number.start), max(word.end, number.end)
        again = _same_column(parse, start)
        column = None if again else _column(parse, start, end)
        stated = (parse.numeric_reading(column) or column.column) if column else _by_hint(parse, word)
        by_unit = next(iter(_by_unit(parse, number.end)), None)
        if by_unit is not None and stated is not None and not parse.numeric(stated):
            column, stated = None, by_unit  # `40岁以下女性的就诊人次`: 岁 means the age
        name = again or stated or by_unit or _only_by_unit(parse, end)
        if name is None or _of_another(parse, name, number) or _of_unknown(parse, name, number):
            continue
        above_or_below = word.value not in {"=", "!="}
        if above_or_below and is_code(name) and (column is None or not is_code(parse.gap(column.start, column.end))):
            continue  # `customers with more than 12 orders` says nothing of the Customer ID
        negation = parse.before(start, WordMention, 1, "not")
        operator = cast("Operator", word.value)
        operator = _OPPOSITE[operator] if negation else operator
        value = scaled(parse, name, number)
        condition = Compare(op=operator, left=Col(name=name), right=Lit(value=value))
        places = [start, end, *([column.start, column.end] if column else [])]
        parse.clauses.append(Clause(condition=condition, start=min(places), end=max(places), column=name))
        parse.take(word, number, column, negation)


def _of_another(parse: Parse, column: str, mention: Mention) -> bool:
    """Return whether a percentage is compared with a column of absolute numbers (`more than 10% of the votes`)."""
    most = parse.facts(column).maximum
    return isinstance(mention, NumberMention) and mention.percent and isinstance(most, int | float) and most > _WHOLE


def _of_unknown(parse: Parse, column: str, number: Mention) -> bool:
    """Return whether the number counts something unknown (`seasons with more than 50 points`) rather than the given
    text column."""
    if parse.numeric(column) or parse.dated(column) or number.end >= len(parse.tokens):
        return False
    covered = any(mention.start <= number.end < mention.end for mention in parse.mentions)
    return parse.language == "en" and not covered and number.end in parse.unexplained()


def _against_statistic(parse: Parse, word: WordMention) -> None:
    """Take a comparison with a statistic of the whole column: `above average`, `超过平均值`."""
    statistic = parse.after(word.end, WordMention, 2, "aggregate")
    if statistic is None or statistic.value not in {"mean", "median"}:
        return
    column = _column(parse, word.start, statistic.end)
    name = parse.numeric_reading(column) if column is not None else None
    if column is None or name is None:
        return
    against = Statistic(name=cast("AggregateName", statistic.value), of=Col(name=name))
    condition = Compare(op=cast("Operator", word.value), left=Col(name=name), right=against)
    start, end = min(word.start, column.start), max(statistic.end, column.end)
    parse.clauses.append(Clause(condition=condition, start=start, end=end, column=name))
    parse.take(word, statistic, column)


def _by_hint(parse: Parse, word: WordMention) -> str | None:
    """Return the numeric column that the comparison itself implies (`older than 50`), or None."""
    return next((name for name in hinted(word.hint, parse.table.names) if parse.numeric(name)), None)


def _same_column(parse: Parse, start: int) -> str | None:
    """Return the column of the preceding comparison, if this one continues it: `price above 1000 or below 500`."""
    last = max((clause for clause in parse.clauses if clause.end <= start), key=lambda clause: clause.end, default=None)
    if last is None or start - last.end > 1 or parse.gap(last.end, start) not in {"or", "and", "", "且", "或", "并"}:
        return None
    return last.column if parse.numeric(last.column) and not last.values else None


def _number_after(parse: Parse, word: WordMention) -> Mention | None:
    near: list[Mention] = [
        mention
        for mention in (parse.after(word.end, NumberMention, 2), parse.after(word.end, PeriodMention, 2))
        if mention is not None and parse.clear(word.end, mention.start)
    ]
    number = min(near, key=lambda mention: mention.start, default=None)
    if isinstance(number, PeriodMention) and bare_number(number) is None:
        return None
    return number


def _number_before(parse: Parse, word: WordMention) -> Mention | None:
    if word.value not in _POSTFIX:
        return None
    noun = parse.before(word.start, ColumnMention, 0)
    number = parse.before(noun.start if noun is not None else word.start, NumberMention, 2)
    return number if number is not None and parse.clear(number.end, word.start) else None


def _column(parse: Parse, start: int, end: int) -> ColumnMention | None:
    """Return the column directly after the number (`more than 10 components`), else the nearest before it, else one
    further after it."""
    inside = parse.after(start, ColumnMention, max(end - start - 1, 0))
    if inside is not None and inside.end <= end and parse.numeric_reading(inside):
        return inside
    after = parse.after(end, ColumnMention, 0 if _han(parse, end) else 1)
    if (
        after is not None
        and parse.clear(end, after.start)
        and parse.numeric_reading(after)
        and not _verb_between(parse, end, after.start)
    ):
        return after
    before = parse.before(start, ColumnMention, _FAR)
    if before is not None and parse.clear(before.end, start) and _comparable(parse, before):
        return before
    later = parse.after(end, ColumnMention, 4)
    if later is not None and parse.clear(end, later.start) and _comparable(parse, later):
        return later
    return before if before is not None and _comparable(parse, before) else None


def _verb_between(parse: Parse, start: int, end: int) -> bool:
    return (
        any(token.norm in {"in", "and", "or", "的"} for token in parse.tokens[start:end])
        and start != end
        and not _han(parse, start)
    )


def _han(parse: Parse, place: int) -> bool:
    return place < len(parse.tokens) and is_han(parse.tokens[place].norm[0])


def _comparable(parse: Parse, mention: ColumnMention) -> bool:
    if parse.numeric_reading(mention):
        return True
    facts = parse.facts(mention.column)
    return any(any(character.isdigit() for character in str(sample)) for sample in facts.samples)


def _only_by_unit(parse: Parse, end: int) -> str | None:
    """Return the column whose unit follows the number (`more than 300 km`), else the only column of measurements,
    else None."""
    numeric = [column for column in parse.table.facts.columns if column.kind in {"number", "integer"}]
    by_unit = _by_unit(parse, end)
    if by_unit:
        return by_unit[0]
    measured = [column.name for column in numeric if not identifying(column.name, column.minimum, column.maximum)]
    return measured[0] if len(measured) == 1 else None


def _by_unit(parse: Parse, end: int) -> list[str]:
    """Return the columns with the unit that stands near a number."""
    said = {token.lemma for token in parse.tokens[max(0, end - 3) : end + 2]}
    numeric = [column for column in parse.table.facts.columns if column.kind in {"number", "integer"}]
    by_unit = [column.name for column in numeric if column.unit and column.unit.lower() in said]
    return by_unit or [name for unit in said & _UNITS.keys() for name in hinted(_UNITS[unit], parse.table.names)]


def bare_number(period: PeriodMention) -> int | None:
    """Return the number behind a period that may be just a number (`2000`); None for any other period."""
    return int(period.text) if period.text.strip().isdigit() else None


def number_of(mention: Mention) -> int | float:
    """Return the number of a mention. Raises ValueError if it is not one."""
    if isinstance(mention, NumberMention):
        return mention.value
    value = bare_number(mention) if isinstance(mention, PeriodMention) else None
    if value is None:
        message = f"not a number: {mention}"
        raise ValueError(message)
    return value


def scaled(parse: Parse, column: str, mention: Mention) -> int | float:
    """Return the number in the column's unit (`8亿` is 8 in a column `利润(亿元)`)."""
    value = number_of(mention)
    text = column + (parse.facts(column).unit or "")
    for sign, factor in (("亿", 1e8), ("万", 1e4), ("million", 1e6), ("billion", 1e9)):
        said = parse.gap(mention.start, mention.end)
        short = f"({sign[0]})" if sign.isascii() else sign  # `viewers (m)`
        if (sign in text.lower() or short in text.lower()) and sign in said:
            return value / factor
    return value


def read_equalities(parse: Parse) -> None:
    """Take numbers beside a column: `5 gold medals`, `department number is 40`, `a score of 93`."""
    for number in list(parse.free(NumberMention)):
        if number.ordinal:
            _class(parse, number)
            continue
        column = _stated_before(parse, number) or _counted_after(parse, number)
        if column is None:
            continue
        name = parse.numeric_reading(column)
        if name is None:
            continue
        negation = parse.before(number.start, WordMention, 2, "not")
        condition = Compare(op="!=" if negation else "=", left=Col(name=name), right=Lit(value=number.value))
        start, end = min(number.start, column.start), max(number.end, column.end)
        parse.clauses.append(Clause(condition=condition, start=start, end=end, column=name))
        parse.take(number, column, negation)


def _class(parse: Parse, number: NumberMention) -> None:
    """Take an ordinal directly before a column of few whole numbers: `first class`, `3rd grade`."""
    column = parse.after(number.end, ColumnMention, 0)
    facts = parse.facts(column.column) if column is not None else None
    if column is None or facts is None or facts.kind != "integer" or (facts.distinct or 99) > 10:
        return
    condition = Compare(op="=", left=Col(name=column.column), right=Lit(value=number.value))
    parse.clauses.append(Clause(condition=condition, start=number.start, end=column.end, column=column.column))
    parse.take(number, column)


def _stated_before(parse: Parse, number: NumberMention) -> ColumnMention | None:
    column = parse.before(number.start, ColumnMention, 3)
    if column is None:
        return None
    between = {token.norm for token in parse.tokens[column.end : number.start]}
    said = {"is", "=", "of", "equals", "was", "are", "equal", "为", "是", "等", "于", ":", "not", "than", "to", "does"}
    return column if between <= said and (between or column.end == number.start) else None


def _counted_after(parse: Parse, number: NumberMention) -> ColumnMention | None:
    top = parse.before(number.start, WordMention, 2, "top", "superlative", "row")
    column = parse.after(number.end, ColumnMention, 0)
    if top is not None or column is None or column.score < 0.6:
        return None
    return column if parse.numeric_reading(column) else None
