"""Conditions on yes-or-no columns: `employees who work remotely`, `会员的销售额`, `非会员`."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import ColumnMention, WordMention
from tablewright.analyst.plan import Col, Compare, Lit
from tablewright.analyst.reading.grain import many_rows
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.domain.dataset import ColumnFacts

_YES = frozenset({"yes", "y", "true", "t", "是", "有", "1"})
_NO = frozenset({"no", "n", "false", "f", "否", "无", "0"})


def read_flags(parse: Parse) -> None:
    """Take mentions of yes-or-no columns as conditions, unless they are asked for (of one row) or group the rows."""
    if not many_rows(parse):
        return
    for mention in list(parse.free(ColumnMention)):
        told = sides(parse.facts(mention.column))
        if told is None or _grouping(parse, mention):
            continue
        negation = parse.before(mention.start, WordMention, 1, "not")
        value = told[1] if negation is not None else told[0]
        condition = Compare(op="=", left=Col(name=mention.column), right=Lit(value=value))
        start = negation.start if negation is not None else mention.start
        parse.clauses.append(
            Clause(condition=condition, start=start, end=mention.end, column=mention.column, values=(value,))
        )
        parse.take(mention, negation)


def sides(facts: ColumnFacts) -> tuple[str, str] | None:
    """Return the texts with which a column says yes and no; None for any other column."""
    known = {str(sample).strip().lower(): str(sample) for sample in facts.samples if sample is not None}
    if facts.kind not in {"text", "boolean"} or facts.distinct != 2 or len(known) != 2:
        return None
    yes, no = [known[key] for key in known if key in _YES], [known[key] for key in known if key in _NO]
    return (yes[0], no[0]) if yes and no else None


def _grouping(parse: Parse, mention: ColumnMention) -> bool:
    """Return whether the column itself is meant, as a group or as what is asked for: `by member`, `每种会员`,
    `是否会员`."""
    word = parse.before(mention.start, WordMention, 2, "by", "each", "wh", "distinct", "yes")
    if word is not None and word.value == "who" and word.start > 0:  # `people who plan to leave`
        word = None
    after = parse.after(mention.end, WordMention, 1, "wh")
    said = parse.gap(mention.start, mention.end).replace(" ", "")
    return word is not None or after is not None or said.startswith("是否") or parse.has("chart")
