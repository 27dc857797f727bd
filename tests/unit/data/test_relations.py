"""What connects tables: parts of one form, and keys with their multiplicity."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablewright.data.facts.relations import MOST_TABLES, Values, relations
from tablewright.domain.database import ForeignKey
from tablewright.domain.dataset import (
    CleanFacts,
    ColumnFacts,
    ColumnKind,
    DatabaseColumn,
    DatabaseTable,
    DatasetFacts,
    ReadOptions,
)
from tablewright.domain.table import Table
from tablewright.domain.table_facts import Irregularity, TableForm, TableKey

Cells = dict[str, list[str]]


def table(name: str, cells: Cells, kind: ColumnKind = "text") -> DatasetFacts:
    rows = len(next(iter(cells.values())))
    columns = tuple(ColumnFacts(name=column, kind=kind, distinct=len(set(texts))) for column, texts in cells.items())
    return DatasetFacts(
        id=name, name=name, file_name="a.xlsx", path="/data/shared/a.xlsx", read=ReadOptions(kind="xlsx"), rows=rows,
        columns=columns, sample=Table(columns=(), rows=(), total_rows=rows), profile_ref=name,
    )  # fmt: skip


def found(**tables: Cells) -> tuple[object, ...]:
    values: Values = {
        (name, column): frozenset(texts) for name, cells in tables.items() for column, texts in cells.items()
    }
    return relations([table(name, cells) for name, cells in tables.items()], values)


MEMBERS: Cells = {"member": ["m1", "m2", "m3", "m4"], "type": ["a", "b", "a", "b"]}


def test_a_column_that_refers_to_a_unique_one_is_a_key_with_its_multiplicity() -> None:
    (key,) = found(members=MEMBERS, loans={"loan": ["1", "2", "3"], "member": ["m1", "m1", "m3"]})
    assert key == TableKey(
        one="members", key="member", many="loans", reference="member", multiplicity="one_to_many", unmatched=0, unused=2
    )


def test_values_that_are_missing_in_the_other_table_are_counted() -> None:
    names = [f"m{number}" for number in range(20)]
    (key,) = found(one={"id": names, "x": ["a", *"b" * 19]}, many={"who": [*names[:18], "m0", "zz"]})
    assert isinstance(key, TableKey)
    assert (key.unmatched, key.unused) == (1, 2)


def test_columns_of_other_names_need_several_common_values() -> None:
    few = {"code": ["x", "y"], "note": ["1", "1"]}
    assert found(one=few, many={"flag": ["x", "y", "x"]}) == ()
    assert len(found(one=few, many={"Code ": ["x", "y", "x"]})) == 1


def test_columns_of_other_names_need_fewer_common_values_where_all_are_there() -> None:
    vets = {"who": ["Ann", "Bob", "Cid"], "level": ["1", "1", "2"]}
    (key,) = found(vets=vets, visits={"vet": ["Ann", "Cid", "Bob", "Ann"]})
    assert isinstance(key, TableKey)
    assert (key.one, key.key, key.reference, key.unmatched) == ("vets", "who", "vet", 0)
    assert found(vets=vets, visits={"vet": ["Ann", "Cid", "Bob", "Dee", "Ann"]}) == ()


def test_stray_blanks_and_other_spellings_are_the_value_they_mean() -> None:
    boats = table("boats", {"boat": ["Heron", "Otter"], "berths": ["6", "6"]})
    written = ["Heron", " Heron", "Otter  ", "otter"]
    hires = table("hires", {"boat": written})
    ways = (
        Irregularity(kind="spaces", cells=2, examples=(" Heron",)),
        Irregularity(kind="spelling", cells=1, examples=("otter",), meant="Otter", merged=1),
    )
    hires = replace(hires, columns=(replace(hires.columns[0], irregular=ways),))
    values: Values = {("boats", "boat"): frozenset({"Heron", "Otter"}), ("hires", "boat"): frozenset(written)}
    (key,) = relations([boats, hires], values)
    assert isinstance(key, TableKey)
    assert (key.one, key.many, key.unmatched, key.unused) == ("boats", "hires", 0, 0)


def test_values_that_are_one_once_they_are_cleaned_are_no_key() -> None:
    twice = table("boats", {"boat": ["Heron", "Heron ", "Otter"], "berths": ["6", "6", "7"]})
    spaces = (Irregularity(kind="spaces", cells=1, examples=("Heron ",)),)
    twice = replace(twice, columns=(replace(twice.columns[0], irregular=spaces), twice.columns[1]))
    hires = table("hires", {"boat": ["Heron", "Otter", "Otter"]})
    values: Values = {
        ("boats", "boat"): frozenset({"Heron", "Heron ", "Otter"}),
        ("hires", "boat"): frozenset({"Heron", "Otter"}),
    }
    assert relations([twice, hires], values) == ()


def test_columns_without_a_unique_side_are_no_keys() -> None:
    assert found(one={"city": ["a", "a", "b"]}, many={"city": ["a", "b", "b"]}) == ()


def test_values_unique_in_both_tables_are_one_to_one_and_told_once() -> None:
    (key,) = found(one={"id": ["a", "b", "c"], "x": ["1", "1", "1"]}, other={"id": ["a", "b"], "y": ["2", "2"]})
    assert isinstance(key, TableKey)
    assert (key.multiplicity, key.one, key.unmatched, key.unused) == ("one_to_one", "one", 0, 1)


def test_tables_with_the_same_columns_are_parts_of_one_and_no_keys_of_each_other() -> None:
    month = {"shop": ["a", "b"], "day": ["1", "2"]}
    assert found(January=month, February=month) == (
        TableForm(tables=("January", "February"), parts=("January", "February")),
    )


def test_parts_of_the_same_name_are_told_apart_by_their_files() -> None:
    part = table("Sheet1", {"a": ["1"], "b": ["2"]})
    (form,) = relations([part, replace(part, id="other", file_name="b.xlsx")], {})
    assert form == TableForm(tables=("Sheet1", "other"), parts=("a.xlsx Sheet1", "b.xlsx Sheet1"))


def test_the_same_names_with_other_kinds_are_no_form() -> None:
    cells = {"a": ["1", "2"], "b": ["3", "4"]}
    assert relations([table("one", cells), table("two", cells, "integer")], {}) == ()
    assert len(relations([table("one", cells, "number"), table("two", cells, "integer")], {})) == 1


def test_only_the_first_tables_of_very_many_are_compared() -> None:
    tables = [table(f"t{number}", {f"c{number}": ["1"], "b": ["2"]}) for number in range(MOST_TABLES)]
    late = table("late", {"c0": ["1"], "b": ["2"]})
    assert relations([*tables, late], {}) == ()


def stored(name: str, *columns: str, schema: str | None = None, connection: str = "shop", **more: Any) -> DatasetFacts:
    """A table of a database, whose columns have other names in the facts."""
    facts = table(name, {column.title(): ["1", "2"] for column in columns}, kind="integer")
    names = tuple(DatabaseColumn(name=column, type="integer") for column in columns)
    origin = DatabaseTable(
        connection=connection, dialect="sqlite", name=name, schema=schema, columns=names, primary_key=("id",), **more
    )
    return replace(facts, table=origin)


def refers(table_name: str, column: str = "customer", to: str = "id") -> dict[str, Any]:
    return {"foreign_keys": (ForeignKey(columns=(column,), table=table_name, references=(to,)),)}


@pytest.mark.parametrize("to", ["id", ""])
def test_a_key_that_the_database_declares_needs_no_values(to: str) -> None:
    customers, orders = (
        stored("customers", "id", "city"),
        stored("orders", "id", "customer", **refers("customers", to=to)),
    )
    (key,) = relations([orders, customers], {})
    assert key == TableKey(
        one="customers", key="Id", many="orders", reference="Customer", multiplicity="one_to_many", unmatched=0,
        unused=None,
    )  # fmt: skip
    (key,) = relations([customers, stored("notes", "id", **refers("customers", "id"))], {})
    assert isinstance(key, TableKey)
    assert key.multiplicity == "one_to_one"


def test_a_declared_key_may_be_of_several_columns() -> None:
    regions = stored("regions", "id", "part", "name")
    assert regions.table is not None
    regions = replace(regions, table=replace(regions.table, primary_key=("id", "part")))
    for references in (("id", "part"), ("", "")):
        keys = (ForeignKey(columns=("land", "half"), table="regions", references=references),)
        stores = stored("stores", "id", "land", "half", foreign_keys=keys)
        (key,) = relations([stores, regions], {})
        assert isinstance(key, TableKey)
        assert (key.one, key.many, key.multiplicity) == ("regions", "stores", "one_to_many")
        assert key.on == (("Land", "Id"), ("Half", "Part"))
    keys = (ForeignKey(columns=("land", "gone"), table="regions", references=("id", "part")),)
    assert relations([stored("stores", "id", "land", foreign_keys=keys), regions], {}) == ()


def test_a_declared_key_leads_to_a_table_of_the_same_database_and_schema() -> None:
    orders = stored("orders", "id", "customer", **refers("customers"))
    assert relations([orders, stored("customers", "id", connection="other")], {}) == ()
    assert relations([orders, stored("customers", "id", schema="old")], {}) == ()
    assert relations([orders, stored("clients", "id")], {}) == ()
    assert relations([stored("people", "id", "customer", **refers("people"))], {}) == ()


def numbered(**tables: Cells) -> tuple[object, ...]:
    values: Values = {
        (name, column): frozenset(texts) for name, cells in tables.items() for column, texts in cells.items()
    }
    given = [
        replace(
            one,
            columns=tuple(
                replace(column, minimum=min(map(int, cells)), maximum=max(map(int, cells)))
                for column, cells in zip(one.columns, tables[one.name].values(), strict=True)
            ),
        )
        for one in (table(name, cells, "integer") for name, cells in tables.items())
    ]
    return relations(given, values)


def test_whole_numbers_of_one_name_are_keys() -> None:
    ids = [str(number) for number in range(1000, 1010)]
    (key,) = numbered(customers={"cust_id": ids}, orders={"cust_id": [*ids, *ids], "amount": ["7"] * 20})
    assert isinstance(key, TableKey)
    assert (key.one, key.key, key.many, key.multiplicity) == ("customers", "cust_id", "orders", "one_to_many")


def test_whole_numbers_are_alike_by_chance_under_other_names_and_where_they_number_rows() -> None:
    ten, five = [str(number) for number in range(1, 11)], [str(number) for number in range(1, 6)]
    assert numbered(stock={"item": ten}, sales={"quantity": [*five, *five]}) == ()
    assert numbered(stock={"no": ten}, sales={"no": five}) == ()


def test_an_id_in_each_of_two_tables_is_that_of_its_own_rows() -> None:
    gaps = ["1", "2", "4", "7", "9"]
    assert numbered(customers={"id": gaps}, orders={"id": [*gaps, "11", "12"]}) == ()
    (key,) = numbered(staff={"emp": gaps}, pay={"emp": list(reversed(gaps))})
    assert isinstance(key, TableKey)
    assert key.multiplicity == "one_to_one"


def _numbered(names: list[str], rows: int) -> DatasetFacts:
    columns = tuple(ColumnFacts(name=name, kind="integer", distinct=4) for name in names)
    return replace(table("any", {"x": ["1"] * rows}), columns=columns)


@pytest.mark.parametrize(
    ("name", "column", "is_key"),
    [
        ("customers", "customer_id", True),
        ("客户表", "客户id", True),
        ("companies", "company_id", True),
        ("customers", "order_id", False),
        ("customers", "paid", False),
    ],
)
def test_whole_numbers_refer_to_the_id_of_the_table_that_their_name_names(name: str, column: str, is_key: bool) -> None:
    one = replace(_numbered(["id"], 4), id="one", name=name)
    many = replace(_numbered([column], 9), id="many", name="orders")
    values: Values = {("one", "id"): frozenset("1234"), ("many", column): frozenset("123")}
    found_keys = [(key.key, key.reference) for key in relations([one, many], values) if isinstance(key, TableKey)]
    assert found_keys == ([("id", column)] if is_key else [])
    beyond: Values = {**values, ("many", column): frozenset("1239")}
    assert relations([one, many], beyond) == ()


def test_tables_are_parts_of_one_whose_numbers_have_words_among_them_in_some() -> None:
    clean = CleanFacts(kind="integer", notation="plain", distinct=3, minimum=1, maximum=9, marks=("缺考",), marked=1)
    first = replace(_numbered(["student", "score"], 4), id="one", name="Class 1")
    student, score = first.columns
    second = replace(first, id="two", name="Class 2", columns=(student, replace(score, kind="text", clean=clean)))
    assert [one.tables for one in relations([first, second], {}) if isinstance(one, TableForm)] == [("one", "two")]
    texts = replace(second, columns=(student, replace(score, kind="text")))
    assert relations([first, texts], {}) == ()
