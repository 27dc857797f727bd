"""What of a question stands for what in one table: tokens, words of the lexicon, columns, cells, numbers, periods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tablewright.analyst.grammar.columns import ColumnView, view
from tablewright.analyst.grammar.known_words import vocabulary
from tablewright.analyst.grammar.lexicon import words
from tablewright.analyst.grammar.months import columns_of_months, periods_said
from tablewright.analyst.grammar.rows import row_words
from tablewright.analyst.grammar.semantics import Word, mask_of, union
from tablewright.analyst.linking.columns import ColumnName, column_names, columns
from tablewright.analyst.linking.lexicon import row_nouns
from tablewright.analyst.linking.loose import loose_columns
from tablewright.analyst.linking.loose_values import loose_values
from tablewright.analyst.linking.mentions import ColumnMention, MatchKind, NumberMention, PeriodMention, ValueMention
from tablewright.analyst.linking.numbers import numbers
from tablewright.analyst.linking.spelling import spelled
from tablewright.analyst.linking.tokens import Token, quoted_spans
from tablewright.analyst.linking.values import TextColumn, values
from tablewright.analyst.linking.vocabulary import worded_values
from tablewright.analyst.plan import Condition, Expr
from tablewright.data.base import ValueLookup
from tablewright.domain.cleaning import clean_values
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.language import Language

LEAST_LINK = 0.5
ROWS_COST = 0.25
MOST_OTHERS = 4
_EXACT = 0.995
"""Words that are the name of a column, letter for letter or but for its forms."""
_NAMED = 0.9
"""Words whose link scores so much name a column by themselves: nothing else is sought for them."""
_WHOLE = frozenset({"share", "compare", "difference", "aggregate", "superlative", "unit", "duration", "not", "growth"})
"""Types of words of which no part means a column."""
_NUMERALS = {"两": 2, **{numeral: place for place, numeral in enumerate("一二三四五六七八九十", start=1)}}
_MEASURE_WORDS = frozenset("台份间门科辆件本部支瓶箱盒场回")


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLink:
    """Words that may name a column, and how well they do, 0 to 1."""

    start: int
    end: int
    column: ColumnView
    score: float
    how: MatchKind = "exact"

    @property
    def mask(self) -> int:
        return mask_of(self.start, self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinedTest:
    """A word of the tenant that stands for a test of rows, of `column` above all."""

    start: int
    end: int
    where: Condition
    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinedFormula:
    """A word of the tenant (`phrase`) that stands for a formula of columns."""

    start: int
    end: int
    of: Expr
    phrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A question beside one table."""

    question: str
    language: Language
    tokens: tuple[Token, ...]
    facts: DatasetFacts
    columns: tuple[ColumnView, ...]
    words: tuple[Word, ...]
    links: tuple[ColumnLink, ...]
    cells: tuple[ValueMention, ...]
    numbers: tuple[NumberMention, ...]
    periods: tuple[PeriodMention, ...]
    quoted: tuple[tuple[int, int], ...]
    known: dict[str, tuple[str, ...]]
    row_words: frozenset[str]
    others: frozenset[int] = frozenset()
    """The words that name other tables than the one whose rows these are."""
    outside: frozenset[int] = frozenset()
    """Those of them that name tables of which nothing is known here."""
    typos: frozenset[int] = frozenset()
    tests: tuple[DefinedTest, ...] = ()
    formulas: tuple[DefinedFormula, ...] = ()
    defined: int = 0
    """The words that define others of the question."""

    @property
    def others_mask(self) -> int:
        """The words that name other tables, as a bitmask."""
        return union(mask_of(place, place + 1) for place in self.others)

    def of(self, *types: str) -> list[Word]:
        """Return the words of these types, the longest first at each place."""
        found = [word for word in self.words if word.type in types]
        return sorted(found, key=lambda word: (word.start, word.start - word.end))

    def near(self, start: int, end: int, most: int, links: list[ColumnLink]) -> list[ColumnLink]:
        """Return the links that do not overlap a span, the nearest first."""
        apart = [link for link in links if link.end <= start or link.start >= end]
        return sorted(apart, key=lambda link: (gap(link.start, link.end, start, end), -link.score))[:most]

    def numbers_rows(self, column: ColumnView) -> bool:
        """Return whether a column tells the rows apart by their numbers, and the question says what they are called."""
        told = (token.lemma in self.row_words or (token.lemma,) in row_nouns() for token in self.tokens)
        return column.unique and column.identifies and any(told)

    def column(self, name: str) -> ColumnView:
        """Return a column by its name. Raises KeyError if there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)


def gap(start: int, end: int, other_start: int, other_end: int) -> int:
    """Return how many tokens lie between two spans."""
    return max(other_start - end, start - other_end, 0)


def _as_rows(mention: ColumnMention, tokens: tuple[Token, ...], nouns: frozenset[str]) -> list[tuple[str, float]]:
    """Return the columns of a mention; words that the rows are called by name a column only if they are its name."""
    found = [(mention.column, mention.score), *mention.others[:MOST_OTHERS]]
    rows = all(token.lemma in nouns for token in tokens[mention.start : mention.end])
    return [(name, score - ROWS_COST if rows and score < 1 else score) for name, score in found]


@lru_cache(maxsize=64)
def _names(facts: tuple[ColumnFacts, ...]) -> tuple[ColumnName, ...]:
    return column_names(facts)


async def scene(
    question: str, tokens: tuple[Token, ...], language: Language, facts: DatasetFacts, lookup: ValueLookup
) -> Scene:
    """Link a question to a table, given as it is once cleaned."""
    names = _names(facts.columns)
    known = await _known(facts, lookup)
    texts = tuple(TextColumn(column=name, values=cells) for name, cells in known.items())
    tokens, typos = spelled(tokens, *vocabulary(names, texts))
    nouns = row_words(facts)
    quoted = quoted_spans(question, tokens)
    views = tuple(view(facts, place, name, known.get(name.column, ())) for place, name in enumerate(names))
    cells = [*values(tokens, texts, quoted), *worded_values(tokens, facts.words, texts)]
    forms = words(tokens)
    whole = [(cell.start, cell.end) for cell in cells if cell.how == "exact"]
    whole += [(word.start, word.end) for word in forms if word.type in _WHOLE]
    said = periods_said(question, tokens, forms)
    links = _outer([*_links(tokens, names, views, facts, nouns, whole), *_of_months(tokens, said, views)])
    taken = {(one.start, one.end) for one in cells} | {(one.start, one.end) for one in links if one.score >= _NAMED}
    return Scene(
        question=question,
        language=language,
        tokens=tokens,
        facts=facts,
        columns=views,
        words=forms,
        links=tuple(links),
        cells=(*cells, *loose_values(tokens, texts, taken)),
        numbers=tuple(sorted([*numbers(tokens), *_counted(tokens)], key=lambda one: one.start)),
        periods=said,
        quoted=tuple(quoted),
        known=known,
        row_words=nouns,
        typos=typos,
    )


async def _known(facts: DatasetFacts, lookup: ValueLookup) -> dict[str, tuple[str, ...]]:
    """Return the distinct texts of columns that hold texts, as they are once cleaned, and the marks among the values
    of others (`free` among fees)."""
    known: dict[str, tuple[str, ...]] = {}
    for column in facts.columns:
        if column.kind in {"text", "mixed", "boolean"}:
            found = await lookup.values(facts.profile_ref, column.name)
            cells = found and (clean_values(found, column) if column.irregular else found).values
            known[column.name] = cells or tuple(str(cell) for cell in column.samples if cell is not None)
        elif column.clean is not None and column.clean.marks:
            known[column.name] = column.clean.marks
    return known


def _links(
    tokens: tuple[Token, ...],
    names: tuple[ColumnName, ...],
    views: tuple[ColumnView, ...],
    facts: DatasetFacts,
    nouns: frozenset[str],
    whole: Sequence[tuple[int, int]],
) -> list[ColumnLink]:
    """Return the columns that words may name: no other where they are the name of one, and loosely only where none is
    named; no part of what is said as a `whole` names one loosely."""
    by_name = {one.name: one for one in views}
    links = [
        ColumnLink(start=mention.start, end=mention.end, column=by_name[name], score=score)
        for mention in columns(tokens, names)
        for name, score in _as_rows(mention, tokens, nouns)
        if score >= LEAST_LINK
    ]
    exact = {(link.start, link.end) for link in links if link.score >= _EXACT}
    links = [link for link in links if link.score >= _EXACT or (link.start, link.end) not in exact]
    sure = [link for link in links if link.score >= _NAMED]
    kinds = {column.name: column.kind for column in facts.columns}
    for mention in loose_columns(tokens, names, kinds):
        span = mask_of(mention.start, mention.end)
        rows = all(token.lemma in nouns for token in tokens[mention.start : mention.end])
        if not rows and not _part_of(mention, whole) and not any(span & link.mask for link in sure):
            column = by_name[mention.column]
            links.append(
                ColumnLink(
                    start=mention.start, end=mention.end, column=column, score=mention.score, how=mention.how
                )
            )  # fmt: skip
    return links


def _of_months(
    tokens: tuple[Token, ...], said: tuple[PeriodMention, ...], views: tuple[ColumnView, ...]
) -> list[ColumnLink]:
    """Return the columns that are named by the months in their names."""
    by_name = {one.name: one for one in views}
    return [
        ColumnLink(start=one.start, end=one.end, column=by_name[name], score=score)
        for one, name, score in columns_of_months(tokens, said, tuple(by_name))
    ]


def _part_of(mention: ColumnMention, whole: Sequence[tuple[int, int]]) -> bool:
    size = mention.end - mention.start
    return any(start <= mention.start and mention.end <= end and end - start > size for start, end in whole)


def _counted(tokens: tuple[Token, ...]) -> list[NumberMention]:
    """Return single Chinese numerals before a measure word that numbers are not read before elsewhere (`三台`)."""
    return [
        NumberMention(start=place, end=place + 1, score=0.85, value=_NUMERALS[token.norm])
        for place, token in enumerate(tokens[:-1])
        if token.norm in _NUMERALS and tokens[place + 1].norm in _MEASURE_WORDS
        and (place == 0 or tokens[place - 1].norm not in {*_NUMERALS, "第", "十"})
    ]  # fmt: skip


def _outer(links: list[ColumnLink]) -> list[ColumnLink]:
    """Return the links without those to a column within a longer and better link to the same column."""
    kept: list[ColumnLink] = []
    for link in sorted(links, key=lambda one: (one.start - one.end, -one.score)):
        inside = any(
            other.column is link.column and other.start <= link.start and link.end <= other.end
            and other.score >= link.score
            for other in kept
        )  # fmt: skip
        if not inside:
            kept.append(link)
    return sorted(kept, key=lambda link: (link.start, -link.score))
