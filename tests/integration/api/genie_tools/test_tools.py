"""Tool services: each call is a run, told in the frames that the programs of Genie read."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx2
import pytest
from tests.support.genie_backend import called, got, lines_of, posted
from tests.support.genie_client import Serving, failing
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import Items

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.api.genie_tools import stream
from tablewright.domain.answer import Answer
from tablewright.domain.events import (
    AnswerCompleted,
    ArtifactCreated,
    CodeFinished,
    QuestionAsked,
    StepFinished,
    StepStarted,
    TextDelta,
    TextFinished,
)

TASK = {"requestId": "r-1", "task": "Count the rows.", "stream": True}


async def coding(given: AgentInput, context: AgentContext) -> Items:
    for number in (1, 2):
        step = f"s{number}"
        yield CodeFinished(step_id=step, code=f"print({number})")
        yield StepStarted(step_id=step)
        yield StepFinished(step_id=step, status="ok", elapsed_s=0.1)
    file = await context.artifacts.put("out.csv", "text/csv", b"a,b\n1,2\n")
    yield ArtifactCreated(artifact=file)
    tables = ", ".join(facts.file_name for facts in given.datasets)
    yield AnswerCompleted(answer=Answer(text=f"Two. {tables}".strip(), outcome="completed", files=(file,)))


async def reporting(given: AgentInput, context: AgentContext) -> Items:
    for piece in ("# Sales\n\n", "## North\n\n", "Up 12%."):
        yield TextDelta(text=piece)
    yield TextFinished(text="# Sales\n\n## North\n\nUp 12%.")
    yield AnswerCompleted(answer=Answer(text="# Sales\n\n## North\n\nUp 12%.", outcome="completed"))


@pytest.mark.requirement("genie-tools")
async def test_code_is_told_block_by_block_then_its_output_with_files(serving: Serving) -> None:
    url = await serving(coding)
    frames = await called(url, "code_interpreter", TASK)
    first, second, last = frames
    assert first == {"requestId": "r-1", "code": "print(1)", "fileInfo": [], "isFinal": False}
    assert second["code"] == "print(2)"
    assert (last["codeOutput"], last["isFinal"], last["requestId"]) == ("Two.", True, "r-1")
    (info,) = last["fileInfo"]
    assert (info["fileName"], info["fileSize"]) == ("out.csv", 8)
    assert (await got(info["downloadUrl"])).content == b"a,b\n1,2\n"
    listed = (await posted(url, "/file_tool/get_file_list", {"requestId": "r-1"})).json()
    assert [one["fileName"] for one in listed["results"]] == ["out.csv"]


@pytest.mark.requirement("genie-tools")
async def test_files_are_named_by_name_or_by_the_addresses_that_we_gave(serving: Serving) -> None:
    url = await serving(coding)
    sent = {"requestId": "r-1", "fileName": "in.csv", "description": "", "content": "x\n1\n"}
    address = (await posted(url, "/file_tool/upload_file", sent)).json()["ossUrl"]
    for place in ("in.csv", address):
        frames = await called(url, "code_interpreter", {**TASK, "fileNames": [place]})
        assert frames[-1]["codeOutput"] == "Two. in.csv"
    elsewhere = await called(url, "code_interpreter", {**TASK, "requestId": "r-2", "fileNames": [address]})
    assert elsewhere[-1]["codeOutput"] == "Two. in.csv"


@pytest.mark.requirement("genie-tools")
async def test_what_a_program_sends_as_null_is_not_said(serving: Serving) -> None:
    nothing = {"fileNames": None, "stream": None, "streamMode": None, "originFileNames": None, "fileName": None}
    frames = await called(await serving(coding), "code_interpreter", {**TASK, **nothing})
    assert frames[-1]["isFinal"]


@pytest.mark.requirement("genie-tools")
@pytest.mark.parametrize("place", ["none.csv", "../../etc/passwd", "http://127.0.0.1:1/x.csv", "file:///etc/passwd"])
async def test_what_is_no_file_of_the_session_is_told_and_nothing_private_is_fetched(
    serving: Serving, place: str
) -> None:
    (last,) = await called(await serving(coding), "code_interpreter", {**TASK, "fileNames": [place]})
    assert last["isFinal"] is True
    assert "Two." not in last["codeOutput"]
    assert last["codeOutput"]


@pytest.mark.requirement("genie-tools")
@pytest.mark.parametrize(
    ("kind", "name", "begins"), [("html", "report.html", "<!DOCTYPE html>"), ("markdown", "report.md", "# Sales")]
)
async def test_a_report_is_written_piece_by_piece_then_whole_with_its_file(
    serving: Serving, kind: str, name: str, begins: str
) -> None:
    frames = await called(await serving(reporting), "report", {**TASK, "fileType": kind})
    *deltas, last = frames
    assert "".join(frame["data"] for frame in deltas) == "# Sales\n\n## North\n\nUp 12%."
    assert all(frame["isFinal"] is False for frame in deltas)
    assert last["data"].startswith(begins)
    (info,) = last["fileInfo"]
    assert info["fileName"] == name
    assert (await got(info["domainUrl"])).text == last["data"]


@pytest.mark.requirement("genie-tools")
async def test_slides_are_a_report(serving: Serving) -> None:
    mode = {"mode": "token", "token": 2, "time": 5}
    body = {**TASK, "fileType": "ppt", "fileName": "q3.pptx", "streamMode": mode}
    *_, last = await called(await serving(reporting), "report", body)
    assert last["data"].count("<section") == 2
    assert last["fileInfo"][0]["fileName"] == "q3.html"


@pytest.mark.requirement("genie-tools")
async def test_an_analysis_takes_the_tables_of_its_models(serving: Serving) -> None:
    url = await serving(coding)
    async with httpx2.AsyncClient(base_url=url.removesuffix("/v1"), timeout=PATIENCE_S) as http:
        await http.post("/api/v1/files", files={"file": ("a.csv", b"a\n1\n")})
        (model,) = (await http.get("/data/allModels")).json()["data"]
    body = {"request_id": "r-1", "task": "Look.", "modelCodeList": [model["modelCode"]], "max_steps": 3}
    (last,) = await called(url, "auto_analysis", body)
    assert (last["request_id"], last["data"], last["isFinal"]) == ("r-1", "Two. a.csv", True)
    assert last["file_info"][0]["fileName"] == "out.csv"


@pytest.mark.requirement("genie-tools")
async def test_without_a_stream_the_result_comes_as_json(serving: Serving) -> None:
    reply = (await posted(await serving(coding), "/tool/code_interpreter", {**TASK, "stream": False})).json()
    assert (reply["code"], reply["data"], reply["requestId"]) == (200, "Two.", "r-1")
    assert reply["fileInfo"][0]["fileName"] == "out.csv"


@pytest.mark.requirement("genie-tools")
async def test_a_run_that_fails_or_asks_is_told_in_the_last_frame(serving: Serving, tmp_path: Path) -> None:
    async def asking(given: AgentInput, context: AgentContext) -> Items:
        yield QuestionAsked(request_id=context.ids.new(), prompt="Which year?")

    parts = FakeParts(folder=tmp_path, script=failing, others={"analyze": asking, "report": failing})
    url = await serving(parts)
    (asked,) = await called(url, "code_interpreter", TASK)
    assert "Which year?" in asked["codeOutput"]
    *_, failed = await called(url, "report", TASK)
    assert (failed["isFinal"], failed["fileInfo"]) == (True, [])
    assert failed["data"]
    again = (await posted(url, "/tool/report", {**TASK, "stream": False})).json()
    assert again["code"] == 500


@pytest.mark.requirement("genie-tools")
async def test_calls_of_one_session_take_turns_with_heartbeats_meanwhile(
    serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "HEARTBEAT_S", 0.02)
    first, go_on = asyncio.Event(), asyncio.Event()

    async def held(given: AgentInput, context: AgentContext) -> Items:
        first.set()
        await go_on.wait()
        yield AnswerCompleted(answer=Answer(text=given.question, outcome="completed"))

    url = await serving(held)
    one = asyncio.create_task(posted(url, "/tool/code_interpreter", {**TASK, "task": "first"}))
    async with asyncio.timeout(PATIENCE_S):
        await first.wait()
        async with (
            httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
            http.stream("POST", "/tool/code_interpreter", json={**TASK, "task": "second"}) as streamed,
        ):
            seen = ""
            async for piece in streamed.aiter_text():
                seen += piece
                if "data: heartbeat\n\n" in seen:
                    go_on.set()
    for text, said in (((await one).text, '"first"'), (seen, '"second"')):
        told = [line for line in lines_of(text) if line != "heartbeat"]  # one may come after the last frame
        assert said in told[-2]


@pytest.mark.requirement("genie-tools")
async def test_a_call_whose_client_leaves_is_stopped(serving: Serving) -> None:
    working, stopped = asyncio.Event(), asyncio.Event()

    async def endless(given: AgentInput, context: AgentContext) -> Items:
        try:
            yield CodeFinished(step_id="s", code="while True: pass")
            yield StepStarted(step_id="s")
            working.set()
            await asyncio.Event().wait()
        finally:
            stopped.set()

    url = await serving(endless)
    async with asyncio.timeout(PATIENCE_S):
        async with (
            httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
            http.stream("POST", "/tool/code_interpreter", json=TASK) as streamed,
        ):
            await anext(aiter(streamed.aiter_text()))
            await working.wait()
        await stopped.wait()


@pytest.mark.requirement("genie-tools")
@pytest.mark.parametrize(
    "body", [{}, {"requestId": "r"}, {**TASK, "task": ""}, {**TASK, "fileType": "docx"}, {**TASK, "fileNames": "a"}]
)
async def test_a_request_that_cannot_be_used_is_told_before_anything_begins(
    serving: Serving, body: dict[str, object]
) -> None:
    reply = await posted(await serving(coding), "/tool/report", body)
    assert reply.status_code == 400
    assert reply.json()["error"]["code"] == "invalid_input"
