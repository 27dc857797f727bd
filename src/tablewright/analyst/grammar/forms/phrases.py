"""Sentences of a task, and the names of tags, linked to one table: columns, cells, numbers and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tablewright.analyst.grammar.forms.words import words_of
from tablewright.analyst.grammar.semantics import Word
from tablewright.analyst.linking.columns import ColumnName, column_names, columns, hinted
from tablewright.analyst.linking.mentions import ColumnMention, NumberMention, ValueMention, choose
from tablewright.analyst.linking.numbers import numbers
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token, quoted_spans, tokenize
from tablewright.analyst.linking.values import TextColumn, values
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

LEAST_LINK = 0.55
SURE = 0.9
_NUMERIC = frozenset({"number", "integer"})
_ENDS = frozenset("?？;；。！•")
_OTHER_SCORE = 0.35
FEW = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A column that tokens `start` to `end` name, and how well; `others` fit nearly as well."""

    start: int
    end: int
    column: str
    score: float
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A sentence, or a tag's name, as far as it is understood. `asked` if it is of the question's first line."""

    text: str
    tokens: tuple[Token, ...]
    words: tuple[Word, ...]
    links: tuple[Link, ...]
    cells: tuple[ValueMention, ...]
    numbers: tuple[NumberMention, ...]
    quoted: tuple[tuple[int, int], ...]
    asked: bool = True

    def of(self, *types: str) -> list[Word]:
        """Return the words of these types, in order."""
        return [word for word in self.words if word.type in types]

    def has(self, *types: str) -> bool:
        """Return whether a word of one of these types is said."""
        return any(word.type in types for word in self.words)

    def meanings(self, type_: str) -> list[str]:
        """Return the meanings of the words of a type, each once, in order."""
        return list(dict.fromkeys(word.meaning for word in self.of(type_)))

    def said(self, start: int, end: int) -> str:
        """Return the text of some tokens."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if start < end else ""


def is_numeric(column: ColumnFacts) -> bool:
    """Return whether a column holds numbers, or texts most of which are numbers."""
    return column.kind in _NUMERIC or (column.clean is not None and column.clean.kind in _NUMERIC) or _written(column)


def _written(column: ColumnFacts) -> bool:
    if column.kind != "mixed" or not column.samples:
        return False
    like = [
        one for one in column.samples if str(one).strip().lstrip("+-").replace(",", "").replace(".", "", 1).isdigit()
    ]
    return len(like) >= 0.6 * len(column.samples)


class Linker:
    """Links texts to the columns and cells of a table."""

    def __init__(self, facts: DatasetFacts, cells: Mapping[str, tuple[str, ...]]) -> None:
        self.facts = facts
        self.cells = cells
        self.columns = {column.name: column for column in facts.columns}
        self._names: tuple[ColumnName, ...] = column_names(facts.columns)
        self._texts = [TextColumn(column=name, values=known) for name, known in cells.items()]
        self._exact = {name.strip().lower(): name for name in self.columns}

    def numeric(self, name: str) -> bool:
        """Return whether a column holds numbers."""
        return name in self.columns and is_numeric(self.columns[name])

    def hinted(self, concept: str) -> list[str]:
        """Return the columns that belong to a concept."""
        return hinted(concept, self._names)

    def phrase(self, text: str, *, asked: bool = True) -> Phrase:
        """Return a text, linked."""
        tokens = tokenize(text)
        quoted = tuple(quoted_spans(text, tokens))
        exact = [link for span in quoted if (link := self._quoted(text, tokens, span)) is not None]
        mentions = [one for one in choose(columns(tokens, self._names), tokens) if isinstance(one, ColumnMention)]
        links = [
            Link(
                start=one.start, end=one.end, column=self._preferred(one), score=one.score,
                others=tuple(name for name, score in one.others if score >= one.score - _OTHER_SCORE),
            )
            for one in mentions
            if one.score >= LEAST_LINK and _spelled(tokens, one)
            and all(one.end <= link.start or link.end <= one.start for link in exact)
        ]  # fmt: skip
        cells = [cell for cell in values(tokens, self._texts, quoted) if cell.how == "exact"]
        return Phrase(
            text=text,
            tokens=tokens,
            words=_outer(words_of(tokens), tokens, [*exact, *links]),
            links=tuple(sorted([*exact, *links], key=lambda link: link.start)),
            cells=tuple(sorted(cells, key=lambda cell: cell.start)),
            numbers=tuple(numbers(tokens)),
            quoted=quoted,
            asked=asked,
        )

    def _quoted(self, text: str, tokens: tuple[Token, ...], span: tuple[int, int]) -> Link | None:
        name = self._exact.get(text[tokens[span[0]].start : tokens[span[1] - 1].end].strip().lower())
        return None if name is None else Link(start=span[0], end=span[1], column=name, score=1.0)

    def _preferred(self, mention: ColumnMention) -> str:
        """Return the column of a mention; of columns that fit nearly as well, one of numbers."""
        near = [mention.column, *(name for name, score in mention.others if score >= mention.score - _OTHER_SCORE)]
        if mention.score >= SURE:
            near = [mention.column, *(name for name, score in mention.others if score >= mention.score)]
        return next((name for name in near if self.numeric(name)), mention.column)

    def with_columns(self, added: Sequence[ColumnFacts]) -> Linker:
        """Return a linker that knows further columns."""
        known = [column for column in added if column.name not in self.columns]
        return Linker(replace(self.facts, columns=(*self.facts.columns, *known)), self.cells)


def _outer(words: tuple[Word, ...], tokens: tuple[Token, ...], links: Sequence[Link]) -> tuple[Word, ...]:
    """Return the words without single Chinese characters within longer words or names: `小时` is not small."""
    spans = [*((one.start, one.end) for one in words), *((one.start, one.end) for one in links)]
    longer = [(start, end) for start, end in spans if end - start > 1]
    return tuple(
        word
        for word in words
        if word.end - word.start > 1
        or not is_han(tokens[word.start].norm[0])
        or not any(start <= word.start and word.end <= end for start, end in longer)
    )


def _spelled(tokens: tuple[Token, ...], one: ColumnMention) -> bool:
    """Return whether a mention is no single letter that is not the whole of a name: the `p` of `log1p` is no `pH`."""
    return one.end - one.start > 1 or len(tokens[one.start].norm) > 1 or one.score >= 1


def sentences(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the sentences of a task, and whether they are of its first line."""
    first = True
    for line in text.split("\n"):
        if not line.strip(" {}"):
            continue
        for sentence in _split(line.strip(" {}")):
            yield sentence, first
        first = False


def _split(line: str) -> Iterator[str]:
    tokens = tokenize(line)
    inside = {place for start, end in quoted_spans(line, tokens) for place in range(start, end)}
    start = 0
    for place, token in enumerate(tokens):
        dot = token.norm == "." and line[token.end : token.end + 1].strip() == "" and not _numbers(tokens, place)
        if place not in inside and (token.norm in _ENDS or (dot and _ends(tokens, place))):
            if line[start : token.end].strip(" .-"):
                yield line[start : token.end].strip()
            start = token.end
    if line[start:].strip(" .-"):
        yield line[start:].strip()


def _numbers(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether a dot stands behind the number of a list item."""
    return place == 1 and tokens[0].kind == "number"


def _ends(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether a dot ends a sentence: what follows begins like one."""
    if place + 1 >= len(tokens):
        return True
    following = tokens[place + 1]
    return following.text[:1].isupper() or (following.kind != "word" and following.norm != "(")


__all__ = ["FEW", "Link", "Linker", "Phrase", "is_numeric", "sentences"]
