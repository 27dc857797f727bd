"""\"Not this one\" over HTTP: it holds for the next message, of that user alone, and can be taken back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.integration.api.workflows.test_chat import ORDERS, STOCK, conversation, say
from tests.support.workflow_face import Answer, Face, face_of, workflow_parts

SAID = "帮我查订单"
PATH = "/workflows/corrections"


@pytest.fixture
async def face(tmp_path: Path) -> AsyncIterator[Face]:
    async with face_of(workflow_parts(tmp_path)) as opened:
        yield opened


async def started(face: Face, who: str) -> list[Answer]:
    return [frame for frame in await say(face, await conversation(face, who), SAID, who) if frame["workflowUuid"]]


async def test_a_correction_holds_for_the_next_message_of_that_user_alone(face: Face) -> None:
    orders = await face.published("ann", ORDERS, visibility="public")
    stock = await face.published("ann", STOCK, visibility="public")
    made = await face.call("ann", "POST", PATH, 201, json={"message": SAID, "workflow": orders, "wanted": stock})
    assert (made["message"], made["workflow"], made["wanted"]) == (SAID, orders, stock)
    assert (await started(face, "ann"))[-1]["workflowUuid"] == stock
    assert (await started(face, "bob"))[-1]["workflowUuid"] == orders
    assert (await face.call("bob", "GET", PATH))["items"] == []
    await face.call("bob", "DELETE", f"{PATH}/{made['id']}", 404)
    assert (await face.call("ann", "GET", PATH))["items"] == [made]
    await face.call("ann", "DELETE", f"{PATH}/{made['id']}", 204)
    assert (await started(face, "ann"))[-1]["workflowUuid"] == orders


async def test_a_workflow_that_was_refused_is_not_started_again(face: Face) -> None:
    orders = await face.published("ann", ORDERS)
    await face.call("ann", "POST", PATH, 201, json={"message": SAID, "workflow": orders})
    assert orders not in {frame["workflowUuid"] for frame in await started(face, "ann")}


async def test_corrections_that_say_nothing_or_name_what_is_not_seen_are_refused(face: Face) -> None:
    orders = await face.published("ann", ORDERS)
    for body in (
        {"message": SAID},
        {"message": SAID, "workflow": orders, "wanted": orders},
        {"message": SAID, "wanted": "nothing"},
        {"message": "", "workflow": orders},
        {"message": "x" * 4_001, "workflow": orders},
    ):
        await face.call("ann", "POST", PATH, 422, json=body)
    await face.call("bob", "POST", PATH, 422, json={"message": SAID, "workflow": orders})
    await face.call("ann", "GET", f"{PATH}/unknown", 405)
    await face.call("ann", "PUT", PATH, 405, json={})
