"""What of described tables a question is about, and which of several procedures fits it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tablewright.data.sql.selection import relevance
from tablewright.domain.database import ColumnSchema, TableSchema
from tablewright.domain.language import language_of
from tablewright.domain.scope import Scope
from tablewright.routing.workflows.candidates import Candidate
from tablewright.routing.workflows.router import WorkflowRouter
from tablewright.service.tool_services.schemas import DescribedColumn, DescribedTable, parts_of

ProcedureMode = Literal["HIGH_MODE", "COMMON_MODE", "NO_SOP_MODE"]
"""One procedure fits and is to be followed; some may serve as examples; or none fits."""
EXAMPLES = 5
LIKELY = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenProcedures:
    """The procedures by their ids, the best first."""

    mode: ProcedureMode
    ids: tuple[str, ...] = ()


def recalled(question: str, tables: Sequence[DescribedTable], always: frozenset[str]) -> tuple[DescribedTable, ...]:
    """Return the tables that a question speaks of with the columns that it names, the best first; where it names
    nothing, all of them. The columns `always`, by their ids, come with each of their tables."""
    found: list[tuple[int, DescribedTable]] = []
    for table in tables:
        named = tuple(one for one in table.columns if _said(one, question))
        score = len(named) + relevance(_schema(table.name or table.code, ()), question)
        if score:
            kept = tuple(one for one in table.columns if one in named or one.id in always)
            found.append((score, DescribedTable(code=table.code, name=table.name, columns=kept or table.columns)))
    return tuple(table for _, table in sorted(found, key=lambda one: -one[0])) or tuple(tables)


async def chosen_procedures(
    router: WorkflowRouter, scope: Scope, question: str, procedures: Sequence[Candidate]
) -> ChosenProcedures:
    """Choose among procedures as among workflows: with the same index, embeddings and model."""
    decision = await router.route(
        question, tenant=f"{scope.tenant} procedures", candidates=procedures, language=language_of(question)
    )
    if decision.workflow_id is not None:
        return ChosenProcedures(mode="HIGH_MODE", ids=(decision.workflow_id,))
    near = decision.shortlist[:EXAMPLES]
    if sum(one.score for one in near) < LIKELY:
        return ChosenProcedures(mode="NO_SOP_MODE")
    return ChosenProcedures(mode="COMMON_MODE", ids=tuple(one.id for one in near if one.score > 0))


def _said(column: DescribedColumn, question: str) -> bool:
    names = (column.id, column.name, *parts_of(column.synonyms))
    texts = parts_of(column.samples)
    return any(text.lower() in question.lower() for text in texts if len(text) > 1) or any(
        relevance(_schema("", (name,)), question) for name in names if name
    )


def _schema(name: str, columns: Sequence[str]) -> TableSchema:
    return TableSchema(name=name, columns=tuple(ColumnSchema(name=one, type="") for one in columns))
