"""Conditions relative to a named row: `more gold than Norway`, `the same score as Lee`, `worked longer than Ann`,
`比上海店多的门店`."""

from __future__ import annotations

from typing import Literal

from tablewright.analyst.linking.additivity import identifying
from tablewright.analyst.linking.columns import hinted
from tablewright.analyst.linking.mentions import ColumnMention, NumberMention, WordMention
from tablewright.analyst.plan import AllOf, Col, Compare, Condition, Not, Statistic
from tablewright.analyst.reading.opposites import opposites
from tablewright.analyst.reading.parse import Clause, Parse

Operator = Literal["=", "<", ">"]
_THAN = frozenset({"than", "as"})
_BETWEEN = frozenset({"the", "did", "does", "that", "of", "in", '"', "'", "“", "a", "was", "for", "with", "had", "has"})
_COMPARING: dict[str, Operator] = {"max": ">", "min": "<", ">": ">", "<": "<", "after": ">", "before": "<"}
_NEARLY_ONE = 0.9


def read_rivals(parse: Parse) -> None:
    """Take comparisons with the row of a named thing, which itself is not part of the answer."""
    if parse.language != "en" or parse.has("difference") or parse.has("or") or opposites(parse.question):
        return
    for word in parse.words("comparative", "compare", "same", "after", "before"):
        rival = _rival(parse, word)
        if rival is None or parse.after(word.end, NumberMention, 1) is not None:
            continue
        column = _column(parse, word, rival)
        if column is None:
            continue
        name, mention = column
        operator: Operator = _COMPARING.get(word.value) or _COMPARING.get(word.code, "=")
        parse.clauses.remove(rival)
        parse.clauses.append(
            Clause(
                condition=_against(parse, name, operator, rival.condition), start=word.start, end=rival.end, column=name
            )
        )
        counts = [count for count in parse.words("count") if word.end <= count.start and count.end <= rival.start]
        parse.take(word, mention, *counts)


def _rival(parse: Parse, word: WordMention) -> Clause | None:
    """Return the condition for the thing named after `than` or `as`, if it selects a single row."""
    for clause in parse.clauses:
        if clause.start < word.end or not clause.values or clause.negated or not _single(parse, clause):
            continue
        place = clause.start - 1
        while place > word.start and parse.tokens[place].norm in _BETWEEN:
            place -= 1
        said = parse.tokens[place].norm
        if word.code in {"after", "before"} and place < word.end:
            return clause
        if said in _THAN and place >= word.start and (said == "as") == (word.code == "same"):
            return clause
    return None


def _single(parse: Parse, clause: Clause) -> bool:
    distinct = parse.facts(clause.column).distinct or 0
    return len(clause.values) == 1 and distinct >= _NEARLY_ONE * parse.table.facts.rows


def _column(parse: Parse, word: WordMention, rival: Clause) -> tuple[str, ColumnMention | None] | None:
    """Return the column to compare by: between the comparison and its rival, before the comparison, or implied by
    it."""
    after, before = parse.after(word.end, ColumnMention, 3), parse.before(word.start, ColumnMention, 3)
    if word.code in {"after", "before"}:
        dated = before is not None and word.start - before.end == 0 and _tells_time(parse, before.column)
        return (before.column, before) if before is not None and dated else None
    for mention in (after, before):
        if mention is None or (mention is after and mention.end > rival.start):
            continue
        if word.code == "same" and mention.column != rival.column:
            return mention.column, mention
        name = parse.numeric_reading(mention) or (mention.column if parse.dated(mention.column) else None)
        if name is not None:
            return name, mention
    implied = next((name for name in hinted(word.hint, parse.table.names) if parse.numeric(name)), None)
    return (implied, None) if implied is not None else None


def _against(parse: Parse, name: str, operator: Operator, rival: Condition) -> Condition:
    measured = parse.numeric(name) or parse.dated(name)
    value = Statistic(name="max" if measured else "mode", of=Col(name=name), where=rival)
    test = Compare(op=operator, left=Col(name=name), right=value)
    return AllOf(parts=(test, Not(of=rival))) if operator == "=" else test


def _tells_time(parse: Parse, column: str) -> bool:
    facts = parse.facts(column)
    return parse.dated(column) or (parse.numeric(column) and identifying(column, facts.minimum, facts.maximum))
