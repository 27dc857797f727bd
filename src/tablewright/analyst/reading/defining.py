"""A measure that the question defines before it asks: `Density is calculated as population divided by area. Which …?`"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tablewright.analyst.plan import Case, Cut, Lit, Math, Named
from tablewright.analyst.reading.tagged.columns_said import said_columns
from tablewright.analyst.reading.tagged.making import spoken
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

_DEFINITION = re.compile(
    r"[\"'“]?(?P<name>[A-Z][\w\- ]{2,40}?)[\"'”]?\s*(?:\([^)]*\)\s*)?(?:is|are)\s+(?:defined|calculated|computed|measured)\s+(?:as|by)\s+(?P<how>.+?)\.\s+(?P<question>.+)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Defined:
    """The column that a definition makes, and the question that follows it."""

    column: Named
    question: str


def defined(text: str, facts: DatasetFacts) -> Defined | None:
    """Return what a text defines from the table's columns, if it does."""
    match = _DEFINITION.search(text)
    if match is None:
        return None
    name = match.group("name").strip()
    name = re.sub(r"^.*\b(?:the|The)\s+", "", name)
    how = match.group("how").split(", indicating")[0].split(", which")[0]
    expression = spoken(how, said_columns(how, facts, least=0.5))
    if not isinstance(expression, Math):
        return None
    return Defined(column=Named(name=name, of=expression), question=match.group("question"))


def with_column(facts: DatasetFacts, column: Named) -> DatasetFacts:
    """Return the facts with the defined column: of numbers, or of the names that it tells apart."""
    names = _names(column)
    made = ColumnFacts(name=column.name, kind="text" if names else "number", samples=names, distinct=len(names) or None)
    return replace(facts, columns=(*facts.columns, made))


def _names(column: Named) -> tuple[str, ...]:
    """Return the names that a column tells its rows apart by; none where it measures."""
    if isinstance(column.of, Cut):
        return column.of.labels
    if not isinstance(column.of, Case):
        return ()
    told = [
        expr.value for expr in (*(of for _, of in column.of.branches), column.of.otherwise) if isinstance(expr, Lit)
    ]
    return tuple(name for name in told if isinstance(name, str))
