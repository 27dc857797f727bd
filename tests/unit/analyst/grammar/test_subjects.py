"""Two tables: joined on a key, the rows of one without the other, and parts of one."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.unit.analyst.grammar.clinic import VISITS, Words

from tablewright.analyst.grammar import GrammarReading, readings
from tablewright.analyst.grammar.subjects import subjects
from tablewright.analyst.plan import Aggregate, Concat, Filter, Join, Missing
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.table_facts import TableForm, TableKey, TableRelation

VETS = replace(
    VISITS,
    id="w",
    name="vets",
    file_name="vets.csv",
    rows=5,
    columns=(
        ColumnFacts(name="vet", kind="text", distinct=5),
        ColumnFacts(name="town", kind="text", distinct=3),
        ColumnFacts(name="salary", kind="number", minimum=10, maximum=99, distinct=5),
    ),
)
KEY = TableKey(one="w", key="vet", many="v", reference="vet", multiplicity="one_to_many", unmatched=0, unused=2)


def _read(question: str, relation: TableRelation, *tables: DatasetFacts) -> tuple[GrammarReading, ...]:
    return asyncio.run(readings(question, "en", tables, Words(), relations=[relation]))


def test_tables_are_joined_on_their_key() -> None:
    best = _read("total fee per town", KEY, VISITS, VETS)[0]
    assert any(isinstance(node, Join) and node.on == (("vet", "vet"),) for node in nodes(best.plan))
    assert best.said == "total fee per town"


def test_amounts_that_a_join_repeats_are_not_added_up() -> None:
    for reading in _read("total salary per animal", KEY, VISITS, VETS):
        found = list(nodes(reading.plan))
        measured = [one.name for node in found if isinstance(node, Aggregate) for one in node.measures]
        assert not (any(isinstance(node, Join) for node in found) and "total salary" in measured)


def test_rows_without_others_are_found() -> None:
    lacking = [
        node
        for reading in _read("vets that never had any visits", KEY, VISITS, VETS)[:5]
        for node in nodes(reading.plan)
        if isinstance(node, Filter) and isinstance(node.where, Missing) and isinstance(node.source, Join)
    ]
    assert lacking


def test_parts_of_one_table_are_put_together() -> None:
    form = TableForm(tables=("v", "v2"), parts=("2023", "2024"))
    found = list(subjects([VISITS, replace(VISITS, id="v2", name="visits 2024")], [form]))
    assert [one.kind for one in found] == ["table", "table", "form"]
    assert isinstance(found[2].source, Concat)
    assert found[2].facts.rows == 180


def test_parts_of_one_table_are_joined_to_what_all_of_them_refer_to() -> None:
    form = TableForm(tables=("v", "v2"), parts=("2023", "2024"))
    later = replace(VISITS, id="v2", name="visits 2024")
    keys = [KEY, replace(KEY, many="v2")]
    found = list(subjects([VISITS, later, VETS], [form, *keys]))
    assert [one.kind for one in found] == [
        "table",
        "table",
        "table",
        "form",
        "join",
        "join",
        "lacking",
        "join",
        "lacking",
    ]
    assert isinstance(found[4].source, Join)
    assert isinstance(found[4].source.left, Concat)
    assert found[4].repeated == {"town", "salary"}
    assert [one.kind for one in subjects([VISITS, later, VETS], [form, KEY])][3:] == ["form", "join", "lacking"]
