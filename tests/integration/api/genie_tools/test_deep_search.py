"""Deep search as a service: the real agent over the files of a session, told in frames."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.support.genie_backend import called, posted
from tests.support.genie_client import Serving
from tests.support.parts import FakeParts
from tests.support.service_bench import Items

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.deep_search.agent import DeepSearchAgent
from tablewright.models.scripted import ScriptedModel

BODY: dict[str, Any] = {"request_id": "r-1", "query": "How did 7 change?", "maxLoop": 1, "stream": True}


@pytest.mark.requirement("deep-search")
async def test_queries_hits_and_the_cited_answer_are_told(serving: Serving, tmp_path: Path) -> None:
    model = ScriptedModel(['{"queries": ["Beijing"]}', "It is 7 [1]."])

    async def searching(given: AgentInput, context: AgentContext) -> Items:
        async for item in DeepSearchAgent().run(given, replace(context, model=model)):
            yield item

    parts = FakeParts(folder=tmp_path, others={"deep_search": searching})
    url = await serving(parts)
    sent = {"requestId": "r-1", "fileName": "cities.csv", "content": "city,n\nBeijing,7\n"}
    assert (await posted(url, "/file_tool/upload_file", sent)).status_code == 200
    frames = await called(url, "deepsearch", BODY)
    extend, search, *report = frames
    assert (extend["messageType"], extend["searchResult"]["query"]) == ("extend", ["Beijing"])
    assert search["messageType"] == "search"
    ((hit,),) = search["searchResult"]["docs"]
    assert hit == {"doc_type": "file", "content": "city: Beijing; n: 7", "title": "cities.csv", "link": "cities.csv"}
    assert "".join(frame["answer"] for frame in report[:-1]) == "It is 7 [1]."
    assert {frame["messageType"] for frame in report} == {"report"}
    assert report[-1]["isFinal"]
    assert "> city: Beijing; n: 7" in report[-1]["answer"]
    assert [frame["isFinal"] for frame in frames].count(True) == 1
