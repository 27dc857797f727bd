"""Before its first round a run looks at the databases that it may query."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.agent.structured.databases import MOST, database_facts
from tablewright.data.sql.base import Database
from tablewright.data.sql.memory import MemoryDatabases, memory_database
from tablewright.errors import DatabaseAway

SHOP = """
CREATE TABLE notes (id INTEGER PRIMARY KEY, words TEXT);
CREATE TABLE customers (id INTEGER PRIMARY KEY, city TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers(id), amount REAL);
INSERT INTO customers VALUES (1, 'Berlin');
"""


async def names(question: str) -> list[str]:
    databases = MemoryDatabases({"primary": memory_database(), "shop": memory_database(SHOP)})
    (shop,) = await database_facts(databases, question, "en")
    assert shop.schema is not None
    return [table.name for table in shop.schema.tables]


async def test_tables_that_the_question_speaks_of_come_first_then_those_that_others_refer_to() -> None:
    assert (await names("What do the notes say?"))[0] == "notes"
    assert (await names("How many customers are there?"))[0] == "customers"
    assert (await names("Anything odd?"))[-1] == "notes"


async def test_the_files_of_the_conversation_are_told_otherwise() -> None:
    assert await database_facts(MemoryDatabases({"primary": memory_database(SHOP)}), "q", "en") == ()
    assert await database_facts(None, "q", "en") == ()


@dataclass(frozen=True, slots=True)
class Broken:
    """Databases of which none answers."""

    count: int

    async def names(self) -> tuple[str, ...]:
        return tuple(f"db{place}" for place in range(self.count))

    async def open(self, name: str) -> Database:
        raise DatabaseAway(name=name)


async def test_one_that_is_away_keeps_no_run_from_beginning() -> None:
    found = await database_facts(Broken(MOST + 2), "q", "zh")

    assert [facts.name for facts in found] == [f"db{place}" for place in range(MOST + 2)]
    assert all(facts.problem and facts.schema is None for facts in found[:MOST])
    assert [facts.problem for facts in found[MOST:]] == ["", ""]
