"""Two tables: joined on a key, the rows of one without the other, and parts of one."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from tests.unit.analyst.grammar.clinic import VISITS, Words

from tablewright.analyst.grammar import GrammarReading, readings
from tablewright.analyst.grammar.subjects import subjects
from tablewright.analyst.plan import Aggregate, Col, Concat, Filter, Join, Missing, Named, Project, Source
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
TOWNS = replace(
    VISITS,
    id="t",
    name="towns",
    file_name="towns.csv",
    profile_ref="p3",
    rows=3,
    columns=(
        ColumnFacts(name="town", kind="text", distinct=3),
        ColumnFacts(name="county", kind="text", distinct=2),
        ColumnFacts(name="salary", kind="number", minimum=10, maximum=99, distinct=3),
        ColumnFacts(name="fee", kind="number", minimum=1, maximum=9, distinct=3),
    ),
)
KEY = TableKey(one="w", key="vet", many="v", reference="vet", multiplicity="one_to_many", unmatched=0, unused=2)
NEXT = TableKey(one="t", key="town", many="w", reference="town", multiplicity="one_to_many", unmatched=0, unused=0)


def _read(question: str, relation: TableRelation, *tables: DatasetFacts) -> tuple[GrammarReading, ...]:
    return asyncio.run(readings(question, "en", tables, Words(), relations=[relation]))


def _read_chain(question: str) -> tuple[GrammarReading, ...]:
    return asyncio.run(readings(question, "en", [VISITS, VETS, TOWNS], Words(), relations=[KEY, NEXT]))


def _tables_of(reading: GrammarReading) -> int:
    return sum(isinstance(node, Source) for node in nodes(reading.plan))


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


def test_tables_are_joined_over_one_in_between() -> None:
    best = _read_chain("total fee per county")[0]
    assert (best.said, _tables_of(best)) == ("total fee per county", 3)
    assert [node.on for node in nodes(best.plan) if isinstance(node, Join)] == [(("town", "town"),), (("vet", "vet"),)]


def test_a_chain_is_read_only_where_both_of_its_ends_are_named() -> None:
    for question in ("total fee per town", "number of vets per county", "total salary per county"):
        assert all(_tables_of(reading) < 3 for reading in _read_chain(question)), question
    assert any(_tables_of(reading) == 3 for reading in _read_chain("number of visits per county"))


def test_amounts_that_a_chain_repeats_are_not_added_up() -> None:
    for reading in _read_chain("total salary per county of visits with fee above 5"):
        names = [one.name for node in nodes(reading.plan) if isinstance(node, Aggregate) for one in node.measures]
        assert _tables_of(reading) < 3 or not any("total salary" in name for name in names)


def test_columns_of_a_chain_have_names_of_their_own() -> None:
    found = list(subjects([VISITS, replace(VETS, profile_ref="p2"), TOWNS], [KEY, NEXT]))[-1]
    names = [column.name for column in found.facts.columns]
    assert len(names) == len(set(names))
    assert (found.origins["salary"], found.origins["salary_2"]) == (("p2", "salary"), ("p3", "salary"))
    assert found.origins["fee_2"] == ("p3", "fee")
    assert {"town", "county", "salary", "salary_2", "fee_2"} == found.repeated
    assert isinstance(found.source, Join)
    assert isinstance(found.source.right, Project)
    assert Named(name="fee_2", of=Col(name="fee")) in found.source.right.columns


def test_no_chain_leads_where_a_key_leads_at_once_or_back() -> None:
    direct = replace(NEXT, many="v", reference="animal")
    back = replace(KEY, one="v", key="vet", many="w", reference="vet")
    tables = [VISITS, VETS, TOWNS]
    assert sum(one.ends != () for one in subjects(tables, [KEY, NEXT])) == 1
    assert not any(one.ends for one in subjects(tables, [KEY, NEXT, direct]))
    assert not any(one.ends for one in subjects(tables, [KEY, back]))


def test_tables_are_joined_and_compared_by_keys_of_several_columns() -> None:
    key = replace(KEY, further=(("animal", "town"),))
    _, _, joined, lacking = subjects([VISITS, VETS], [key])
    assert isinstance(joined.source, Join)
    assert joined.source.on == (("vet", "vet"), ("animal", "town"))
    assert isinstance(lacking.source, Filter)
    assert isinstance(lacking.source.source, Join)
    assert [own for own, _ in lacking.source.source.on] == ["vet", "town"]
