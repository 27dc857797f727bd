"""Thirty runs of a real language model, small and bad, over the faces of the first agents: the product stays honest.

What the model writes is nonsense and never twice the same; nothing here asks for more than that each run ends clearly,
that no number which it invents goes unmarked, and that the service lives on. The other agents and faces are in
`test_real_model_faces.py`.
"""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from mcp.types import CallToolResult, TextContent
from tests.support.commands import Commands
from tests.support.excel_bench import ExcelClient
from tests.support.honesty import check_run, check_said, unmarked, unnamed
from tests.support.mcp_bench import Heard, over_http
from tests.support.patience import TEST_S
from tests.support.real_model_bench import ASKED, SHEETS, TABLES, WISHED, Language, both, frames_in, serving, upload

pytestmark = [pytest.mark.long, pytest.mark.timeout(2 * TEST_S)]


@pytest.mark.requirement("real-model-honest")
@both
@pytest.mark.parametrize("words", [(), ("--json",)], ids=["shown", "json"])
async def test_questions_on_the_command_line(real: Commands, language: Language, words: tuple[str, ...]) -> None:
    said = await real.run(
        "ask", f"{language}.csv", ASKED[language], "--model", "tiny:smollm2", *words, timeout_s=TEST_S
    )
    check_said(said)
    if words and said.code == 0:
        result = json.loads(said.out)
        known = (ASKED[language], TABLES[language], json.dumps([result["result"], result["charts"]]))
        assert unnamed(result["answer"], result.get("unverified", []), *known) == []


@both
@pytest.mark.parametrize("name", ["tiny:smollm2", "held:smollm2"], ids=["text", "schema"])
async def test_reports_on_the_command_line(real: Commands, language: Language, name: str) -> None:
    out = real.folder / "report.md"
    words = ("report", f"{language}.csv", ASKED[language], "--model", name, "--out", out.name)
    said = await real.run(*words, timeout_s=TEST_S)
    check_said(said)
    assert out.exists() == (said.code == 0), said


@both
async def test_edits_on_the_command_line(real: Commands, language: Language) -> None:
    words = ("edit", f"{language}.csv", WISHED[language], "--model", "tiny:smollm2", "--yes", "--out", "edited.csv")
    before = (real.folder / f"{language}.csv").read_bytes()
    check_said(await real.run(*words, timeout_s=TEST_S))
    assert (real.folder / f"{language}.csv").read_bytes() == before


@both
async def test_runs_over_http_with_their_streams(real: Commands, language: Language) -> None:
    async with serving(real, "tiny:smollm2") as http:
        file_id = await upload(http, language)
        for mode, text in (("auto", ASKED), ("analyze", ASKED), ("report", ASKED)):
            made = (await http.post("/api/v1/conversations", json={"language": language})).json()["id"]
            name = "held:smollm2" if mode == "report" else "tiny:smollm2"
            asked = {"text": text[language], "files": [file_id], "mode": mode, "approvals": "auto", "model": name}
            begun = await http.post(f"/api/v1/conversations/{made}/messages", json=asked)
            assert begun.status_code == 202, begun.text
            run_id = begun.json()["run_id"]
            live = events_in((await http.get(f"/api/v1/runs/{run_id}/events")).text)
            again = events_in((await http.get(f"/api/v1/runs/{run_id}/events")).text)
            assert [event["seq"] for event in live] == list(range(1, len(live) + 1))
            assert live[-1]["type"] == "run.finished"
            assert folded(live) == folded(again)
            check_run((await http.get(f"/api/v1/runs/{run_id}")).json())


def events_in(stream: str) -> list[dict[str, Any]]:
    """Return the bodies of the events of an SSE stream, each with its `seq`."""
    return [{"seq": event["seq"], **event["body"]} for event in frames_in(stream)]


def folded(events: list[dict[str, Any]]) -> tuple[str, str]:
    """Return what a reader has in the end: all text, and the answer."""
    told = "".join(event["text"] for event in events if event["type"] == "text.delta")
    answers = [event["answer"]["text"] for event in events if event["type"] == "answer.completed"]
    return told, "".join(answers)


