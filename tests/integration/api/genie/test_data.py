"""Files and tables on Genie's wire, and who may reach them."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest
from tests.support.genie_client import CSV, PAGE_ORIGIN, PATH, Serving, driven, failing, items, making_files, upload
from tests.support.parts import FakeParts, one_step
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import Items

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.control import question_or_offer
from tablewright.domain.answer import Answer
from tablewright.domain.codec import to_python
from tablewright.domain.events import AnswerCompleted, TextDelta
from tablewright.domain.offer import OfferedReading
from tablewright.domain.table import Table
from tablewright.models.base import ToolCalled
from tablewright.models.control import ASK_USER


@pytest.mark.requirement("genie-files")
async def test_files_are_looked_at_and_saved_by_their_addresses_without_a_key(serving: Serving) -> None:
    url = await serving(making_files, keyless=False)
    (answer,) = await driven(url, {"query": "Make files.", "headers": {"Authorization": "Bearer tw_ann"}})
    infos = {
        item["resultMap"]["fileInfo"][0]["fileName"]: item["resultMap"]["fileInfo"][0]
        for item in items(answer)
        if item["messageType"] == "file"
    }
    table, page = infos["out.csv"], infos["page.html"]
    assert table["domainUrl"].replace("preview", "download", 1) == table["ossUrl"]
    preview, saved, empty, html, forged = await driven(
        url,
        {"csv": table["domainUrl"]},
        {"get": table["ossUrl"]},
        {"csv": infos["empty.csv"]["domainUrl"]},
        {"get": page["domainUrl"]},
        {"get": table["ossUrl"].replace("/download/", "/download/A")},
    )
    assert preview["rows"] == [
        {"city": "Beijing", "note": "a， b", "n": "7"},
        {"city": "Shanghai", "note": "c", "n": "8"},
    ]
    assert saved["text"].encode() == CSV
    assert saved["headers"]["content-disposition"].startswith("attachment")
    assert empty["rows"] == []
    assert html["headers"]["content-security-policy"].startswith("sandbox ")
    assert "allow-same-origin" not in html["headers"]["content-security-policy"]
    assert forged["status"] == 404


@pytest.mark.requirement("genie-files")
async def test_an_answer_is_also_the_document_that_its_style_asks_for(serving: Serving) -> None:
    url = await serving()
    page, words, table = await driven(
        url, *({"query": "?", "outputStyle": style, "requestId": style} for style in ("html", "docs", "table"))
    )
    assert [file["fileName"] for file in page["attachments"]] == ["report.html"]
    assert [file["fileName"] for file in words["attachments"]] == ["report.md"]
    assert [file["fileName"] for file in table["attachments"]] == ["report.xlsx"]
    seen, saved = await driven(
        url, {"get": page["attachments"][0]["domainUrl"]}, {"get": words["attachments"][0]["ossUrl"]}
    )
    assert "There are 0 rows." in seen["text"]
    assert seen["headers"]["content-type"].startswith("text/html")
    assert seen["headers"]["content-security-policy"].startswith("sandbox ")
    assert "There are 0 rows." in saved["text"]
    assert saved["headers"]["content-disposition"].startswith("attachment")


@pytest.mark.requirement("genie-data")
async def test_tables_are_models_with_columns_and_rows(serving: Serving) -> None:
    url = await serving()
    file_id = await upload(url)
    listed, rows, missing, alive = await driven(
        url,
        {"get": "/data/allModels"},
        {"get": f"/data/previewData?modelCode={file_id}"},
        {"get": "/data/previewData?modelCode=none"},
        {"get": "/web/health"},
    )
    (model,) = json.loads(listed["text"])["data"]
    assert (model["modelCode"], model["modelName"]) == (file_id, "sales.csv")
    assert [column["columnId"] for column in model["schemaList"]] == ["city", "note", "n"]
    data = json.loads(rows["text"])
    assert data["code"] == 200
    assert data["data"]["dataList"][0] == {"city": "Beijing", "note": "a, b", "n": "7"}
    refused = json.loads(missing["text"])
    assert (missing["status"], refused["code"]) == (200, 404)
    assert refused["msg"]
    assert alive["text"] == "ok"


@pytest.mark.requirement("genie-data")
async def test_a_question_about_data_is_thoughts_then_a_table_then_ready(serving: Serving) -> None:
    table = Table(columns=("city", "n"), rows=(("Beijing", 7), ("Shanghai", 8)), total_rows=2)

    async def counting(given: AgentInput, context: AgentContext) -> Items:
        yield TextDelta(text="I ")
        yield TextDelta(text="count.")
        yield AnswerCompleted(answer=Answer(text="Two cities.", outcome="completed", table=table))

    url = await serving(counting)
    await upload(url)
    (answer,) = await driven(url, {"chat": "How many per city?"})
    assert answer["events"][0] == "DEBUG"
    assert answer["events"][-2:] == ["CHART_DATA", "READY"]
    assert set(answer["events"][1:-2]) == {"THINK"}
    assert answer["thoughts"] == "I count.\n\nTwo cities."
    assert answer["charts"] == ["pie"]
    assert not answer["loading"]


@pytest.mark.requirement("genie-data")
async def test_what_is_said_about_data_may_be_small_talk_as_in_other_chats(serving: Serving, tmp_path: Path) -> None:
    url = await serving(FakeParts(folder=tmp_path, script=failing, others={"chat": one_step}))
    (answer,) = await driven(url, {"chat": "你好"})
    assert not answer["failed"]
    assert answer["thoughts"].endswith("There are 0 rows.")


@pytest.mark.requirement("genie-data")
async def test_a_question_about_data_that_fails_or_is_none_is_an_error_and_ready(serving: Serving) -> None:
    url = await serving(failing)
    for answer in await driven(url, {"chat": "?"}, {"chat": " "}, {"chat": None}):
        assert answer["error"] is None
        assert answer["failed"]
        assert answer["events"][-2:] == ["ERROR", "READY"]


@pytest.mark.requirement("genie-strangers")
async def test_without_a_key_nothing_is_asked_and_nothing_is_listed(serving: Serving) -> None:
    url = await serving(keyless=False)
    asked, listed, health = await driven(url, {"query": "?"}, {"get": "/data/allModels"}, {"get": "/web/health"})
    assert asked["conclusion"]
    assert not asked["loading"]
    assert (listed["status"], json.loads(listed["text"])["code"]) == (401, 401)
    assert health["status"] == 200


@pytest.mark.requirement("genie-strangers")
async def test_sessions_and_requests_of_others_are_their_own(serving: Serving) -> None:
    url = await serving(keyless=False)
    ann, bob = (
        {"query": "?", "requestId": "r", "headers": {"Authorization": f"Bearer {key}"}} for key in ("tw_ann", "tw_bob")
    )
    first, second = await driven(url, ann, bob)
    places = [{item["messageId"] for item in items(answer)} for answer in (first, second)]
    assert not places[0] & places[1]


@pytest.mark.requirement("genie-strangers")
async def test_pages_of_the_configured_origins_may_ask_and_their_origin_is_said_back(serving: Serving) -> None:
    url = await serving()
    asks = {"access-control-request-method": "POST", "access-control-request-headers": "content-type,cache-control"}
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        ours = {"origin": PAGE_ORIGIN}
        allowed = await http.request("OPTIONS", PATH, headers={**ours, **asks})
        listed = await http.get("/data/allModels", headers=ours)
        foreign = await http.get("/data/allModels", headers={"origin": "http://evil.example"})
        elsewhere = await http.get("/api/v1/conversations", headers=ours)
    assert allowed.status_code == 204
    for got in (allowed, listed):
        assert got.headers["access-control-allow-origin"] == PAGE_ORIGIN
        assert got.headers["access-control-allow-credentials"] == "true"
    assert {"content-type", "cache-control"} <= set(allowed.headers["access-control-allow-headers"].split(", "))
    assert foreign.status_code == elsewhere.status_code == 403
    assert "access-control-allow-origin" not in foreign.headers
    assert "access-control-allow-origin" not in elsewhere.headers


@pytest.mark.requirement("genie-data")
async def test_what_a_question_about_data_may_mean_is_all_drawn_as_no_message_can_choose(serving: Serving) -> None:
    tables = [Table(columns=("city", "n"), rows=(("Beijing", n), ("Shanghai", 8)), total_rows=2) for n in (7, 9)]
    readings = tuple(OfferedReading(text=f"reading {n}", result=table) for n, table in enumerate(tables))

    async def unsure(given: AgentInput, context: AgentContext) -> Items:
        call = ToolCalled(
            call_id="c",
            name=ASK_USER,
            arguments={
                "question": "Which of these?",
                "options": [each.text for each in readings],
                "readings": [to_python(OfferedReading, each) for each in readings],
            },
        )
        yield question_or_offer(call, given, context.ids)

    url = await serving(unsure)
    await upload(url)
    (answer,) = await driven(url, {"chat": "How many per city?"})
    assert answer["events"][-2:] == ["CHART_DATA", "READY"]
    assert answer["charts"] == ["pie", "pie"]
    assert answer["thoughts"].endswith("Ask again in the words of the one that is meant.")
    assert not answer["loading"]
