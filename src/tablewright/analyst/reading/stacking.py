"""Tables with the same columns stacked into one. What distinguishes them (`上海`, `2022`) becomes a column, so that
they can be compared (`2022年比2021年增长多少`, `上海的均价比杭州高多少`) or combined (`两个城市一共成交多少套`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablewright.analyst.linking.linker import LinkedTable, link
from tablewright.analyst.linking.mentions import RowsMention
from tablewright.analyst.linking.tokens import Token, tokenize
from tablewright.analyst.plan import Col, Combine, Concat, Derive, Lit, Named, Relation, Source
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.reading.families.base import Offer
from tablewright.analyst.reading.groups import TOGETHER
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues
from tablewright.domain.language import Language
from tablewright.domain.table import Cell
from tablewright.texts.catalogue import text

_SET_BESIDE = frozenset({"contrasts", "comparing", "difference"})
_COMBINED = frozenset({"ranking", "summing", "counting"})
_APART = re.compile(r"分别|各|\b(?:each|respectively)\b")
_YEAR = re.compile(r"(?:19|20)\d\d")
_NUMBERS_SAID = {
    "两": 2,
    "二": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "2": 2,
    "3": 3,
    "4": 4,
    "5": 5,
    "both": 2,
    "two": 2,
    "three": 3,
    "four": 4,
}
_ALL = re.compile(
    r"(?<![\d第十百年月日])([两二三四五2-5])(?:个|张|份|座|家)?(?:城市|年度?|表格?|文件|地区|地方|工作表|季度|月份?|市"
    r"|区)(?!前|后|内)"
    r"|(both|two|three|four) (?:tables|files|years|cities|months|sheets)\b"
)
_NUMBERS = frozenset({"number", "integer"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Tables with the same columns; `label` is the column that distinguishes them, and `labels` its value for each
    table."""

    tables: tuple[DatasetFacts, ...]
    label: str
    labels: tuple[Cell, ...]
    made: bool

    @property
    def relation(self) -> Relation:
        """The rows of all tables, each with its label."""
        sources: list[Relation] = [Source(dataset_id=facts.id) for facts in self.tables]
        if self.made:
            sources = [
                Derive(source=source, columns=(Named(name=self.label, of=Lit(value=value)),))
                for source, value in zip(sources, self.labels, strict=True)
            ]
        return Concat(sources=tuple(sources))


@dataclass(frozen=True, slots=True)
class _StackedValues:
    """A lookup of the distinct values of all tables, and of the labels."""

    stack: Stack
    values_of: ValueLookup

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        del profile_ref
        if self.stack.made and column == self.stack.label:
            return DistinctValues(
                values=tuple(str(label) for label in self.stack.labels),
                counts=tuple(facts.rows for facts in self.stack.tables),
                complete=True,
            )
        found = [await self.values_of.values(facts.profile_ref, column) for facts in self.stack.tables]
        known = [values for values in found if values is not None]
        if not known:
            return None
        counts: Counter[str] = Counter()
        for values in known:
            counts.update(dict(zip(values.values, values.counts, strict=True)))
        return DistinctValues(
            values=tuple(counts), counts=tuple(counts.values()), complete=all(values.complete for values in known)
        )


def stack_of(datasets: Sequence[DatasetFacts], language: Language) -> Stack | None:
    """Return the tables with the same columns as a stack; None unless there is one such set, of at least two, and
    something distinguishes its tables. Tables of another form beside them (targets, a list of staff) stay out."""
    forms: dict[tuple[str, ...], list[DatasetFacts]] = {}
    for facts in datasets:
        forms.setdefault(tuple(column.name for column in facts.columns), []).append(facts)
    alike = [(form, tables) for form, tables in forms.items() if len(tables) > 1]
    if len(alike) != 1:
        return None
    (form, found) = alike[0]
    tables = tuple(found)
    for column in form:
        constant = [_constant(facts, column) for facts in tables]
        if None not in constant and len(set(constant)) == len(tables):
            return Stack(tables=tables, label=column, labels=tuple(constant), made=False)
    labels = _told_apart([facts.name for facts in tables])
    if labels is None:
        return None
    years = all(_YEAR.fullmatch(label) for label in labels)
    told: tuple[Cell, ...] = tuple(int(label) for label in labels) if years else labels
    label = text("reading.year" if years else "reading.table", language)
    taken = any(column.name == label for column in tables[0].columns)
    return None if taken else Stack(tables=tables, label=label, labels=told, made=True)


