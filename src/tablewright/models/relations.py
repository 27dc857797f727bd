"""What connects tables, in the form that a model reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table_facts import TableForm, TableKey, TableRelation
from tablewright.models.facts import quoted
from tablewright.models.prompt_files import phrase


def relation_lines(relations: Sequence[TableRelation], tables: Sequence[DatasetFacts], language: Language) -> str:
    """Return the relations under a heading, a line each, with the tables by their numbers and names; empty if none."""
    if not relations:
        return ""
    labels = {table.id: f"{number} {quoted(table.name)}" for number, table in enumerate(tables, start=1)}
    lines = (f"  - {_line(one, labels, language)}" for one in relations)
    return "\n".join((phrase("relations", language), *lines)) + "\n"


def _line(relation: TableRelation, labels: dict[str, str], language: Language) -> str:
    match relation:
        case TableForm():
            return phrase("relation_form", language, tables=", ".join(labels[table] for table in relation.tables))
        case TableKey():
            return phrase(
                f"relation_{relation.multiplicity}",
                language,
                one=labels[relation.one],
                key=", ".join(quoted(key) for _, key in relation.on),
                many=labels[relation.many],
                reference=", ".join(quoted(reference) for reference, _ in relation.on),
                unmatched=relation.unmatched,
                unused="?" if relation.unused is None else relation.unused,
            )
        case _:
            assert_never(relation)
