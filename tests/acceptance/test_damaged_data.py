"""Data that is damaged or incomplete is told before it is used."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import inspect
from tests.support.commands import Commands
from tests.support.databases import schema_of_its_own
from tests.support.patience import PATIENCE_S

from tablewright.store.sql.database import Database

ROWS = 4000


async def used(commands: Commands) -> Path:
    """Use a service, so that there is data; returns its folder."""
    async with commands.serving() as (url, _process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        assert (await http.post("/api/v1/files", files={"file": ("a.csv", b"a,b\n1,2\n")})).status_code == 201
    return commands.folder / "data"


def damage(path: Path) -> None:
    """Fill a database and overwrite pages in its middle."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE filling (words TEXT)")
        database.executemany("INSERT INTO filling VALUES (?)", [("x" * 500,)] * ROWS)
    database.close()
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xff" * 8 * 4096)


@pytest.mark.requirement("bad-input-damaged-database")
async def test_a_database_damaged_in_the_middle_is_told_with_the_remedy(commands: Commands) -> None:
    folder = await used(commands)
    await asyncio.to_thread(damage, folder / "tablewright.db")
    said = await commands.run("serve", "--port", "0")
    assert said.code == 1
    assert "is damaged" in said.err
    assert ".recover" in said.err
    looked = await commands.run("doctor")
    assert looked.code == 1
    assert "is damaged" in looked.out
    assert ".recover" in looked.out


async def test_files_without_their_database_are_not_given_a_new_one(commands: Commands) -> None:
    folder = await used(commands)
    for file in folder.glob("tablewright.db*"):
        file.unlink()
    said = await commands.run("serve", "--port", "0")
    assert said.code == 1
    assert "no database" in said.err
    assert "Put the database back" in said.err
    assert not (folder / "tablewright.db").exists()
    assert "is missing or empty, but there are stored files" in (await commands.run("doctor")).out
    assert not (folder / "tablewright.db").exists()


async def test_files_beside_an_empty_server_are_not_given_a_new_database(commands: Commands, postgres_url: str) -> None:
    await used(commands)
    async with schema_of_its_own(postgres_url, "lost") as url:
        commands.environ = {"TABLEWRIGHT_DATABASE__URL": url}
        for command in (("serve", "--port", "0"), ("db", "upgrade")):
            said = await commands.run(*command)
            assert said.code == 1
            assert "Put the database back" in said.err
        assert "is missing or empty, but there are stored files" in (await commands.run("doctor")).out
        server = Database(url)
        async with server.read() as connection:
            assert await connection.run_sync(lambda known: inspect(known).get_table_names()) == []
        await server.close()


async def test_a_database_whose_files_are_missing_is_told_and_served(commands: Commands) -> None:
    folder = await used(commands)
    shutil.rmtree(folder / "blobs")
    process = await commands.start("serve", "--port", "0")
    assert process.stderr is not None
    try:
        async with asyncio.timeout(PATIENCE_S):
            while "are missing" not in (line := (await process.stderr.readline()).decode()):
                assert line, "nothing was said"
    finally:
        process.terminate()
        async with asyncio.timeout(PATIENCE_S):
            await process.communicate()
    assert "are missing at" in (await commands.run("doctor")).out