def _constant(facts: DatasetFacts, column: str) -> Cell:
    known = next(known for known in facts.columns if known.name == column)
    return known.minimum if known.kind in _NUMBERS and known.minimum == known.maximum else None


def _told_apart(names: Sequence[str]) -> tuple[str, ...] | None:
    """Return the table names without their common beginning and end; None if these do not distinguish them."""
    said = [[token.norm for token in tokenize(name)] for name in names]
    while all(said) and len({words[0] for words in said}) == 1:
        said = [words[1:] for words in said]
    while all(said) and len({words[-1] for words in said}) == 1:
        said = [words[:-1] for words in said]
    labels = tuple("".join(words) for words in said)
    return labels if all(labels) and len(set(labels)) == len(names) else None


async def link_stack(question: str, tokens: tuple[Token, ...], stack: Stack, values: ValueLookup) -> LinkedTable:
    """Link the question to the rows of the whole stack."""
    first = stack.tables[0]
    label = ColumnFacts(
        name=stack.label,
        kind="integer" if isinstance(stack.labels[0], int) else "text",
        distinct=len(stack.labels),
        minimum=min(stack.labels) if isinstance(stack.labels[0], int) else None,  # type: ignore[type-var]
        maximum=max(stack.labels) if isinstance(stack.labels[0], int) else None,  # type: ignore[type-var]
        samples=stack.labels,
    )
    merged = [
        _merged([known for facts in stack.tables for known in facts.columns if known.name == column.name])
        for column in first.columns
        if column.name != stack.label
    ]
    facts = replace(
        first,
        id="+".join(facts.id for facts in stack.tables),
        rows=sum(facts.rows for facts in stack.tables),
        columns=(label, *merged),
        profile_ref="+".join(facts.profile_ref for facts in stack.tables),
    )
    table = await link(question, tokens, facts, _StackedValues(stack, values), ())
    said = _all_said(question, tokens, len(stack.tables))
    kept = [mention for mention in table.mentions if said is None or not said.start <= mention.start < said.end]
    return replace(table, mentions=(*kept, *([said] if said else [])), relation=stack.relation)


def _all_said(question: str, tokens: tuple[Token, ...], count: int) -> RowsMention | None:
    """Return the mention of all tables together: `两个城市`, `both years`."""
    match = next(
        (found for found in _ALL.finditer(question.lower()) if _NUMBERS_SAID[found[1] or found[2]] == count), None
    )
    inside = [place for place, token in enumerate(tokens) if match and match.start() <= token.start < match.end()]
    return RowsMention(start=inside[0], end=inside[-1] + 1, score=1.0, column=None) if inside else None


def _merged(columns: Sequence[ColumnFacts]) -> ColumnFacts:
    """Return the facts of a column over all tables; the number of distinct values is a lower bound."""
    lows = [column.minimum for column in columns if column.minimum is not None]
    highs = [column.maximum for column in columns if column.maximum is not None]
    return replace(
        columns[0],
        distinct=max(column.distinct or 0 for column in columns) or None,
        missing=sum(column.missing for column in columns),
        minimum=min(lows, key=_order, default=None),
        maximum=max(highs, key=_order, default=None),
    )


def _order(value: Cell) -> tuple[int, float | str]:
    return (0, float(value)) if isinstance(value, int | float) else (1, str(value))


def sets_beside(offer: Offer, stack: Stack) -> bool:
    """Return whether a plan over the stack answers what no single table could, by comparing or combining tables."""
    question = offer.parse.question.lower()
    named = [clause for clause in offer.parse.clauses if clause.column == stack.label]
    if offer.family == "growth":
        return any(isinstance(node, Col) and node.name == stack.label for node in nodes(offer.part))
    if _APART.search(question):
        return False
    if offer.family in _SET_BESIDE:
        return len(named) > 1 and (isinstance(offer.part.relation, Combine) or offer.parse.has("comparative"))
    whole = offer.family in _COMBINED and any(
        _NUMBERS_SAID[found[1] or found[2]] == len(stack.tables) for found in _ALL.finditer(question)
    )
    return not named and (whole or TOGETHER.search(question) is not None)
