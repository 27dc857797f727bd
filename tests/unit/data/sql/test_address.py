"""Addresses are read strictly, and say nothing of their password."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tablewright.data.sql.address import address_of, is_address
from tablewright.data.sql.base import ColumnSchema, DatabaseSchema, ForeignKey, TableSchema
from tablewright.data.sql.selection import reading, tables_for
from tablewright.errors import ConnectionInvalid, SecretsUnreadable
from tablewright.store.sealing import FILE_NAME, Sealer


def test_a_url_is_taken_apart() -> None:
    found = address_of("postgresql://an%40n:p%3Aw@db.local:5433/shop?sslmode=require")
    assert (found.dialect, found.host, found.port, found.user, found.password) == (
        "postgres",
        "db.local",
        5433,
        "an@n",
        "p:w",
    )
    assert (found.database, found.options) == ("shop", {"sslmode": "require"})
    assert "p:w" not in f"{found} {found!r}"
    assert found.without_secrets("the password p:w is wrong") == "the password *** is wrong"


def test_a_file_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    assert address_of(str(path)).dialect == "sqlite"
    assert address_of(f"sqlite:///{path}").path == path
    for wrong in (f"duckdb:///{path}", str(tmp_path / "no.db"), "sqlite:////etc/passwd"):
        with pytest.raises(ConnectionInvalid):
            address_of(wrong)


def test_words_are_told_from_addresses() -> None:
    assert is_address("mariadb://root@host/x")
    assert is_address("shop.DuckDB")
    assert not is_address("sales.csv")
    assert not is_address("https://example.com/a.csv")


def test_the_tables_of_a_question_are_those_that_it_names() -> None:
    def table(name: str, *columns: str) -> TableSchema:
        return TableSchema(name=name, columns=tuple(ColumnSchema(name=one, type="text") for one in columns))

    tables = (
        table("customers", "id", "city"),
        table("orderLines", "id", "amount"),
        table("销售", "金额"),
        table("log", "x", "cc"),
    )
    schema = DatabaseSchema(dialect="postgres", tables=tables)
    for question, wanted in (
        ("total amount of the order lines", ["orderLines"]),
        ("how many customers per city", ["customers"]),
        ("销售金额是多少", ["销售"]),
        ("total weight per cc", ["log"]),
    ):
        assert [found.name for found in tables_for(question, schema)] == wanted
    assert len(tables_for("what is in it", schema)) == 4


def test_tables_that_connect_those_of_a_question_are_read_too() -> None:
    def table(name: str, columns: str, *referred: str) -> TableSchema:
        keys = tuple(ForeignKey(columns=(f"{one}_id",), table=one, references=("id",)) for one in referred)
        told = tuple(ColumnSchema(name=one, type="text") for one in columns.split())
        return TableSchema(name=name, columns=told, foreign_keys=keys)

    tables = (
        table("customer", "id city"),
        table("orders", "id amount", "customer"),
        table("item", "line qty", "orders"),
        table("stock", "pieces", "item"),
        table("log", "x", "stock"),
        table("page", "words", "log"),
        table("alone", "colour"),
    )
    schema = DatabaseSchema(dialect="sqlite", tables=tables)
    for question, wanted in (
        ("sum of qty per city", ["customer", "item", "orders"]),
        ("sum of amount per city", ["customer", "orders"]),
        ("sum of pieces per city", ["customer", "stock", "orders", "item"]),
        ("sum of words per city", ["customer", "page"]),
        ("sum of qty per colour", ["item", "alone"]),
        # What one table alone says is not outweighed by a word that many say.
        ("how many orders per city", ["orders", "customer"]),
    ):
        assert [found.name for found in tables_for(question, schema)] == wanted
    lines = table("order_lines", "order_id order_date qty", "orders")
    wider = DatabaseSchema(dialect="sqlite", tables=(*tables, lines))
    assert "customer" in [found.name for found in tables_for("how many orders per city", wider)]


def test_names_are_quoted() -> None:
    table = TableSchema(name='a"b`c', columns=(ColumnSchema(name="x; --", type="text"),), schema="s")
    assert reading(table, "postgres", limit=3) == 'SELECT "x; --" FROM "s"."a""b`c" LIMIT 3'
    assert reading(table, "mysql") == 'SELECT `x; --` FROM `s`.`a"b``c`'


def test_a_secret_opens_with_its_key_and_for_its_purpose_only(tmp_path: Path) -> None:
    sealed = Sealer(tmp_path).seal("geheim", "connection:local:shop")
    assert "geheim" not in sealed
    assert sealed != Sealer(tmp_path).seal("geheim", "connection:local:shop")
    assert Sealer(tmp_path).open(sealed, "connection:local:shop") == "geheim"
    for purpose in ("connection:local:other", "connection:x:shop"):
        with pytest.raises(SecretsUnreadable):
            Sealer(tmp_path).open(sealed, purpose)
    (tmp_path / FILE_NAME).unlink()
    with pytest.raises(SecretsUnreadable):
        Sealer(tmp_path).open(sealed, "connection:local:shop")
