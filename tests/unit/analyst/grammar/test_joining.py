"""Tables that a question asks to join, or joins by what it asks."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from tests.unit.analyst.grammar.clinic import VISITS, Words

from tablewright.analyst.grammar import readings
from tablewright.analyst.plan import Join
from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.language import language_of
from tablewright.domain.table_facts import TableKey

VETS = replace(
    VISITS,
    id="w",
    name="vets",
    file_name="vets.csv",
    rows=3,
    columns=(ColumnFacts(name="vet", kind="text", distinct=3), ColumnFacts(name="room", kind="text", distinct=3)),
)
KEY = TableKey(one="w", key="vet", many="v", reference="vet", multiplicity="one_to_many", unmatched=0, unused=0)


def best(question: str) -> str:
    found = asyncio.run(readings(question, language_of(question), [VISITS, VETS], Words(), (), [KEY]))
    relation = found[0].plan.parts[0].relation
    return found[0].said + (" *" if isinstance(relation, Join) else "")


@pytest.mark.parametrize(
    "question",
    [
        "join the two tables on vet",
        "merge visits and vets",
        "combine both files by vet",
        "join visits with vets on vet",
        "合并这两张表",
    ],
)
def test_two_tables_are_joined_row_by_row(question: str) -> None:
    assert best(question) in {"the rows of both tables, joined *", "两张表合并后的行 *"}


def test_what_is_asked_of_joined_rows_is_read_as_of_any_others() -> None:
    assert best("join visits and vets on vet, total fee by room") == best("total fee by room") == "total fee per room"


def test_rows_of_one_table_are_not_joined() -> None:
    found = asyncio.run(readings("merge both files", "en", [VISITS], Words()))
    assert not any("joined" in reading.said for reading in found)
