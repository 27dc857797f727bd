"""The tools of agents on Genie's wire: a deep search and a report while it is written have items of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.plan_bench import plan_bench
from tests.support.work_bench import called

from tablewright.api.genie.fold import GenieFold
from tablewright.api.genie.frames import AgentFrame
from tablewright.api.genie.links import GenieLinks
from tablewright.data.base import SearchHit, WebPage
from tablewright.errors import DownloadFailed, ModelOverloaded
from tablewright.models.base import ModelRequest
from tablewright.models.scripted import Fail, Reply, ScriptedModel
from tablewright.tools.base import Tool
from tablewright.tools.deep_search.tool import DeepSearchTool
from tablewright.tools.file import FileTool
from tablewright.tools.report import ReportTool

LINKS = GenieLinks(base="http://here", permit="p")
REPORT = "# Tea\n\nTea rose.\n"


class Engine:
    """Finds a page for one query, and fails for the other."""

    async def search(self, query: str, count: int) -> tuple[SearchHit, ...]:
        if query == "coffee":
            raise DownloadFailed("download_unreachable", url="http://engine")
        return (SearchHit(title="Tea", url="http://tea", snippet="Tea rose by 12."),)


class Pages:
    async def read(self, url: str) -> WebPage:
        raise DownloadFailed("download_unreachable", url=url)


async def frames(folder: Path, *replies: Reply | str) -> list[dict[str, Any]]:
    """Run an agent with the tools, and return the bare frames of its run."""
    left = list(replies)

    def says(request: ModelRequest) -> Reply | str:
        return left.pop(0)

    tools: list[Tool] = [DeepSearchTool(Engine(), Pages()), ReportTool(), FileTool()]
    told = plan_bench(folder, ScriptedModel(says), tools)
    asked = await told.bench.ask("Tea?", agent="react", mode="react")
    fold = GenieFold(run=asked, request_id="q-1", agent_type="5", links=LINKS)
    made: list[AgentFrame] = [frame for event in await told.bench.events(asked) for frame in fold.take(event)]
    await told.close()
    assert not left
    return [frame.response for frame in made]


def of(told: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [frame for frame in told if frame["messageType"] == kind]


async def test_a_deep_search_is_told_with_its_queries_what_they_found_and_its_answer(tmp_path: Path) -> None:
    queries = json.dumps({"queries": ["tea", "coffee"]})
    told = await frames(
        tmp_path, Reply.of(called("deep_search", "d-1", query="What rose?")), queries, "Tea did [1].", "Tea."
    )
    assert of(told, "tool_result") == []
    found = [frame["resultMap"] for frame in of(told, "deep_search")]
    assert [one["messageType"] for one in found] == ["extend", "search", "search", "report"]
    assert [one["query"] for one in found] == ["What rose?"] * 4
    assert found[0]["searchResult"] == {"query": ["tea", "coffee"], "docs": []}
    (document,) = found[1]["searchResult"]["docs"][0]
    assert document == {"doc_type": "web", "content": "Tea rose by 12.", "title": "Tea", "link": "http://tea"}
    assert found[2]["searchResult"] == {"query": ["coffee"], "docs": [[]]}
    assert found[3]["answer"].startswith("Tea did [1].")
    assert "http://tea" in found[3]["answer"]
    assert [one["isFinal"] for one in found] == [False, False, False, True]
    assert len({frame["messageId"] for frame in of(told, "deep_search")}) == 4
    assert told[-1]["result"] == "Tea."


async def test_a_deep_search_that_searched_nothing_is_told_as_any_tool(tmp_path: Path) -> None:
    broken = Reply.of(Fail(error=ModelOverloaded(model="m")))
    told = await frames(tmp_path, Reply.of(called("deep_search", query="What rose?")), broken, "Nothing.")
    assert of(told, "deep_search") == []
    (result,) = of(told, "tool_result")
    assert result["toolResult"]["toolName"] == "deep_search"


@pytest.mark.parametrize(
    ("file_type", "name"), [("markdown", "report.md"), ("html", "report.html"), ("ppt", "report.html")]
)
async def test_a_report_is_told_while_it_is_written_then_whole_with_its_file(
    tmp_path: Path, file_type: str, name: str
) -> None:
    call = called("report", "c-1", task="Tell of tea.", file_type=file_type)
    told = await frames(tmp_path, Reply.of(call), Reply.of(*REPORT), "Done.")
    assert of(told, "tool_result") == of(told, "file") == []
    *pieces, last = of(told, file_type)
    assert "".join(piece["resultMap"]["data"] for piece in pieces) == REPORT
    assert [piece["isFinal"] for piece in pieces] == [False] * len(pieces)
    assert last["isFinal"]
    assert last["resultMap"]["data"] == REPORT
    assert [file["fileName"] for file in last["resultMap"]["fileInfo"]] == [name]
    assert {frame["messageId"] for frame in of(told, file_type)} == {last["messageId"]}


async def test_a_report_that_is_not_written_is_told_as_any_tool(tmp_path: Path) -> None:
    told = await frames(tmp_path, Reply.of(called("report", task="Tell of tea.")), Reply.of(), "None.")
    assert of(told, "markdown") == []
    assert len(of(told, "tool_result")) == 1


async def test_a_file_that_is_kept_is_told_with_where_it_is(tmp_path: Path) -> None:
    call = called("file", command="upload", name="n.txt", content="Tea.")
    told = await frames(tmp_path, Reply.of(call), "Kept.")
    (file,) = of(told, "file")
    assert file["resultMap"]["fileInfo"][0]["fileName"] == "n.txt"
