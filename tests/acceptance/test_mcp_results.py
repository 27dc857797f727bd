"""What calls of the table tools give back that a scripted model works on: large results, and what is not there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession
from tests.support.fake_openai import FakeOpenAI
from tests.support.mcp_bench import Heard, over_stdio, parameters
from tests.support.patience import PATIENCE_S
from tests.support.wire import Say

MADE = "import pandas as pd\nresult = pd.DataFrame({{'a': range({rows}), 'b': 'some words'}})"


@dataclass(slots=True, kw_only=True)
class Scripted:
    """A client of the tools, and the model that works on its calls."""

    model: FakeOpenAI
    session: ClientSession
    table: str

    async def call(self, tool: str, *replies: str, **arguments: Any) -> Any:
        for reply in replies:
            self.model.says(Say(text=reply))
        async with asyncio.timeout(PATIENCE_S):
            return await self.session.call_tool(tool, arguments)

    async def asked(self, *replies: str) -> dict[str, Any]:
        answered = await self.call("analyze_data", *replies, question="sum?", path_or_url=self.table)
        assert not answered.is_error, answered.content[0].text
        found: dict[str, Any] = answered.structured_content
        return found


@asynccontextmanager
async def scripted(folder: Path, sales: Path, **environ: str) -> AsyncIterator[Scripted]:
    async with FakeOpenAI() as model:
        place = {
            "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
            "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
            "TABLEWRIGHT_MODEL": "openai:fake",
        }
        async with over_stdio(parameters(folder, **place, **environ), Heard()) as session:
            yield Scripted(model=model, session=session, table=str(sales))


def block(*steps: tuple[str, str]) -> str:
    written = "\n".join(f"# @step: {name}\n{code}" for name, code in steps)
    return f"<|begin_code|>\n{written}\n<|end_code|>"


@pytest.mark.requirement("mcp-large-results-are-files")
async def test_a_result_below_a_megabyte_stands_in_line_and_a_larger_one_is_the_file_that_has_all_of_it(
    tmp_path: Path, sales: Path
) -> None:
    async with scripted(tmp_path, sales) as user:
        small = await user.asked(block(("Make", MADE.format(rows=500))), "Done.")
        (table,) = small["tables"]
        assert (table["type"], table["shape"], len(table["data"]["a"])) == ("dataframe", [500, 2], 100)
        assert small["files"] == []
        for rows, kind in ((200_000, ".csv"), (600_000, ".parquet")):
            large = await user.asked(block(("Make", MADE.format(rows=rows))), "Done.")
            (table,) = large["tables"]
            assert (table["type"], table["shape"]) == ("file", [rows, 2])
            assert Path(table["file_path"]).suffix == kind
            shown = await user.call("get_preview_data", path_or_url=table["file_path"], nrows=1)
            assert shown.structured_content["shape"] == [rows, 2]
            assert large["files"] == []


async def test_what_is_not_there_and_what_was_not_written_is_said_with_its_remedy(tmp_path: Path, sales: Path) -> None:
    async with scripted(tmp_path, sales, TABLEWRIGHT_REACT__MAX_STEPS="1") as user:
        missing = await user.call("get_preview_data", path_or_url="missing.csv")
        assert missing.is_error
        assert str(tmp_path) in missing.content[0].text
        output = tmp_path / "out.csv"
        steps = block(("One", "print(1)"), ("Two", "result = 2"))
        arguments = {"instruction": "total amount", "input_paths": [user.table], "output_path": str(output)}
        unwritten = await user.call("table_operation", steps, "Only this far.", **arguments)
        assert unwritten.is_error
        assert "No file was written as out.csv" in unwritten.content[0].text
        assert "Only this far." in unwritten.content[0].text
        assert not output.exists()


async def test_the_types_of_columns_are_named_however_few_rows_are_shown(tmp_path: Path, sales: Path) -> None:
    async with scripted(tmp_path, sales) as user:
        shown = await user.call("get_preview_data", path_or_url=user.table, nrows=0)
        assert shown.structured_content["types"] == {"city": "text", "product": "text", "amount": "number"}
        assert shown.structured_content["sample"] == []
        assert shown.structured_content["shape"] == [4, 3]
