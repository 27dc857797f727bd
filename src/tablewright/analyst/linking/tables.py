"""Words of a question that only name a table: `in May 2021` about the file `Sales May 2021`."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.analyst.linking.lexicon import operations, stopwords
from tablewright.analyst.linking.mentions import TableMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token, tokenize
from tablewright.domain.dataset import DatasetFacts

_SHORTEST_HAN = 3
_SHORTEST_OF_SEVERAL = 2
"""Two characters of a table's name are enough to distinguish it from the other tables."""


def table_mentions(tokens: tuple[Token, ...], datasets: Sequence[DatasetFacts]) -> tuple[TableMention, ...]:
    """Return the longest runs of the question's tokens that also occur in a table's name."""
    question = [_plain(token) for token in tokens]
    spans: dict[tuple[int, int], list[str]] = {}
    for dataset in datasets:
        name = [_plain(token) for token in tokenize(dataset.name) if token.kind != "mark"]
        for start, end in _runs(question, name):
            if _telling(tokens[start:end], _SHORTEST_HAN if len(datasets) == 1 else _SHORTEST_OF_SEVERAL):
                spans.setdefault((start, end), []).append(dataset.id)
    return tuple(
        TableMention(start=start, end=end, score=_score(tokens[start:end]), dataset_ids=tuple(ids))
        for (start, end), ids in spans.items()
    )


def _plain(token: Token) -> str:
    return token.lemma.lstrip("0") or "0" if token.kind == "number" else token.lemma


def _runs(question: list[str], name: list[str]) -> list[tuple[int, int]]:
    runs = []
    place = 0
    while place < len(question):
        longest = 0
        for start in range(len(name)):
            size = 0
            while (
                place + size < len(question)
                and start + size < len(name)
                and question[place + size] == name[start + size]
            ):
                size += 1
            longest = max(longest, size)
        if longest:
            runs.append((place, place + longest))
        place += max(longest, 1)
    return runs


def _telling(inside: tuple[Token, ...], shortest_han: int) -> bool:
    if any(token.kind == "number" for token in inside):
        return len(inside) > 1 or len(inside[0].norm) == 4
    if is_han(inside[0].norm[0]):
        return len(inside) >= shortest_han
    return any((token.lemma,) not in operations() and token.lemma not in stopwords() for token in inside)


def _score(inside: tuple[Token, ...]) -> float:
    """Return the score of a run: periods and Chinese place names outweigh other readings, an English noun does not."""
    if any(token.kind == "number" for token in inside):
        return 1.0
    if is_han(inside[0].norm[0]):
        return 0.75 if len(inside) >= _SHORTEST_HAN else 0.45
    return 0.55
