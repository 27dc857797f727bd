"""The HTTP client against the real API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from asgi_lifespan import LifespanManager
from tests.support.offers import OPTIONS, QUESTION, ROWS, regions_sandbox, unsure_analyst
from tests.support.parts import FakeParts
from tests.support.patience import found

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.cli.clients.base import Client, Question, WorkflowStart
from tablewright.cli.clients.http import open_remote
from tablewright.cli.clients.refusals import RemoteSaid
from tablewright.domain.events import AnswerCompleted, QuestionAsked, RunFinished
from tablewright.domain.run import RequestAnswer
from tablewright.errors import ModelUnknown
from tablewright.models.base import BUILTIN
from tablewright.models.catalogue import Models
from tablewright.service.api_keys import ApiKeys


@pytest.fixture
async def remote(tmp_path: Path) -> AsyncIterator[Client]:
    """Return a client of a running application."""
    async with reaching(FakeParts(folder=tmp_path)) as client:
        yield client


@asynccontextmanager
async def reaching(parts: FakeParts) -> AsyncIterator[Client]:
    """Return a client of an application on these parts."""
    api = create_api(parts.opening(), Access(keyless=True, read_key=ApiKeys(parts.folder).scope_of))
    async with LifespanManager(api) as running:
        transport = httpx2.ASGITransport(app=running.app)
        async with open_remote("http://localhost:8787/", key=None, language="zh", transport=transport) as client:
            yield client


async def test_a_file_is_given_asked_about_listed_fetched_and_deleted(remote: Client, tmp_path: Path) -> None:
    path = tmp_path / "销售.csv"
    path.write_text("a\n1\n2\n", encoding="utf-8")
    conversation = await remote.start_conversation("t", "zh")
    file = await remote.upload(path, conversation.id)
    run_id = await remote.ask(conversation.id, Question(text="多少行？", file_ids=(file.id,), language="zh"))
    bodies = [event.body async for event in remote.follow(run_id)]
    assert isinstance(bodies[-1], RunFinished)
    assert any(isinstance(body, AnswerCompleted) and body.answer.text == "There are 2 rows." for body in bodies)
    assert [known.name for known in await remote.files()] == ["销售.csv"]
    assert b"".join([piece async for piece in remote.download(file.id)]) == path.read_bytes()
    script = await remote.export(run_id, "export.py")
    assert script.startswith("# 多少行？".encode())
    assert await remote.export(conversation.id, "export.py") == script
    assert (await remote.export(conversation.id, "export.ipynb")).startswith(b"{")
    page = await remote.export(conversation.id, "export.html")
    assert page.startswith(b"<!doctype html>")
    assert b"There are 2 rows." in page
    assert await remote.cancel(run_id)
    await remote.delete_file(file.id)
    assert await remote.files() == ()


async def test_offered_readings_are_told_and_chosen_from_afar(tmp_path: Path) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("line\nEast\nWest\n", encoding="utf-8")
    parts = FakeParts(
        folder=tmp_path / "data",
        script=CodeAnalyst().run,
        running=await regions_sandbox(),
        models=Models({BUILTIN: unsure_analyst()}),
    )
    async with reaching(parts) as remote:
        conversation = await remote.start_conversation("t", "en")
        assert await remote.questions.waiting(conversation.id) is None
        file = await remote.upload(path, conversation.id)
        run_id = await remote.ask(conversation.id, Question(text=QUESTION, file_ids=(file.id,), language="en"))
        request = await found(lambda: remote.questions.waiting(conversation.id))
        assert (request.run_id, request.options) == (run_id, OPTIONS)
        await remote.answer(run_id, request.id, RequestAnswer(decision="answer", text="2"))
        bodies = [event.body async for event in remote.follow(run_id)]  # the transport gives a stream once it has ended
        (question,) = (body for body in bodies if isinstance(body, QuestionAsked))
        assert [reading.text for reading in question.readings] == ["orders in East", "orders in West"]
        (ended,) = (body.answer for body in bodies if isinstance(body, AnswerCompleted))
        assert ended.result is not None
        assert ended.result.rows == ((ROWS["West"],),)


async def test_a_model_is_known_or_not_before_anything_is_given(remote: Client) -> None:
    await remote.check_model(None)
    await remote.check_model("builtin")
    with pytest.raises(ModelUnknown) as raised:
        await remote.check_model("bultin")
    assert raised.value.params["known"] == "builtin"


async def test_what_the_service_refuses_is_told_in_its_words(remote: Client) -> None:
    with pytest.raises(RemoteSaid):
        await remote.export("none", "export.py")
    with pytest.raises(RemoteSaid) as raised:
        await remote.conversation("none")
    assert "没有" in str(raised.value.params["message"])


async def test_workflows_are_kept_checked_published_listed_and_run_from_afar(remote: Client) -> None:
    flow = {
        "id": "greeting",
        "name": "Greeting",
        "nodes": [{"id": "start", "kind": "start"}, {"id": "end", "kind": "end", "text": "Hi"}],
    }
    faults = await remote.workflows.check(flow, "zh")
    assert any("之后没有边" in fault for fault in faults)
    draft = await remote.workflows.keep(flow, "zh", public=False)
    assert draft.faults == faults
    with pytest.raises(RemoteSaid) as raised:
        await remote.workflows.publish("greeting", "zh")
    assert raised.value.params["remote_code"] == "workflow_invalid"
    whole = flow | {"edges": [{"source": "start", "target": "end"}]}
    again = await remote.workflows.keep(whole, "zh", public=True)
    assert (again.id, again.revision, again.faults) == (draft.id, 2, ())
    assert await remote.workflows.publish("greeting", "zh") == 1
    (line,) = await remote.workflows.list()
    assert (line.id, line.visibility, line.published, line.mine) == (draft.id, "public", 1, True)
    assert await remote.workflows.file("greeting") == whole
    conversation = await remote.start_conversation("t", "zh")
    start = WorkflowStart(inputs={}, conversation_id=conversation.id, file_ids=(), language="zh")
    run_id = await remote.workflows.run("greeting", start)
    assert [event.body async for event in remote.follow(run_id)][-1].type == "run.finished"
