"""Other programs use our own tools, one by one, with the fences that agents have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
from mcp import ClientSession
from tests.acceptance.test_mcp_clients import called, with_file
from tests.support.commands import Commands
from tests.support.mcp_bench import Heard, over_http, over_stdio, parameters


def said(result: Any) -> str:
    return str(result.content[0].text)


def written(place: str) -> str:
    return Path(place).read_text(encoding="utf-8")


async def refused(session: ClientSession, name: str, **arguments: Any) -> str:
    result = await called(session, name, arguments)
    assert result.is_error, said(result)
    return said(result)


async def test_over_stdio_each_tool_does_its_work(tmp_path: Path, sales: Path) -> None:
    async with over_stdio(parameters(tmp_path), Heard()) as session:
        read = said(await called(session, "file_reader", {"path": str(sales), "response_format": "brief"}))
        assert "4 rows × 3 columns" in read
        code = "import pandas as pd\nprint(pd.read_csv('sales.csv').amount.sum())"
        assert said(await called(session, "run_python", {"code": code, "input_paths": [str(sales)]})) == "230.5"
        made = "import pandas as pd\nfrom tw import file\npd.DataFrame({'a': [1]}).to_csv('made.csv')\nfile('made.csv')"
        place = said(await called(session, "run_python", {"code": made})).splitlines()[-1]
        assert written(place) == ",a\n0,1\n"
        figure = "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"
        assert [part.type for part in (await called(session, "run_python", {"code": figure})).content] == [
            "text",
            "image",
        ]
        assert "sales.csv" not in said(await called(session, "run_python", {"code": "import tw\nprint(dir())"}))
        assert "web_search.provider" in await refused(session, "web_search", query="x")
        assert "private network" in await refused(session, "web_reader", url="http://169.254.169.254/latest/")
        assert "os may not be imported" in await refused(session, "run_python", code="import os")
        assert "the argument timeout is 1" in await refused(session, "run_python", code="1", timeout=1)
        assert "the argument code is missing" in await refused(session, "run_python")
        assert "missing.csv" in await refused(session, "file_reader", path="missing.csv")
        total = {"query": "SELECT sum(amount) AS total FROM sales", "input_paths": [str(sales)]}
        assert "| 230.5 |" in said(await called(session, "query_database", total))
        assert "Only reading is allowed" in await refused(
            session, "query_database", query="DROP TABLE sales", input_paths=[str(sales)]
        )


async def test_over_http_files_are_the_callers_own(commands: Commands, sales: Path) -> None:
    async with with_file(commands, sales) as (url, file_id), over_http(url, Heard()) as session:
        for place in (file_id, sales.name):
            assert "4 rows" in said(await called(session, "file_reader", {"path": place}))
        for place in ("/etc/passwd", "../../etc/passwd", "file:///etc/passwd", str(sales)):
            assert "root:" not in await refused(session, "file_reader", path=place)
            assert "root:" not in await refused(session, "run_python", code="1", input_paths=[place])
        code = "import pandas as pd\nfrom tw import file\npd.read_csv('sales.csv').to_csv('copy.csv')\nfile('copy.csv')"
        made = said(await called(session, "run_python", {"code": code, "input_paths": [file_id]}))
        async with httpx2.AsyncClient(base_url=url) as http:
            assert (await http.get(made.splitlines()[-1])).text.startswith(",city,")
