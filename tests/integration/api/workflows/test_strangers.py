"""Attacks: nobody sees, runs, changes or resumes another's workflow, and nothing crosses tenants."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.workflow_face import Face, around, asking, face_of, greeting, workflow_parts

STRANGERS = ("bob", "boss", "eve", "chief")


@pytest.fixture
async def face(tmp_path: Path) -> AsyncIterator[Face]:
    async with face_of(workflow_parts(tmp_path)) as opened:
        yield opened


@pytest.mark.requirement("workflows-of-others-unseen")
async def test_a_private_workflow_is_not_there_for_anybody_else(face: Face) -> None:
    own_id = await face.published("ann", greeting("secret"))
    for who in STRANGERS:
        assert (await face.call(who, "GET", "/workflows"))["items"] == []
        for name in (own_id, "greeting"):
            for method, path in (
                ("GET", f"/workflows/{name}"),
                ("GET", f"/workflows/{name}/export"),
                ("PUT", f"/workflows/{name}"),
                ("DELETE", f"/workflows/{name}"),
                ("POST", f"/workflows/{name}/publish"),
                ("POST", f"/workflows/{name}/validate"),
                ("POST", f"/workflows/{name}/run"),
            ):
                body = {"json": {"visibility": "public"}} if method == "PUT" else {}
                code, message = await face.error(who, method, path, 404, **body)
                assert code in {"not_found", "workflow_unknown"}
                assert "secret" not in message
    assert (await face.call("ann", "GET", f"/workflows/{own_id}"))["visibility"] == "private"


@pytest.mark.requirement("workflows-of-others-unseen")
async def test_a_public_workflow_is_run_by_the_tenant_and_changed_by_its_owner_alone(face: Face) -> None:
    own_id = await face.published("ann", greeting("shared"), visibility="public")
    await face.call("ann", "PUT", f"/workflows/{own_id}", json={"definition": greeting("not yet")})
    seen = await face.call("bob", "GET", f"/workflows/{own_id}")
    assert (seen["mine"], seen["revision"], seen["versions"]) == (False, None, [])
    assert "not yet" not in str(seen)
    assert "shared" in str(seen)
    run = await face.rested("bob", await face.started("bob", own_id))
    assert run["answer"]["text"] == "shared"
    for who in ("bob", "boss"):
        for method, path in (("PUT", ""), ("DELETE", ""), ("POST", "/publish"), ("POST", "/validate")):
            body: dict[str, Any] = {"json": {}} if method == "PUT" else {}
            await face.error(who, method, f"/workflows/{own_id}{path}", 404, **body)
    for who in ("eve", "chief"):
        assert (await face.call(who, "GET", "/workflows"))["items"] == []
        await face.error(who, "POST", f"/workflows/{own_id}/run", 404)


async def test_a_workflow_that_is_private_again_is_gone_for_others_at_once(face: Face) -> None:
    own_id = await face.published("ann", greeting(), visibility="public")
    assert len((await face.call("bob", "GET", "/workflows"))["items"]) == 1
    await face.call("ann", "PUT", f"/workflows/{own_id}", json={"visibility": "private"})
    assert (await face.call("bob", "GET", "/workflows"))["items"] == []
    await face.error("bob", "POST", f"/workflows/{own_id}/run", 404)


@pytest.mark.requirement("workflows-of-others-unseen")
async def test_another_tenants_run_of_a_workflow_is_neither_seen_nor_answered(face: Face) -> None:
    run_id = await face.started("ann", await face.published("ann", asking()))
    request = (await face.rested("ann", run_id))["requests"][0]["id"]
    for who in STRANGERS:
        await face.error(who, "GET", f"/runs/{run_id}", 404)
        answer = {"decision": "answer", "text": "mine"}
        await face.error(who, "POST", f"/runs/{run_id}/requests/{request}", 404, json=answer)
        await face.error(who, "POST", f"/runs/{run_id}/cancel", 404)
    assert (await face.rested("ann", run_id))["state"] == "waiting"


@pytest.mark.requirement("workflows-of-others-unseen")
async def test_a_stranger_cannot_have_another_run_a_workflow_as_part_of_an_own_one(face: Face) -> None:
    secret = await face.published("ann", greeting("secret"))
    for who in ("bob", "eve"):
        own_id = await face.kept(who, around(secret))
        code, message = await face.error(who, "POST", f"/workflows/{own_id}/publish", 422)
        assert code == "workflow_invalid"
        assert secret in message
    shared = await face.published("ann", greeting("shared", "sharing"), visibility="public")
    outer = await face.published("bob", around(shared))
    await face.call("ann", "PUT", f"/workflows/{shared}", json={"visibility": "private"})
    run = await face.rested("bob", await face.started("bob", outer))
    assert (run["outcome"], run["failure"]["code"]) == ("failed", "node_failed")


async def test_a_public_workflow_has_no_private_parts(face: Face) -> None:
    part = await face.published("ann", greeting())
    outer = await face.kept("ann", around(part), visibility="public")
    code, message = await face.error("ann", "POST", f"/workflows/{outer}/publish", 422)
    assert code == "workflow_invalid"
    assert "private" in message
    await face.call("ann", "PUT", f"/workflows/{outer}", json={"visibility": "private"})
    await face.call("ann", "POST", f"/workflows/{outer}/publish")
    change = {"visibility": "public"}
    assert (await face.error("ann", "PUT", f"/workflows/{outer}", 422, json=change))[0] == "workflow_invalid"
    await face.call("ann", "PUT", f"/workflows/{part}", json=change)
    await face.call("ann", "PUT", f"/workflows/{outer}", json=change)
    run = await face.rested("bob", await face.started("bob", outer))
    assert run["answer"]["text"] == "(Hello you)"


async def test_nobody_puts_a_workflow_in_the_place_of_a_template(face: Face) -> None:
    await face.published("ann", greeting("not an order", "order_query"), visibility="public")
    for who in ("ann", "bob"):
        run = await face.rested(who, await face.started(who, "order_query"))
        assert "订单号" in run["requests"][0]["prompt"]
