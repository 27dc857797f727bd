"""The state of reading one question against one table: the mentions, and which are already accounted for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from tablewright.analyst.lexicon import stopwords
from tablewright.analyst.linking.linker import LinkedTable
from tablewright.analyst.linking.mentions import AnyMention, ColumnMention, Mention, WordMention
from tablewright.analyst.linking.text import is_han
from tablewright.analyst.linking.tokens import Token
from tablewright.analyst.plan import AllOf, AnyOf, Condition, Filter, OneOf, Col, Relation, Source
from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.language import Language

M = TypeVar("M", bound=Mention)
_NUMERIC = frozenset({"number", "integer"})
_DATES = frozenset({"date", "datetime"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A condition with its place; `column` and `values` where it says that a column has certain values."""

    condition: Condition
    start: int
    end: int
    column: str
    values: tuple[str, ...] = ()
    negated: bool = False
    places: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A wish for order: by a column, an axis (`x`, `y`), or the measure."""

    column: str | None
    axis: str | None
    descending: bool


@dataclass(slots=True)
class Parse:
    """Mentions in order of place; a taken one is explained and no longer offered."""

    question: str
    language: Language
    tokens: tuple[Token, ...]
    table: LinkedTable
    mentions: list[AnyMention]
    taken: set[int] = field(default_factory=set)
    clauses: list[Clause] = field(default_factory=list)
    either: list[tuple[int, int]] = field(default_factory=list)
    order: Order | None = None

    def free(self, kind: type[M], *codes: str) -> Iterator[M]:
        """Yield the mentions of a kind that are not taken; of words, those with one of `codes`."""
        for place, mention in enumerate(self.mentions):
            if place in self.taken or not isinstance(mention, kind):
                continue
            if codes and not (isinstance(mention, WordMention) and mention.code in codes):
                continue
            yield mention

    def words(self, *codes: str) -> list[WordMention]:
        """Return the free words of the lexicon with one of `codes`."""
        return list(self.free(WordMention, *codes))

    def has(self, code: str, value: str | None = None) -> bool:
        """Tell whether the question has such a word anywhere, taken or not."""
        return any(
            isinstance(mention, WordMention) and mention.code == code and value in {None, mention.value}
            for mention in self.mentions
        )

    def take(self, *mentions: AnyMention | Mention | None) -> None:
        """Account for mentions."""
        for mention in mentions:
            if mention is not None:
                self.taken.update(place for place, other in enumerate(self.mentions) if other is mention)

    def take_span(self, start: int, end: int) -> None:
        """Account for every mention within a span."""
        self.taken.update(
            place for place, mention in enumerate(self.mentions) if mention.start >= start and mention.end <= end
        )

    def before(self, place: int, kind: type[M], reach: int, *codes: str) -> M | None:
        """Return the nearest free mention that ends at most `reach` tokens before `place`."""
        near = [mention for mention in self.free(kind, *codes) if mention.end <= place and place - mention.end <= reach]
        return near[-1] if near else None

    def after(self, place: int, kind: type[M], reach: int, *codes: str) -> M | None:
        """Return the nearest free mention that starts at most `reach` tokens after `place`."""
        near = [mention for mention in self.free(kind, *codes) if place <= mention.start <= place + reach]
        return near[0] if near else None

    def gap(self, start: int, end: int) -> str:
        """Return the folded text of a span."""
        return " ".join(token.norm for token in self.tokens[start:end])

    def clear(self, start: int, end: int) -> bool:
        """Tell whether no comma or other break stands in a span."""
        return not any(token.norm in {",", "，", ";", "；", ".", "。", "?", "？"} for token in self.tokens[start:end])

    # ---- columns --------------------------------------------------------------------------------------------------

    def facts(self, column: str) -> ColumnFacts:
        """Return a column's facts."""
        return self.table.column(column)

    def numeric(self, column: str) -> bool:
        """Tell whether a column holds numbers."""
        return self.facts(column).kind in _NUMERIC

    def dated(self, column: str) -> bool:
        """Tell whether a column holds dates."""
        return self.facts(column).kind in _DATES

    def numeric_reading(self, mention: ColumnMention) -> str | None:
        """Return the likeliest column of a mention that holds numbers."""
        options = [(mention.column, mention.score), *mention.others]
        return next((column for column, score in options if self.numeric(column) and score >= mention.score - 0.35), None)

    # ---- relations ------------------------------------------------------------------------------------------------

    def source(self) -> Relation:
        """Return the table, restricted to the rows that the conditions select."""
        source: Relation = Source(dataset_id=self.table.facts.id)
        where = self.where()
        return source if where is None else Filter(source=source, where=where)

    def where(self) -> Condition | None:
        """Return all conditions as one."""
        return joined(self.clauses, self.either)

    # ---- coverage -------------------------------------------------------------------------------------------------

    def unexplained(self) -> list[int]:
        """Return the tokens with content that nothing accounts for."""
        covered = {token for place in self.taken for token in range(self.mentions[place].start, self.mentions[place].end)}
        stop = stopwords()
        return [
            place
            for place, token in enumerate(self.tokens)
            if place not in covered and token.kind != "mark" and token.lemma not in stop and token.norm not in stop
        ]

    def confidence(self) -> float:
        """Return the share of the content words that are accounted for."""
        covered = {token for place in self.taken for token in range(self.mentions[place].start, self.mentions[place].end)}
        known = sum(_weight(self.tokens[place]) for place in covered)
        unknown = sum(_weight(self.tokens[place]) for place in self.unexplained())
        return known / (known + unknown) if known else 0.0


def _weight(token: Token) -> float:
    if token.kind == "mark":
        return 0.0
    return 0.5 if is_han(token.norm[0]) else 1.0




def joined(clauses: list[Clause], either: list[tuple[int, int]]) -> Condition | None:
    """Join conditions as a reader does: `or` (the spans in `either`) binds weaker than the silent `and`."""
    if not clauses:
        return None
    ordered = sorted(merged(clauses), key=lambda clause: clause.start)
    groups: list[list[Condition]] = [[ordered[0].condition]]
    for left, right in zip(ordered, ordered[1:], strict=False):
        if any(left.end <= start and end <= right.start for start, end in either):
            groups.append([right.condition])
        else:
            groups[-1].append(right.condition)
    parts = [group[0] if len(group) == 1 else AllOf(parts=tuple(group)) for group in groups]
    return parts[0] if len(parts) == 1 else AnyOf(parts=tuple(parts))


def merged(clauses: list[Clause]) -> list[Clause]:
    """Put several values of one column together: the row may have any of them."""
    result: list[Clause] = []
    for clause in sorted(clauses, key=lambda clause: clause.start):
        same = next(
            (other for other in result if other.column == clause.column and other.values and clause.values
             and not other.negated and not clause.negated),
            None,
        )
        if same is None:
            result.append(clause)
            continue
        values = tuple(dict.fromkeys((*same.values, *clause.values)))
        result[result.index(same)] = Clause(
            condition=OneOf(of=Col(name=same.column), values=values),
            start=same.start,
            end=clause.end,
            column=same.column,
            values=values,
        )
    return result
