"""Conditions on rows that lack something: `orders without a rating`, `毛利缺失的记录`, `没有评分的员工`, `items out of
stock`."""

from __future__ import annotations

from tablewright.analyst.linking.columns import hinted
from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.plan import Col, Compare, Lit, Missing
from tablewright.analyst.reading.parse import Clause, Parse

_NONE = frozenset({"no", "without", "没有", "无", "未"})
_GETTING = frozenset(
    {"win", "won", "score", "scored", "have", "had", "get", "got", "receive", "earn", "make", "single"}
)
_TIES = frozenset({"a", "an", "any", "the", "in", "of", "for", "value", "values", "了", "有", "be", "is", "are"})


def read_lacking(parse: Parse) -> None:
    """Take words that say that a cell is empty, if rows are counted or shown; questions about the gaps themselves
    belong elsewhere."""
    for word in parse.words("missing"):
        if _about_rows(parse):
            _add(parse, word, _missing_column(parse, word))
    for word in parse.words("not"):
        if "".join(parse.gap(word.start, word.end).split()) in _NONE:
            _add(parse, word, _lacked(parse, word))
        _none_of(parse, word)
    for word in parse.words("zero"):
        name = next((name for name in hinted(word.hint, parse.table.names) if parse.numeric(name)), None)
        if name is not None:
            condition = Compare(op="<=", left=Col(name=name), right=Lit(value=0))
            parse.clauses.append(Clause(condition=condition, start=word.start, end=word.end, column=name))
            parse.take(word)


def _none_of(parse: Parse, word: WordMention) -> None:
    """Take the absence of a countable thing as zero, in a column of whole numbers whose minimum is 0: `players with
    no goals`, `teams that did not win any silver`."""
    column = parse.after(word.end, ColumnMention, 3)
    between = parse.tokens[word.end : column.start] if column is not None else ()
    none = parse.gap(word.start, word.end) in {"no", "without"}
    any_of = any(token.norm in {"any", "a", "single"} for token in between)
    tied = all(token.norm in _TIES or token.lemma in _GETTING for token in between)
    but = parse.gap(column.end, column.end + 2).split() if column is not None else []
    if column is None or parse.language != "en" or not tied or not (none or any_of) or "but" in but:
        return
    facts = parse.facts(parse.numeric_reading(column) or column.column)
    if facts.kind != "integer" or facts.minimum != 0:
        return
    condition = Compare(op="=", left=Col(name=facts.name), right=Lit(value=0))
    parse.clauses.append(Clause(condition=condition, start=word.start, end=column.end, column=facts.name))
    verbs = [place for place in range(word.end, column.start) if parse.tokens[place].lemma in _GETTING]
    said = [RowsMention(start=place, end=place + 1, score=0.6, column=None) for place in verbs]
    parse.mentions.extend(said)
    parse.take(word, column, *said)


def _about_rows(parse: Parse) -> bool:
    asked = parse.has("count") or parse.has("wh") or any(isinstance(other, RowsMention) for other in parse.mentions)
    return asked and not (parse.has("each") or parse.has("share") or parse.has("distinct"))


def _missing_column(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the column directly tied to the word: the one before it, else the one after it."""
    before, after = parse.before(word.start, ColumnMention, 3), parse.after(word.end, ColumnMention, 3)
    if before is not None and _tied(parse, before.end, word.start):
        return before
    return after if after is not None and _tied(parse, word.end, after.start) else None


def _lacked(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the column right after `no`, if some of its cells are empty."""
    column = parse.after(word.end, ColumnMention, 2)
    if column is None or not _tied(parse, word.end, column.start) or not parse.facts(column.column).missing:
        return None
    return column


def _tied(parse: Parse, start: int, end: int) -> bool:
    return all(token.norm in _TIES or token.lemma in _TIES for token in parse.tokens[start:end])


def _add(parse: Parse, word: WordMention, column: ColumnMention | None) -> None:
    if column is None:
        return
    start, end = min(word.start, column.start), max(word.end, column.end)
    condition = Missing(of=Col(name=column.column))
    parse.clauses.append(Clause(condition=condition, start=start, end=end, column=column.column))
    parse.take(word, column)
