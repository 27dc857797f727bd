"""What a scheduled run gave is sent to a webhook: signed, tried again, once, and to public machines only."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.integration.schedules.test_firing import store as store
from tests.support.schedule_bench import ANN, DAY_S, DEFINITION, HOUR_S, ScheduleBench, schedule_bench
from tests.support.scripted_http import Received, Response, ScriptedServer, json_response

from tablewright.domain.workflow.schedules import Firing
from tablewright.service.schedules.runner import HOLD, RETRIES_S
from tablewright.service.schedules.schedules import MadeSchedule
from tablewright.store.base import Store
from tablewright.store.memory import MemoryStore

OK = json_response({})
BROKEN = json_response({}, status=500)


@pytest.fixture
async def receiver() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as server:
        server.otherwise = lambda _: OK
        yield server


@pytest.fixture
async def one(tmp_path: Path) -> AsyncIterator[ScheduleBench]:
    async with schedule_bench(tmp_path, MemoryStore) as opened:
        yield opened


def verified(secret: str | None, request: Received) -> Any:
    """Return the payload of a request whose signature fits, as a receiver would find it."""
    assert secret is not None
    headers = request.headers
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + request.body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    return json.loads(request.body)


async def delivered(bench: ScheduleBench, made: MadeSchedule) -> Firing:
    """Let the schedule fire, its run end, and everything be sent that is to be sent now; return the firing."""
    await bench.pass_time(20 * HOUR_S)
    (firing,) = await bench.firings(made.schedule.id)
    if firing.stage == "watch":
        await bench.ended(firing)
    await bench.tick()
    return (await bench.firings(made.schedule.id))[0]


@pytest.mark.requirement("schedules-webhook-signed")
async def test_the_result_is_signed_and_says_what_came_of_it(one: ScheduleBench, receiver: ScriptedServer) -> None:
    made = await one.made(webhook_url=f"{receiver.url}/hook", inputs={"who": "安"})
    assert made.schedule.webhook is not None
    assert made.secret is not None
    assert made.secret not in made.schedule.webhook.sealed
    firing = await delivered(one, made)
    assert (firing.stage, firing.delivery, firing.status, firing.tries) == ("ended", "delivered", 200, 1)
    (request,) = receiver.requests
    assert (request.method, request.path, request.headers["content-type"]) == ("POST", "/hook", "application/json")
    assert request.headers["webhook-id"] == firing.id
    assert int(request.headers["webhook-timestamp"]) == int(one.clock.now().timestamp())
    told = verified(made.secret, request)
    assert told["type"] == "workflow.run.finished"
    data = told["data"]
    assert (data["outcome"], data["text"], data["outputs"]) == ("completed", "Hello 安", {"who": "安"})
    assert (data["run_id"], data["conversation_id"]) == (firing.id, firing.conversation_id)
    assert (data["schedule_id"], data["due_at"]) == (made.schedule.id, "2026-03-02T08:00:00+00:00")


@pytest.mark.requirement("schedules-webhook-once")
async def test_of_two_servers_one_delivers(
    tmp_path: Path, store: Callable[[], Store], receiver: ScriptedServer
) -> None:
    async with schedule_bench(tmp_path, store, servers=2) as bench:
        made = await bench.made(webhook_url=receiver.url)
        firing = await delivered(bench, made)
        for _ in range(3):
            await bench.pass_time(HOLD.total_seconds())
        assert firing.delivery == "delivered"
        assert [request.headers["webhook-id"] for request in receiver.requests] == [firing.id]


@pytest.mark.requirement("schedules-webhook-once")
async def test_after_an_error_it_is_tried_again_under_the_same_id_with_a_new_time(
    one: ScheduleBench, receiver: ScriptedServer
) -> None:
    receiver.respond(BROKEN, BROKEN)
    made = await one.made(webhook_url=receiver.url)
    firing = await delivered(one, made)
    assert (firing.stage, firing.delivery, firing.status, firing.tries) == ("deliver", "pending", 500, 1)
    await one.pass_time(RETRIES_S[0] - 1)
    assert len(receiver.requests) == 1
    await one.pass_time(1)
    await one.pass_time(RETRIES_S[1])
    assert len(receiver.requests) == 3
    assert {request.headers["webhook-id"] for request in receiver.requests} == {firing.id}
    assert len({request.headers["webhook-timestamp"] for request in receiver.requests}) == 3
    assert len({json.dumps(verified(made.secret, request)) for request in receiver.requests}) == 1
    (firing,) = await one.firings(made.schedule.id)
    assert (firing.delivery, firing.status, firing.tries) == ("delivered", 200, 3)


async def test_it_is_given_up_after_the_last_try(one: ScheduleBench, receiver: ScriptedServer) -> None:
    receiver.otherwise = lambda _: BROKEN
    made = await one.made(webhook_url=receiver.url)
    await delivered(one, made)
    for pause_s in (*RETRIES_S, DAY_S / 2):
        await one.pass_time(pause_s)
    (firing,) = await one.firings(made.schedule.id)
    assert (firing.stage, firing.delivery, firing.tries) == ("ended", "failed", len(RETRIES_S) + 1)
    assert len(receiver.requests) == len(RETRIES_S) + 1


@pytest.mark.parametrize("status", [410, 301])
async def test_gone_ends_it_and_a_redirect_is_not_followed(
    one: ScheduleBench, receiver: ScriptedServer, status: int
) -> None:
    answer = Response(steps=(b"",), status=status, headers={"location": f"{receiver.url}/elsewhere"})
    receiver.otherwise = lambda _: answer
    made = await one.made(webhook_url=receiver.url)
    firing = await delivered(one, made)
    assert firing.status == status
    assert firing.delivery == ("failed" if status == 410 else "pending")
    assert [request.path for request in receiver.requests] == ["/"]


async def test_an_answer_of_any_kind_and_size_counts_as_taken(one: ScheduleBench, receiver: ScriptedServer) -> None:
    kind = {"content-type": "application/octet-stream"}
    receiver.otherwise = lambda _: Response(steps=(b"\0" * 500_000,), status=202, headers=kind)
    firing = await delivered(one, await one.made(webhook_url=receiver.url))
    assert (firing.delivery, firing.status) == ("delivered", 202)


async def test_nothing_is_sent_to_this_machine(tmp_path: Path, receiver: ScriptedServer) -> None:
    async with schedule_bench(tmp_path, MemoryStore, admits=False) as guarded:
        firing = await delivered(guarded, await guarded.made(webhook_url=receiver.url))
        assert (firing.outcome, firing.delivery, firing.tries) == ("completed", "failed", 1)
    assert receiver.requests == []


async def test_a_run_that_could_not_be_started_is_told_too(one: ScheduleBench, receiver: ScriptedServer) -> None:
    workflow = await one.published()
    made = await one.made(workflow=workflow, webhook_url=receiver.url, language="zh")
    await one.app.workflows().definitions.delete(ANN, workflow)
    firing = await delivered(one, made)
    assert (firing.outcome, firing.delivery) == ("refused", "delivered")
    data = verified(made.secret, receiver.requests[0])["data"]
    assert (data["outcome"], data["run_id"], data["failure"]["code"]) == ("refused", None, "workflow_unknown")
    assert "工作流" in data["failure"]["message"]


async def test_a_secret_of_ones_own_signs_and_large_outputs_are_left_out(
    one: ScheduleBench, receiver: ScriptedServer
) -> None:
    secret = "whsec_" + base64.b64encode(b"k" * 24).decode()
    end = {"id": "end", "kind": "end", "text": "done", "outputs": {"all": "{{ inputs.who }}"}}
    own_id = await one.published(DEFINITION | {"nodes": [DEFINITION["nodes"][0], end]})
    made = await one.made(workflow=own_id, webhook_url=receiver.url, secret=secret, inputs={"who": "x" * 90_000})
    assert made.secret == secret
    await delivered(one, made)
    data = verified(secret, receiver.requests[0])["data"]
    assert (data["outputs"], data["outputs_left_out"], data["text"]) == (None, True, "done")


async def test_a_deleted_schedule_delivers_nothing_more(one: ScheduleBench, receiver: ScriptedServer) -> None:
    receiver.respond(BROKEN)
    made = await one.made(webhook_url=receiver.url)
    firing = await delivered(one, made)
    await one.schedules.delete(ANN, made.schedule.id)
    await one.pass_time(HOUR_S)
    assert len(receiver.requests) == 1
    assert (await one.app.runs.get(ANN, firing.id)).outcome == "completed"
