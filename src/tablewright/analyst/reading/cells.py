"""Conditions from cells named in the question: `the pilots from Spain`, `碧桂园的容积率`, `not Boril`."""

from __future__ import annotations

from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.mentions import ColumnMention, ValueMention, WordMention
from tablewright.analyst.linking.text import fold
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Col, Compare, Condition, Lit, Matches, Not, OneOf
from tablewright.analyst.reading.parse import Clause, Parse

_MANY = 40
_PART_OF = {
    "a",
    "part",
    "of",
    "the",
    "member",
    "belong",
    "belonging",
    "to",
    "in",
    "from",
    "include",
    "including",
    "located",
    "having",
    "range",
    "suffer",
    "suffering",
    "type",
    "kind",
    "category",
    "group",
}


def read_cells(parse: Parse) -> None:
    """Take every named cell as a condition on its column."""
    preferred = _agreed_column(parse)
    for mention in list(parse.free(ValueMention)):
        column, said = _column(parse, mention, preferred)
        values = tuple(value for name, value in mention.places if name == column)
        condition = _condition(parse, column, values, mention)
        negation = _negation(parse, mention, column)
        start = min(mention.start, said.start) if said else mention.start
        end = max(mention.end, said.end) if said else mention.end
        parse.clauses.append(
            Clause(
                condition=Not(of=condition) if negation else condition,
                start=start,
                end=end,
                column=column,
                values=values if len(values) <= _MANY else (),
                negated=negation is not None,
                places=mention.places,
            )
        )
        parse.take(mention, said, negation)


def _condition(parse: Parse, column: str, values: tuple[str, ...], mention: ValueMention) -> Condition:
    of = Col(name=column)
    if len(values) == 1:
        return Compare(op="=", left=of, right=Lit(value=values[0]))
    if len(values) <= _MANY:
        return OneOf(of=of, values=values)
    text = parse.question[parse.tokens[mention.start].start : parse.tokens[mention.end - 1].end]
    return Matches(of=of, how="contains", text=text)


def _agreed_column(parse: Parse) -> str | None:
    """Return the column that holds most of the named cells, since names asked about together are usually of one
    kind; None if no column holds two."""
    mentions = list(parse.free(ValueMention))
    counts: dict[str, int] = {}
    for mention in mentions:
        for column in {name for name, _ in mention.places}:
            counts[column] = counts.get(column, 0) + 1
    best = max(counts.values(), default=0)
    return next((column for column, count in counts.items() if count == best), None) if best > 1 else None


def _column(parse: Parse, mention: ValueMention, preferred: str | None) -> tuple[str, ColumnMention | None]:
    """Return the cell's column and its mention: the one said beside the cell (`city of New York`, `payment refund`),
    the one shared with other cells, or the first."""
    columns = list(dict.fromkeys(name for name, _ in mention.places))
    for near in (parse.before(mention.start, ColumnMention, 3), parse.after(mention.end, ColumnMention, 1)):
        if near is None:
            continue
        said = [near.column, *(name for name, score in near.others if score >= near.score - 0.3)]
        match = next((name for name in said if name in columns), None)
        if match is not None and _belongs(parse, near, mention):
            return match, near
    spoken = _spoken_of(parse, columns) if len(columns) > 1 else None
    if spoken is not None:
        return spoken, None
    if preferred in columns:
        return preferred, None
    return columns[0], None


def _spoken_of(parse: Parse, columns: list[str]) -> str | None:
    """Of several columns with the same scale, return the one whose name shares most words with the question (`agree
    that they trust their manager`)."""
    stop = stopwords()
    said = {token.lemma for token in parse.tokens if token.kind == "word" and token.lemma not in stop}
    shared = {column: len(said & set(lemmas(column))) for column in columns}
    best = max(shared.values())
    first = [column for column in columns if shared[column] == best]
    return first[0] if best and len(first) == 1 else None


def _belongs(parse: Parse, near: ColumnMention, mention: ValueMention) -> bool:
    """Return whether the words between a column and a cell only connect the two."""
    first, last = (near.end, mention.start) if near.end <= mention.start else (mention.end, near.start)
    tie = {
        "of",
        "is",
        "was",
        "in",
        "the",
        "=",
        "as",
        "named",
        "called",
        "with",
        "为",
        "是",
        "叫",
        ":",
        "equals",
        "not",
        "to",
        '"',
        "'",
        "“",
        "”",
        "‘",
        "’",
        "are",
    }
    return all(token.norm in tie for token in parse.tokens[first:last])


def _negation(parse: Parse, mention: ValueMention, column: str) -> WordMention | None:
    before = parse.before(mention.start, WordMention, 6, "not")
    if before is not None and mention.start - before.end > 3:
        between = [token.norm for token in parse.tokens[before.end : mention.start] if token.kind != "mark"]
        before = before if set(between) <= _PART_OF | set(lemmas(column)) else None
    if before is not None and _own_prefix(parse, before, mention):
        parse.take(before)
        return None
    if before is None:
        compare = parse.before(mention.start, WordMention, 3, "compare")
        return compare if compare is not None and compare.value == "!=" else None
    return before


def _own_prefix(parse: Parse, word: WordMention, mention: ValueMention) -> bool:
    """Return whether a prefix such as in `non-denominational` belongs to the cells themselves and negates nothing."""
    said = parse.gap(word.start, word.end)
    return said == "non" and all(fold(value).startswith(said) for _, value in mention.places)
