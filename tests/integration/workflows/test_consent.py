"""Nodes that change something ask before they do: requests with an effect, and operations on the workbook."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.support.databases import sqlite_url
from tests.support.scripted_http import Hang, Response, ScriptedServer, json_response
from tests.support.workflow_bench import WorkflowBench, node, workflow

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.data.download import DownloadLimits
from tablewright.data.web.requests import GuardedRequests
from tablewright.domain.events import NodeFinished
from tablewright.domain.plan_file import SheetShape
from tablewright.domain.run import OpenRequest, RequestAnswer, Run
from tablewright.domain.workflow import Workflow
from tablewright.service.runs.runs import Ask
from tablewright.store.sql import SqlStore
from tablewright.workflows.base import NodeServices, WorkbookOutcome
from tablewright.workflows.context_services import ContextServices
from tablewright.workflows.engine import ServicesOf
from tablewright.workflows.memory import MemoryServices
from tablewright.workflows.opening import WORKFLOW, opening


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as running:
        yield running


def services_to(server: ScriptedServer) -> ServicesOf:
    requests = GuardedRequests(DownloadLimits(size_bytes=100_000), admits=lambda address, at: address.is_loopback)

    def services(given: AgentInput, context: AgentContext) -> NodeServices:
        return ContextServices(given, context, requests=requests)

    return services


def sending(server: ScriptedServer, method: str = "POST", **more: Any) -> Workflow:
    request = node("send", "http", url=f"{server.url}/orders", method=method, **more)
    end = node("end", "end", outputs={"got": "{{ send }}", "n": "{{ send.json.n + 1 }}"})
    return workflow([node("start", "start"), request, end], "start > send > end")


async def started(bench: WorkflowBench, flow: Workflow, *, published: bool = False, **more: Any) -> Run:
    conversation = await bench.bench.conversations.create(bench.bench.scope)
    told = opening(flow, {}, published=published)
    ask = Ask(text=flow.name, agent=WORKFLOW, mode="workflow", opening=(told,), **more)
    return await bench.bench.runs.start(bench.bench.scope, conversation.id, ask)


async def decide(bench: WorkflowBench, asked: OpenRequest, decision: str, text: str | None = None) -> None:
    answer = RequestAnswer(decision=decision, text=text)  # type: ignore[arg-type]
    await bench.bench.runs.answer(bench.bench.scope, asked.run_id, asked.id, answer)


async def test_a_request_that_reads_is_sent_at_once_and_its_json_is_used(
    tmp_path: Path, server: ScriptedServer
) -> None:
    server.respond(json_response({"n": 41}))
    bench = WorkflowBench(tmp_path, services=services_to(server))
    flow = sending(server, "GET", query={"q": "茶 & more"}, headers={"x-mine": "{{ 1 + 1 }}"})
    ended = await bench.ended(await started(bench, flow))
    assert ended.answer is not None, ended.failure
    assert ended.answer.outputs["n"] == 42
    (sent,) = server.requests
    assert sent.path == "/orders?q=%E8%8C%B6%20%26%20more" or "q=" in sent.path
    assert sent.headers["x-mine"] == "2"
    assert "idempotency-key" not in sent.headers
    await bench.close()


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_a_request_with_an_effect_waits_for_consent_and_carries_its_key(
    tmp_path: Path, server: ScriptedServer, method: str
) -> None:
    server.respond(json_response({"n": 1}))
    bench = WorkflowBench(tmp_path, services=services_to(server))
    run = await started(bench, sending(server, method, json={"order": "{{ 'A' ~ 1 }}", "count": "{{ 2 }}"}))
    (asked,) = await bench.open_requests(run, 1)
    assert asked.kind == "approval"
    assert method in asked.prompt
    assert '"A1"' in asked.prompt
    await bench.state(run, "waiting")
    assert server.requests == []
    await decide(bench, asked, "approve")
    ended = await bench.state(run, "finished")
    assert ended.outcome == "completed", ended.failure
    (sent,) = server.requests
    assert (sent.method, sent.json) == (method, {"order": "A1", "count": 2})
    assert len(sent.headers["idempotency-key"]) == 32
    await bench.close()


async def test_what_is_rejected_is_not_sent_and_not_tried_again(tmp_path: Path, server: ScriptedServer) -> None:
    bench = WorkflowBench(tmp_path, services=services_to(server))
    flow = sending(server, text="x", retry={"attempts": 3, "backoff_s": 0})
    run = await started(bench, flow)
    (asked,) = await bench.open_requests(run, 1)
    await decide(bench, asked, "reject", "too early")
    ended = await bench.state(run, "finished")
    assert ended.failure is not None
    assert (ended.failure.code, ended.failure.params["detail"]) == ("node_failed", "workflow_rejected")
    assert server.requests == []
    await bench.close()


async def test_consent_is_given_by_who_published_and_by_nobody_else(tmp_path: Path, server: ScriptedServer) -> None:
    server.respond(json_response({"n": 1}), json_response({"n": 1}))
    bench = WorkflowBench(tmp_path, services=services_to(server))
    given = sending(server, text="x", consent="given")
    assert (await bench.ended(await started(bench, given, published=True))).outcome == "completed"
    await bench.open_requests(await started(bench, given), 1)
    await bench.open_requests(await started(bench, sending(server, text="x"), published=True), 1)
    unwatched = await bench.ended(await started(bench, sending(server, text="x"), approvals="auto"))
    assert unwatched.outcome == "completed", unwatched.failure
    assert len(server.requests) == 2
    await bench.close()


async def test_consent_holds_for_another_attempt_of_the_same_under_another_key(
    tmp_path: Path, server: ScriptedServer
) -> None:
    server.respond(json_response({}, status=503), json_response({"n": 1}))
    bench = WorkflowBench(tmp_path, services=services_to(server))
    run = await started(bench, sending(server, text="x", retry={"attempts": 2, "backoff_s": 0}))
    (asked,) = await bench.open_requests(run, 1)
    await decide(bench, asked, "approve")
    assert (await bench.state(run, "finished")).outcome == "completed"
    assert len({sent.headers["idempotency-key"] for sent in server.requests}) == 2
    ends = [event.body for event in await bench.log(run) if isinstance(event.body, NodeFinished)]
    assert [(body.attempt, body.status) for body in ends if body.node_id == "send"] == [(1, "retried"), (2, "ok")]
    await bench.close()


async def test_a_request_whose_process_closed_is_sent_again_under_the_same_key_and_not_asked_for_again(
    tmp_path: Path, server: ScriptedServer
) -> None:
    store = SqlStore(sqlite_url(tmp_path / "store.db"))
    await store.open()
    server.respond(Response(steps=(Hang(),)), json_response({"n": 1}))
    one = WorkflowBench(tmp_path, services=services_to(server), store=store)
    run = await started(one, sending(server, text="x"))
    (asked,) = await one.open_requests(run, 1)
    await decide(one, asked, "approve")
    await server.arrived(1)
    await one.close()
    other = WorkflowBench(tmp_path, services=services_to(server), store=store)
    await other.bench.leases.reap()
    ended = await other.state(run, "finished")
    assert ended.outcome == "completed", ended.failure
    first, second = server.requests
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]
    assert len(await other.bench.runs.requests(other.bench.scope, run.id)) == 1
    await other.close()
    await store.close()


async def test_a_status_of_failure_fails_the_node_unless_any_will_do(tmp_path: Path, server: ScriptedServer) -> None:
    server.respond(json_response({"n": 0}, status=404), json_response({"n": 0}, status=404))
    bench = WorkflowBench(tmp_path, services=services_to(server))
    failed = await bench.ended(await started(bench, sending(server, "GET")))
    assert failed.failure is not None
    assert failed.failure.params["detail"] == "workflow_http_status"
    ended = await bench.ended(await started(bench, sending(server, "GET", any_status=True)))
    assert ended.answer is not None
    assert ended.answer.outputs["got"]["status"] == 404
    await bench.close()


class Books(MemoryServices):
    """Remembers what was done to the workbook."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[Sequence[Mapping[str, Any]]] = []

    async def change_workbook(
        self, steps: Sequence[Mapping[str, Any]], *, key: str, made_for: Sequence[SheetShape] = ()
    ) -> WorkbookOutcome:
        self.done.append(steps)
        return WorkbookOutcome(version=2, changed=1, file={}, round_id="round")


@pytest.mark.parametrize(("function", "asks"), [("highlight_cells", True), ("anything_else", True), ("describe", None)])
async def test_operations_that_change_the_workbook_show_their_plan_and_wait(
    tmp_path: Path, function: str, asks: bool | None
) -> None:
    books = Books()
    bench = WorkflowBench(tmp_path, services=lambda _given, _context: books)
    step = {"function": function, "parameters": {"range": "A1:{{ 'B' }}2"}, "description": "Mark them"}
    flow = workflow(
        [
            node("start", "start"),
            node("mark", "workbook", steps=[step]),
            node("end", "end", text="{{ mark.round_id }}"),
        ],
        "start > mark > end",
    )
    run = await started(bench, flow)
    if asks:
        (asked,) = await bench.open_requests(run, 1)
        assert "Mark them" in asked.prompt
        assert "A1:B2" in asked.prompt
        assert books.done == []
        await decide(bench, asked, "approve")
    ended = await bench.state(run, "finished")
    assert ended.answer is not None, ended.failure
    assert (ended.answer.text, len(books.done)) == ("round", 1)
    await bench.close()
