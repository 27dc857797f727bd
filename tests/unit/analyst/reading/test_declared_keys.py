"""Tables of a database are joined by the keys that it declares, not by whatever columns are called alike."""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.reading.joining import Pair, pairs
from tablewright.domain.dataset import ColumnFacts, DatabaseColumn, DatabaseTable, DatasetFacts, ReadOptions
from tablewright.domain.table import Table
from tablewright.domain.table_facts import TableKey


def whole(name: str, *, least: int = 0, most: int = 199) -> ColumnFacts:
    return ColumnFacts(name=name, kind="integer", minimum=least, maximum=most, distinct=most - least + 1)


def stored(name: str, rows: int, *columns: ColumnFacts, primary: str = "id") -> DatasetFacts:
    """A table of a database, of which `held` rows are here."""
    origin = DatabaseTable(
        connection="shop",
        dialect="sqlite",
        name=name,
        columns=tuple(DatabaseColumn(name=column.name, type="integer") for column in columns),
        primary_key=(primary,),
        held=min(rows, 100),
    )
    return DatasetFacts(
        id=name, name=name, file_name=f"{name}.json", path=f"/data/shared/{name}.json", read=ReadOptions(kind="json"),
        rows=rows, columns=columns, sample=Table(columns=(), rows=(), total_rows=rows), profile_ref=name, table=origin,
    )  # fmt: skip


CUSTOMERS = stored("customers", 200, whole("id"), ColumnFacts(name="city", kind="text", distinct=3))
UNCOUNTED = replace(whole("customer_id"), distinct=None)
ORDERS = stored("orders", 30_000, replace(whole("id", most=29_999), distinct=None), UNCOUNTED)
KEY = TableKey(
    one="customers", key="id", many="orders", reference="customer_id", multiplicity="one_to_many", unmatched=0,
    unused=None,
)  # fmt: skip


def test_a_key_that_the_database_declares_comes_before_columns_of_one_name() -> None:
    assert pairs([ORDERS, CUSTOMERS], [KEY]) == [Pair(many=ORDERS, one=CUSTOMERS, key="id", reference="customer_id")]


def test_numbers_of_rows_on_both_sides_are_no_key() -> None:
    assert pairs([ORDERS, CUSTOMERS]) == []
    unkeyed = replace(ORDERS, table=replace(ORDERS.table, primary_key=()) if ORDERS.table else None)
    assert pairs([unkeyed, CUSTOMERS]) == []


def test_columns_of_one_name_are_a_key_where_nobody_has_counted_how_often_they_repeat() -> None:
    customers = replace(CUSTOMERS, columns=(whole("customer_id"), CUSTOMERS.columns[1]))
    (pair,) = pairs([ORDERS, customers])
    assert (pair.many.name, pair.key, pair.reference) == ("orders", "customer_id", "customer_id")
