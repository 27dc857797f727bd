"""`tablewright ask` on databases: real servers and files, with the built-in analyst and the real sandbox."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import duckdb
import psycopg
import pytest
from tests.support.commands import Commands
from tests.support.databases import postgres_url
from tests.support.mariadb import mariadb_socket

__all__ = ["mariadb_socket", "postgres_url"]
SHOP = (
    "CREATE TABLE sales (id INTEGER, region VARCHAR(20), amount DECIMAL(10,2))",
    "INSERT INTO sales VALUES (1, 'north', 10.5), (2, 'south', 20), (3, 'north', 30)",
    "CREATE TABLE staff (id INTEGER, nickname VARCHAR(20))",
    "INSERT INTO staff VALUES (1, 'Ann')",
)
QUESTION = "What is the total amount by region in sales?"


@pytest.fixture
def postgres_shop(postgres_url: str) -> Iterator[str]:
    url = postgres_url.replace("postgresql+psycopg://", "postgresql://")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA IF NOT EXISTS public")
        for statement in SHOP:
            connection.execute(statement.encode())
        yield url
        connection.execute("DROP TABLE sales, staff")


async def _answered(commands: Commands, address: str) -> None:
    said = await commands.run("ask", address, QUESTION)
    assert said.code == 0, said.err
    assert "40.5" in said.out
    assert "20" in said.out
    assert "Read 1 of the 2 tables" in said.err


async def test_postgresql_is_asked(commands: Commands, postgres_shop: str) -> None:
    await _answered(commands, postgres_shop)


async def test_mariadb_is_asked(commands: Commands, mariadb_socket: Path) -> None:
    import pymysql

    connection = pymysql.connect(unix_socket=str(mariadb_socket), user="root", autocommit=True)
    with connection.cursor() as cursor:
        for statement in ("DROP DATABASE IF EXISTS asked", "CREATE DATABASE asked", "USE asked", *SHOP):
            cursor.execute(statement)
    connection.close()
    await _answered(commands, f"mariadb://root@/asked?unix_socket={quote(str(mariadb_socket))}")


async def test_files_of_sqlite_and_duckdb_are_asked(commands: Commands) -> None:
    lite = sqlite3.connect(commands.folder / "shop.db")
    duck = duckdb.connect(str(commands.folder / "shop.duckdb"))
    for statement in SHOP:
        lite.execute(statement)
        duck.execute(statement)
    lite.commit()
    lite.close()
    duck.close()
    await _answered(commands, "shop.db")
    await _answered(commands, f"duckdb:///{commands.folder / 'shop.duckdb'}")


def _numbers(path: Path, rows: int) -> None:
    lite = sqlite3.connect(path)
    lite.execute("CREATE TABLE numbers (id INTEGER PRIMARY KEY, parity TEXT, size INTEGER)")
    lite.executemany("INSERT INTO numbers VALUES (?, ?, ?)", [(n, ("even", "odd")[n % 2], n) for n in range(rows)])
    lite.commit()
    lite.close()


async def test_figures_are_about_all_rows_of_a_table_larger_than_what_is_read(commands: Commands) -> None:
    _numbers(commands.folder / "many.sqlite", 10_500)
    said = await commands.run("ask", "many.sqlite", "What is the total size by parity?")
    assert said.code == 0, said.err
    assert f"{sum(range(0, 10_500, 2)):,}" in said.out
    assert f"{sum(range(1, 10_500, 2)):,}" in said.out
    assert "first 10000 rows" not in said.out + said.err
    assert "Query @many-" in said.out + said.err


async def test_a_figure_of_postgresql_is_about_all_rows(commands: Commands, postgres_shop: str) -> None:
    with psycopg.connect(postgres_shop, autocommit=True) as connection:
        connection.execute("INSERT INTO sales SELECT i, 'west', 1.5 FROM generate_series(4, 20003) AS g(i)")
    said = await commands.run("ask", postgres_shop, "What is the average amount in sales in the west?")
    assert said.code == 0, said.err
    assert "1.5" in said.out
    said = await commands.run("ask", postgres_shop, QUESTION)
    assert "30,000" in said.out
    assert "first 10000 rows" not in said.out + said.err


async def test_what_only_the_first_rows_answer_is_said(commands: Commands) -> None:
    _numbers(commands.folder / "many.sqlite", 10_500)
    said = await commands.run("ask", "many.sqlite", "What is the median size by parity?")
    assert said.code == 0, said.err
    assert "only the first 10000 rows were read" in said.out + said.err


async def test_a_database_that_is_away_is_told_without_its_password(commands: Commands) -> None:
    said = await commands.run("ask", "postgresql://ann:geheim@127.0.0.1:1/shop", QUESTION)
    assert said.code == 1
    assert "cannot be reached" in said.err
    assert "geheim" not in said.out + said.err


def _related(path: Path, rows: int) -> None:
    lite = sqlite3.connect(path)
    lite.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT)")
    lite.execute(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), amount INTEGER)"
    )
    lite.executemany("INSERT INTO customers VALUES (?, ?)", [(n, ("Oslo", "Rome")[n % 2]) for n in range(40)])
    lite.executemany("INSERT INTO orders VALUES (?, ?, ?)", [(n, n % 40, 1 + n % 2) for n in range(rows)])
    lite.commit()
    lite.close()


@pytest.mark.parametrize("rows", [400, 10_400], ids=["read_whole", "read_in_part"])
async def test_tables_are_joined_in_the_database_by_the_key_that_it_declares(commands: Commands, rows: int) -> None:
    _related(commands.folder / "shop.db", rows)
    said = await commands.run("ask", "shop.db", "Total amount by city?", "--json")
    assert said.code == 0, said.err
    result = json.loads(said.out)["result"]
    assert sorted(result["rows"]) == [["Oslo", rows / 2], ["Rome", rows]]


async def test_a_table_is_reached_over_the_one_in_between_by_keys_of_one_column_and_of_several(
    commands: Commands,
) -> None:
    lite = sqlite3.connect(commands.folder / "orders.db")
    for statement in (
        "CREATE TABLE customer (land INT, no INT, city TEXT, PRIMARY KEY (land, no))",
        "INSERT INTO customer VALUES (1, 1, 'Ely'), (1, 2, 'Wells'), (2, 1, 'Wells')",
        (
            "CREATE TABLE orders (id INTEGER PRIMARY KEY, land INT, customer INT, amount REAL,"
            " FOREIGN KEY (land, customer) REFERENCES customer (land, no))"
        ),
        "INSERT INTO orders VALUES (1, 1, 1, 1.5), (2, 1, 2, 3.5), (3, 2, 1, 5.5)",
        "CREATE TABLE item (order_id INT REFERENCES orders (id), line INT, qty INT, PRIMARY KEY (order_id, line))",
        "INSERT INTO item VALUES (1, 1, 30), (1, 2, 11), (2, 1, 200), (3, 1, 7)",
        "CREATE TABLE log (at TEXT)",
    ):
        lite.execute(statement)
    lite.commit()
    lite.close()
    said = await commands.run("ask", "orders.db", "sum of qty per city")
    assert said.code == 0, said.out + said.err
    assert "Read 3 of the 4 tables" in said.err
    assert "Ely: 41; Wells: 207." in said.out
