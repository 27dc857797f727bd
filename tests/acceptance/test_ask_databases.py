"""`tablewright ask` on databases: real servers and files, with the built-in analyst and the real sandbox."""

from __future__ import annotations

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


async def test_what_is_bounded_is_said(commands: Commands) -> None:
    lite = sqlite3.connect(commands.folder / "many.sqlite")
    lite.execute("CREATE TABLE n (i INTEGER)")
    lite.executemany("INSERT INTO n VALUES (?)", [(number,) for number in range(10_500)])
    lite.commit()
    lite.close()
    said = await commands.run("ask", "many.sqlite", "How many rows are there?")
    assert "only the first 10000 rows were read" in said.err


async def test_a_database_that_is_away_is_told_without_its_password(commands: Commands) -> None:
    said = await commands.run("ask", "postgresql://ann:geheim@127.0.0.1:1/shop", QUESTION)
    assert said.code == 1
    assert "cannot be reached" in said.err
    assert "geheim" not in said.out + said.err