@pytest.mark.parametrize(("language", "name"), [("en", "held:smollm2"), ("zh", "held:smollm2"), ("en", "tiny:smollm2")])
async def test_structured_queries(real: Commands, language: Language, name: str) -> None:
    async with serving(real, name) as http:
        file_id = await upload(http, language)
        asked = {"query": ASKED[language], "files": [file_id]}
        check_query(await http.post("/api/v1/agent/query", json=asked), ASKED[language])
        if name.startswith("tiny"):
            return
        streamed = await http.post("/api/v1/agent/query", json={**asked, "stream": True})
        assert streamed.status_code == 200, streamed.text
        check_body(frames_in(streamed.text)[-1], ASKED[language])
        answer = await http.post("/api/v1/agent/query", json={**asked, "step": True})
        for _ in range(2):
            check_query(answer, ASKED[language])
            if answer.status_code != 200 or answer.json()["data"]["metadata"]["status"] == "complete":
                break
            on = {"conversation_id": answer.json()["data"]["conversation_id"], "step": True}
            answer = await http.post("/api/v1/agent/query", json=on)


def check_query(got: httpx2.Response, question: str) -> None:
    """A response, or an error that names what the model did: 502 is the wire's word for a model that failed."""
    assert got.status_code < 500 or got.status_code == 502, got.text
    check_body(got.json(), question)
    if got.status_code == 502:
        assert got.json()["error"]["code"] == "answer_unreadable", got.text


def check_body(body: dict[str, Any], question: str) -> None:
    if not body["success"]:
        assert body["error"]["code"] not in {"", "internal_error"}, body
        assert body["error"]["message"].strip()
        return
    data = body["data"]
    if data["metadata"]["status"] == "complete" and not data["metadata"].get("rounds"):
        # no call was made: whatever number is told, the model has invented it
        assert unnamed(data["response"], data["metadata"].get("unverified", []), question) == []


@both
async def test_rounds_on_a_workbook(real: Commands, language: Language) -> None:
    async with serving(real, "tiny:smollm2") as http:
        for place, wish in enumerate((WISHED[language], ASKED[language])):
            excel = ExcelClient(http=http, channel=str(place), language=language, sheets=SHEETS[language])
            got = await excel.post(excel.body(wish))
            assert got.status_code < 500, got.text
            told = got.json()
            assert told.get("message") or told.get("error") or told.get("executionPlan"), told
            if told.get("executionPlan"):
                done = await excel.post(excel.body(wish, continueMultiRound=True, requestId=told["requestId"]))
                assert done.status_code < 500, done.text
            elif told.get("message"):
                large = [number for number in unmarked(told["message"], [], wish) if len(number) > 3]
                assert not [number for number in large if number not in json.dumps(told.get("warnings", []))], told


@both
async def test_calls_over_mcp(real: Commands, language: Language) -> None:
    async with serving(real, "tiny:smollm2") as http:
        file_id = await upload(http, language)
        async with over_http(str(http.base_url).rstrip("/"), Heard()) as session:
            asked = {"question": ASKED[language], "path_or_url": file_id}
            answered = await session.call_tool("analyze_data", asked)
            assert words_of(answered)
            if not answered.is_error:
                check_analysis(answered.structured_content, ASKED[language])
            wanted = {"instruction": WISHED[language], "input_paths": [file_id], "output_path": "made.csv"}
            assert words_of(await session.call_tool("table_operation", wanted))


def words_of(result: CallToolResult) -> str:
    """Return what a call gave in words."""
    return "".join(part.text for part in result.content if isinstance(part, TextContent)).strip()


def check_analysis(told: dict[str, Any], question: str) -> None:
    """Every number of an answer stands in the question, in what the steps put out, or in the note below the answer."""
    *words, last = told["answer"].split("\n\n")
    put_out = json.dumps([told["steps"], told["tables"]], ensure_ascii=False)
    assert [number for number in unmarked("\n\n".join(words), [], question) if number not in last + put_out] == []
