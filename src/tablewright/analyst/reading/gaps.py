"""Conditions on missing values, and on text contained in cells."""

from __future__ import annotations

from typing import Literal, cast

from tablewright.analyst.linking.mentions import ColumnMention, WordMention
from tablewright.analyst.linking.tokens import lemmas, quoted_spans
from tablewright.analyst.plan import AnyOf, Col, Condition, Matches, Missing, Not
from tablewright.analyst.reading.parse import Clause, Parse

_WITHIN = frozenset({"in", "of", "within", "as", "for"})
_VERBS = {"end": "ends", "start": "starts", "begin": "starts"}


def read_missing(parse: Parse) -> None:
    """Take `X is null`, `X is not null`, `X为空的`; questions about missing values themselves belong to another
    family."""
    for word in parse.words("missing", "present"):
        column = parse.before(word.start, ColumnMention, 4)
        if column is None or not parse.clear(column.end, word.start) or not _stated(parse, column.end, word):
            continue
        negation = parse.before(word.start, WordMention, 1, "not")
        condition: Condition = Missing(of=Col(name=column.column))
        if (word.code == "present") != (negation is not None):
            condition = Not(of=condition)
        parse.clauses.append(Clause(condition=condition, start=column.start, end=word.end, column=column.column))
        parse.take(word, column, negation)


def _stated(parse: Parse, start: int, word: WordMention) -> bool:
    """Return whether the words state a condition on rows (`is null`, `为空`) rather than name a thing (`missing
    values`)."""
    said = parse.gap(start, word.end).split()
    return bool({"is", "are", "has", "have", "does"} & set(said)) or "为空" in "".join(said) or "空" in said


def read_contained(parse: Parse) -> None:
    """Take `name contains "x"`, `have the letters D or S in their first name`."""
    for word in parse.words("contains"):
        letters = _letters(parse, word)
        if not letters:
            continue
        last = letters[-1][1]
        how = _how(parse, word)
        after, before = parse.after(last, ColumnMention, 3), parse.before(word.start, ColumnMention, 4)
        if after is not None and not parse.clear(last, after.start):
            after = None
        within = after is not None and bool(set(parse.gap(last, after.start).split()) & _WITHIN)
        column = (after if within else before or after) or _named(parse, word)
        if column is None:
            continue
        parts = tuple(Matches(of=Col(name=column.column), how=how, text=text) for text, _ in letters)
        condition: Condition = parts[0] if len(parts) == 1 else AnyOf(parts=parts)
        negation = parse.before(word.start, WordMention, 2, "not")
        condition = Not(of=condition) if negation else condition
        start, end = min(word.start, column.start), max(last, column.end)
        parse.clauses.append(Clause(condition=condition, start=start, end=end, column=column.column))
        parse.take(word, column, negation)
        parse.take_span(word.start, last)


def _how(parse: Parse, word: WordMention) -> Literal["contains", "starts", "ends"]:
    """Return how the text must match, by the verb before it if there is one: `ending with the letter m`."""
    lemma = parse.tokens[word.start - 1].lemma if word.start else ""
    said = next((how for stem, how in _VERBS.items() if lemma.startswith(stem)), word.value)
    return cast('Literal["contains", "starts", "ends"]', said)


def _named(parse: Parse, word: WordMention) -> ColumnMention | None:
    """Return the only column of names, if the question speaks of names: `airlines whose names start with Orbit`."""
    said = {token.lemma for token in parse.tokens[max(0, word.start - 2) : word.start]}
    named = [facts.name for facts in parse.table.facts.columns if lemmas(facts.name)[-1:] == ("name",)]
    if "name" not in said or len(named) != 1:
        return None
    return ColumnMention(start=word.start, end=word.end, score=0.8, column=named[0])


def _letters(parse: Parse, word: WordMention) -> list[tuple[str, int]]:
    """Return the texts that follow, each with the place after it: quoted ones, or single capital letters joined by
    `or`."""
    quoted = [span for span in quoted_spans(parse.question, parse.tokens) if word.end <= span[0] <= word.end + 4]
    if quoted:
        return [
            (parse.question[parse.tokens[first].start : parse.tokens[last - 1].end], last) for first, last in quoted
        ]
    found: list[tuple[str, int]] = []
    place = word.end
    while place < len(parse.tokens) and place - word.end < 5:
        token = parse.tokens[place]
        previous = parse.tokens[place - 1].lemma
        if len(token.text) == 1 and token.text.isalpha() and (token.text.isupper() or previous == "letter"):
            found.append((token.text, place + 1))
        elif place == word.end and token.text[:1].isupper():
            return [(token.text, place + 1)]
        elif token.lemma not in {"or", "and", ",", "the", "letter"}:
            break
        place += 1
    return found
