"""A run over tables of a database: queries are steps, and code reads their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.support.agent_bench import Bench, code, requests

from tablewright.agent.base import AgentContext
from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.data.base import ContentOptions, FileContent, FileProfile
from tablewright.data.sql.memory import MemoryDatabases, memory_database
from tablewright.domain.dataset import ColumnFacts, DatabaseColumn, DatabaseTable, DatasetFacts, ReadOptions
from tablewright.domain.events import CodeFinished, WarningRaised
from tablewright.domain.message import ToolResultPart
from tablewright.domain.table import Table
from tablewright.models.base import TextPiece, ToolCalled
from tablewright.models.scripted import Reply, ScriptedModel
from tablewright.tools.base import ToolFile, ToolFiles
from tablewright.tools.file_names import named_file

SHOP = "CREATE TABLE sales (id INTEGER PRIMARY KEY, amount REAL); INSERT INTO sales VALUES (1, 40), (2, 2);"
SALES = DatasetFacts(
    id="sales",
    name="sales",
    file_name="sales.json",
    path="/data/shared/sales.json",
    read=ReadOptions(kind="json", by_column=True),
    rows=2,
    columns=(ColumnFacts(name="id", kind="integer"), ColumnFacts(name="amount", kind="number")),
    sample=Table(columns=(), rows=(), total_rows=0),
    profile_ref="0" * 64,
    exact=False,
    table=DatabaseTable(
        connection="shop",
        dialect="sqlite",
        name="sales",
        columns=(DatabaseColumn(name="id", type="integer"), DatabaseColumn(name="amount", type="real")),
        primary_key=("id",),
        held=1,
    ),
)
TOTAL = "SELECT SUM(amount) AS total FROM sales"


@dataclass(slots=True, kw_only=True)
class KeptFiles:
    """Implements `ToolFiles` over the artifacts of a bench."""

    bench: Bench

    async def all(self) -> Sequence[ToolFile]:
        names = (name.partition("/")[2] for name in self.bench.artifacts.kept)
        return [ToolFile(name=name, path=Path("/blobs") / name, input_name=name) for name in names]

    async def find(self, name: str) -> ToolFile:
        return named_file(await self.all(), name)

    async def read(self, file: ToolFile, options: ContentOptions) -> FileContent:
        raise NotImplementedError

    async def profile(self, file: ToolFile) -> FileProfile:
        raise NotImplementedError


@dataclass(slots=True, kw_only=True)
class QueryBench(Bench):
    """A bench whose runs may query `shop`."""

    files: ToolFiles | None = field(default=None)

    def context(self) -> AgentContext:
        databases = MemoryDatabases({"shop": memory_database(SHOP)})
        return replace(Bench.context(self), databases=databases, files=KeptFiles(bench=self))


def bench(*replies: Reply | str) -> QueryBench:
    return QueryBench(agent=CodeAnalyst(), model=ScriptedModel(replies))


def calling(query: str, **arguments: Any) -> Reply:
    given = {"query": query, "connection": "shop", **arguments}
    return Reply(parts=(TextPiece(text="I ask. "), ToolCalled(call_id="c1", name="query_database", arguments=given)))


async def test_a_query_is_a_step_with_its_statement_whose_rows_code_can_read() -> None:
    made = bench(calling(TOTAL, save_as="total.json"), code(("Show", "result = 42\nprint(42)")), "It is 42.")
    took = await made.ask(datasets=(SALES,))
    assert took.statuses == [("Query shop", "ok"), ("Show", "ok")]
    assert took.of(CodeFinished)[0].code == TOTAL
    assert made.artifacts.kept["1/total.json"] == b'{"total": [42.0]}'
    assert [one.name for one in made.sandbox.sessions[0].inputs] == ["total.json"]
    told = [
        part.text
        for message in requests(made.model)[1].messages
        for part in message.parts
        if isinstance(part, ToolResultPart)
    ]
    assert "/data/shared/total.json" in told[0]
    assert took.of(WarningRaised) == []


async def test_a_number_of_a_query_has_it_as_its_origin() -> None:
    took = await bench(calling(TOTAL), "It is 42.").ask(datasets=(SALES,))
    (source,) = took.answer.sources
    assert source.step_id == took.of(CodeFinished)[0].step_id


async def test_code_over_the_first_rows_of_a_table_says_so() -> None:
    step = ("Sum", 'path = "/data/shared/sales.json"\nresult = 40\nprint(40)')
    took = await bench(code(step), "It is 40.").ask(datasets=(SALES,))
    assert took.only(WarningRaised).code == "database_rows_bounded"
    assert took.only(WarningRaised).params == {"table": "sales", "rows": 1}


async def test_a_result_that_was_cut_is_said_where_code_reads_it() -> None:
    call = calling("SELECT id FROM sales", save_as="ids.json", max_rows=1)
    step = ("Show", 'path = "/data/shared/ids.json"\nresult = 1\nprint(1)')
    took = await bench(call, code(step), "One.").ask(datasets=(SALES,))
    assert took.only(WarningRaised).params == {"table": "ids.json", "rows": 1}


async def test_the_rows_of_a_query_after_code_can_be_read_by_the_code_that_follows() -> None:
    made = bench(code(("Look", "print(1)")), calling(TOTAL, save_as="total.json"), "It is 42.")
    took = await made.ask(datasets=(SALES,))
    assert took.statuses == [("Look", "ok"), ("Query shop", "ok")]
    assert [one.name for one in made.sandbox.sessions[0].inputs] == ["total.json"]
    told = [
        part.text
        for message in requests(made.model)[2].messages
        for part in message.parts
        if isinstance(part, ToolResultPart)
    ]
    assert "/data/shared/total.json" in told[0]


async def test_a_query_that_fails_is_a_failed_step_and_not_the_end() -> None:
    took = await bench(calling("SELECT nothing FROM sales"), "I could not.").ask(datasets=(SALES,))
    assert took.statuses == [("Query shop", "error")]
    assert took.answer.outcome == "completed"


async def test_without_tables_of_a_database_there_is_no_such_tool() -> None:
    made = bench("Hello.")
    await made.ask()
    assert "query_database" not in {tool.name for tool in requests(made.model)[0].tools}
