"""The scenarios that structured rounds were made for, over real HTTP: as JSON, streamed and step by step; with the
built-in analyst and with a scripted model."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, Literal

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.patience import PATIENCE_S
from tests.support.structured_scenarios import CODE_ID, SALES, SCENARIOS, TABLE, Scenario
from tests.support.structured_wire import check_rounds

URL = "/api/v1/agent/query"
Mode = Literal["json", "stream", "step"]
MODES: tuple[Mode, ...] = ("json", "stream", "step")
JSON = dict[str, Any]


@pytest.fixture
async def endpoint() -> AsyncIterator[FakeOpenAI]:
    async with FakeOpenAI() as opened:
        yield opened


async def asked(http: httpx2.AsyncClient, mode: Mode, **fields: Any) -> list[JSON]:
    """Ask one question in this mode and return the responses of its rounds."""
    if mode == "step":
        bodies: list[JSON] = [await answered(http, **fields, step=True)]
        while bodies[-1]["data"]["metadata"]["status"] == "processing":
            conversation_id = bodies[0]["data"]["conversation_id"]
            bodies.append(await answered(http, conversation_id=conversation_id, step=True))
        return bodies
    if mode == "json":
        return [await answered(http, **fields)]
    got = await http.post(URL, json={**fields, "stream": True})
    assert got.headers["content-type"].startswith("text/event-stream")
    events = [event for event in got.text.split("\n\n") if event.strip() and not event.startswith(":")]
    return [json.loads(event.removeprefix("data: ")) for event in events]


async def answered(http: httpx2.AsyncClient, **fields: Any) -> JSON:
    got = await http.post(URL, json=fields)
    assert got.status_code == 200, got.text
    body: JSON = got.json()
    return body


async def played(http: httpx2.AsyncClient, scenario: Scenario, mode: Mode, endpoint: FakeOpenAI | None) -> list[JSON]:
    """Play a scenario in a new conversation; return the metadata of its reports, with their text as `response`."""
    conversation: JSON = {}
    reports: list[JSON] = []
    code_id = CODE_ID
    for question, answers in zip(scenario.questions, scenario.answers, strict=True):
        if endpoint is not None:
            endpoint.says_each(answer.replace(CODE_ID, code_id) for answer in answers)
        bodies = await asked(http, mode, query=question, **(conversation or {"files": [SALES]}))
        report = check_rounds(bodies, whole=mode == "json")
        conversation = {"conversation_id": bodies[-1]["data"]["conversation_id"]}
        for name in report.get("download_links", ()):
            assert (await http.get(f"/api/v1/files/download/{name}", params=conversation)).status_code == 200
        for code in report.get("saved_codes", ()):
            code_id = code["code_id"]
            kept = (await http.get(f"/api/v1/code/{code_id}")).json()
            assert len(kept["content"]) == code["original_length"]
            assert (await http.get(f"/api/v1/code/{code_id}/download")).text == kept["content"]
        reports.append({**report, "response": bodies[-1]["data"]["response"], **conversation})
    return reports


def logged(commands: Commands, conversation_id: str) -> list[str]:
    """Return what the service did, by the logs of a conversation."""
    folder = commands.folder / "data" / "logs" / "conversations"
    texts = [path.read_text("utf-8") for path in sorted(folder.glob(f"conversation_{conversation_id}_*.jsonl"))]
    lines: list[JSON] = [json.loads(line) for text in texts for line in text.splitlines()]
    return [line["event"] for line in lines if line["type"] == "BackendProcessing"]


@pytest.mark.requirement("structured-scenarios")
async def test_the_scenarios_with_a_scripted_model(commands: Commands, endpoint: FakeOpenAI) -> None:
    commands.environ = {
        "TABLEWRIGHT_MODEL": "openai:gpt-4o-fake",
        "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": endpoint.base_url,
        "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
    }
    conversations: list[str] = []
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        await http.post("/api/v1/files", files={"file": (SALES, TABLE.encode())})
        for mode in MODES:
            rounds, kept_code, chart = [await played(http, scenario, mode, endpoint) for scenario in SCENARIOS]

            assert rounds[0]["response"].startswith("## 销售数据分析报告\n\n### 季度销售额\n- Q1: 500万元\n")
            assert rounds[0]["content_type"] == "markdown"
            assert rounds[0]["recommended_questions"] == ["各产品线的销售贡献如何？", "可以生成可视化图表吗？"]
            (link,) = rounds[0]["download_links"]
            assert link.startswith("quarterly_sales")

            generated, read = kept_code
            (code,) = generated["saved_codes"]
            assert code["description"] == "import pandas as pd"
            assert generated["response"].split("\n\n")[1].startswith("<!-- CODE_SAVED: code_")
            assert "saved_codes" not in read
            conversations.append(read["conversation_id"])

            assert (chart[0]["content_type"], chart[0]["contains_html"]) == ("html", True)
            assert "chart.setOption({title:{text:'季度销售趋势'}" in chart[0]["response"]

    for conversation_id in conversations:
        assert logged(commands, conversation_id) == ["code_saved", "tool_call", "code_retrieved"]
    told = [json.dumps(request.json["messages"], ensure_ascii=False) for request in endpoint.requests]
    assert sum("Q3    580" in words for words in told) == len(MODES), "the model reads what its code printed"
    assert sum("plt.savefig('sales_trend.png')" in words.split("file_reader: done")[-1] for words in told) == len(MODES)


@pytest.mark.requirement("structured-scenarios")
async def test_the_scenarios_with_the_built_in_analyst(commands: Commands) -> None:
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        await http.post("/api/v1/files", files={"file": (SALES, TABLE.encode())})
        texts = dict[str, set[str]]()
        for mode in MODES:
            for scenario in SCENARIOS:
                for question, report in zip(scenario.questions, await played(http, scenario, mode, None), strict=True):
                    assert report["contains_html"] is True
                    assert "620" in report["response"]
                    assert report["recommended_questions"]
                    assert "saved_codes" not in report, "it writes no code into its reports"
                    texts.setdefault(question, set()).add(report["response"])
        assert all(len(same) == 1 for same in texts.values()), "the same report, however it is sent"
