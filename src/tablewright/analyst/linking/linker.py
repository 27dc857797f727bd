"""Links a question to one table: every mention, and the best choice among overlapping ones."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.linking.columns import ColumnName, column_names, columns
from tablewright.analyst.linking.mentions import AnyMention, TableMention, choose
from tablewright.analyst.linking.numbers import numbers
from tablewright.analyst.linking.periods import periods
from tablewright.analyst.linking.phrases import words
from tablewright.analyst.linking.tokens import Token, quoted_spans
from tablewright.analyst.linking.values import TextColumn, values
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

_TEXT = frozenset({"text", "mixed", "boolean"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedTable:
    """A table with the mentions that the question makes of it."""

    facts: DatasetFacts
    names: tuple[ColumnName, ...]
    mentions: tuple[AnyMention, ...]
    candidates: tuple[AnyMention, ...]

    def column(self, name: str) -> ColumnFacts:
        """Return the facts of a column; KeyError if the table lacks it."""
        for column in self.facts.columns:
            if column.name == name:
                return column
        raise KeyError(name)


async def link(
    question: str, tokens: tuple[Token, ...], facts: DatasetFacts, lookup: ValueLookup, tables: tuple[TableMention, ...]
) -> LinkedTable:
    """Link `question` to the table `facts`; `tables` are the words that only name tables."""
    names = column_names(facts.columns)
    text_columns = [await _text_column(facts, column, lookup) for column in facts.columns if column.kind in _TEXT]
    candidates: list[AnyMention] = [
        *columns(tokens, names),
        *values(tokens, text_columns, quoted_spans(question, tokens)),
        *numbers(tokens),
        *periods(question, tokens),
        *words(tokens),
        *tables,
    ]
    return LinkedTable(
        facts=facts, names=names, mentions=tuple(choose(candidates, tokens)), candidates=tuple(candidates)
    )


async def _text_column(facts: DatasetFacts, column: ColumnFacts, lookup: ValueLookup) -> TextColumn:
    known = await lookup.values(facts.profile_ref, column.name)
    cells = known.values if known is not None else tuple(str(cell) for cell in column.samples if cell is not None)
    return TextColumn(column=column.name, values=cells)
