"""Links the words of a tenant to what they stand for in a table: a column, or a value of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.mentions import ValueMention
from tablewright.analyst.linking.text import compact
from tablewright.analyst.linking.tokens import Token, lemmas, tokenize
from tablewright.analyst.linking.values import TextColumn
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.vocabulary import Word

NAMES_FROM = 0.85
"""From this score on a meaning names a column."""
CHARS_READ = 8_000
"""In so much of what was said, words of the tenant are looked for."""


def worded(datasets: Sequence[DatasetFacts], *said: str) -> tuple[DatasetFacts, ...]:
    """Return the facts with those words of the tenant that were said, each looked up in each table."""
    if not any(facts.words for facts in datasets):
        return tuple(datasets)
    tokens = tokenize("\n".join(said)[:CHARS_READ])
    known = {token.lemma for token in tokens}

    def heard(word: Word) -> bool:
        return known.issuperset(lemmas(word.phrase)) and any(spans(tokens, word.phrase))

    return tuple(informed(replace(facts, words=tuple(filter(heard, facts.words)))) for facts in datasets)


def informed(facts: DatasetFacts) -> DatasetFacts:
    """Return the facts with the words of the tenant among the names of the columns that they stand for.

    A word that is the name of a column itself stays that column's.
    """
    if not facts.words:
        return facts
    names = column_names(facts.columns)
    taken = {form for name in names for form in (name.full, name.plain)}
    aliases: dict[str, list[str]] = {}
    for word in facts.words:
        column = None if lemmas(word.phrase) in taken else _column(word.meaning, facts)
        if column is not None:
            aliases.setdefault(column, []).append(word.phrase)
    found = (replace(column, aliases=tuple(aliases.get(column.name, ()))) for column in facts.columns)
    return replace(facts, columns=tuple(found)) if aliases else facts


def spans(tokens: Sequence[Token], phrase: str) -> Iterator[tuple[int, int]]:
    """Yield where a phrase stands among tokens, whatever marks are between its words."""
    form = lemmas(phrase)
    places = [place for place, token in enumerate(tokens) if token.kind != "mark"]
    for first in range(len(places) - len(form) + 1):
        inside = places[first : first + len(form)]
        if form and tuple(tokens[place].lemma for place in inside) == form:
            yield inside[0], inside[-1] + 1


def worded_values(tokens: Sequence[Token], words: Sequence[Word], texts: Sequence[TextColumn]) -> list[ValueMention]:
    """Return the cells that words of the tenant in the question stand for."""
    found: list[ValueMention] = []
    for word in words:
        meant = compact(word.meaning)
        places = [
            (column.column, value) for column in texts for value in column.values if meant and compact(value) == meant
        ]
        if places:
            found += [
                ValueMention(start=start, end=end, score=1.0, places=tuple(places))
                for start, end in spans(tokens, word.phrase)
            ]
    return found


def _column(meaning: str, facts: DatasetFacts) -> str | None:
    """Return the only column that a meaning as a whole names."""
    tokens = tokenize(meaning)
    worded = [place for place, token in enumerate(tokens) if token.kind != "mark"]
    for mention in columns(tokens, column_names(facts.columns)):
        whole = worded and (mention.start, mention.end) == (worded[0], worded[-1] + 1)
        rival = mention.others[0][1] if mention.others else 0.0
        if whole and mention.score >= NAMES_FROM and mention.score > rival:
            return mention.column
    return None
