"""Schedules over HTTP: made, listed, paused, fired, deleted, and nobody's but their owner's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.workflow_face import Face, face_of, greeting, workflow_parts

WEEKLY = {"when": "every monday 08:00", "time_zone": "Asia/Shanghai"}


@pytest.fixture
async def face(tmp_path: Path) -> AsyncIterator[Face]:
    async with face_of(workflow_parts(tmp_path)) as opened:
        yield opened


async def test_a_schedule_is_made_listed_paused_resumed_and_deleted(face: Face) -> None:
    own_id = await face.published("ann", greeting())
    webhook = {"url": "https://example.org/hook"}
    wanted = {"workflow": "greeting", "inputs": {"name": "Bo"}, "webhook": webhook, **WEEKLY}
    made = await face.call("ann", "POST", "/schedules", 201, json=wanted)
    assert made["workflow_id"] == own_id
    assert (made["name"], made["webhook_url"], made["language"]) == ("The greeting", webhook["url"], "en")
    assert made["secret"].startswith("whsec_")
    assert len(made["next_times"]) == 5
    assert all(time.endswith("T00:00:00Z") for time in made["next_times"])
    (listed,) = (await face.call("ann", "GET", "/schedules"))["items"]
    assert "secret" not in listed
    path = f"/schedules/{made['id']}"
    assert (await face.call("ann", "POST", f"{path}/pause"))["next_times"] == []
    assert (await face.call("ann", "GET", path))["paused"]
    assert len((await face.call("ann", "POST", f"{path}/resume"))["next_times"]) == 5
    await face.call("ann", "DELETE", path, 204)
    assert (await face.call("ann", "GET", "/schedules"))["items"] == []
    assert (await face.error("ann", "GET", path, 404))[0] == "not_found"


async def test_what_is_given_changes_and_the_rest_stays(face: Face) -> None:
    await face.published("ann", greeting())
    webhook = {"url": "https://example.org/hook"}
    wanted = {"workflow": "greeting", "inputs": {"name": "Bo"}, "webhook": webhook, **WEEKLY}
    made = await face.call("ann", "POST", "/schedules", 201, json=wanted)
    path = f"/schedules/{made['id']}"
    changed = await face.call("ann", "PATCH", path, json={"when": "every day 07:00"})
    assert (changed["when"], changed["inputs"], changed["created_at"]) == (
        "every day 07:00", {"name": "Bo"}, made["created_at"],
    )  # fmt: skip
    assert all(time.endswith("T23:00:00Z") for time in changed["next_times"])
    assert (changed["webhook_url"], changed["secret"]) == (webhook["url"], None)
    await face.call("ann", "POST", f"{path}/pause")
    elsewhere = "https://example.org/other"
    other = {"name": "Later", "inputs": {"name": "Cy"}, "webhook": {"url": elsewhere}}
    later = await face.call("ann", "PATCH", path, json=other)
    assert (later["name"], later["inputs"], later["webhook_url"]) == ("Later", {"name": "Cy"}, elsewhere)
    assert (later["paused"], later["next_times"], later["secret"]) == (True, [], None)
    assert (await face.call("ann", "PATCH", path, json={"webhook": None}))["webhook_url"] is None
    again = await face.call("ann", "PATCH", path, json={"webhook": webhook})
    assert again["secret"].startswith("whsec_")
    before = await face.call("ann", "GET", path)
    refused = await face.call("ann", "PATCH", path, 422, json={"when": "every blue moon", "name": "Lost"})
    assert refused["error"]["field"] == "when"
    assert await face.call("ann", "GET", path) == before


async def test_what_is_wrong_is_said_with_its_field_in_the_callers_language(face: Face) -> None:
    await face.published("ann", greeting())
    for wrong, field in (
        ({"when": "every blue moon"}, "when"),
        ({"time_zone": "Mars/Base"}, "time_zone"),
        ({"window_s": -1}, "window_s"),
        ({"files": [{}]}, "files"),
        ({"webhook": {"url": "file:///etc/passwd"}}, "webhook.url"),
        ({"webhook": {"url": "https://example.org", "secret": "abc"}}, "webhook.secret"),
    ):
        sent = {"workflow": "greeting", **WEEKLY, **wrong}
        refused = await face.call("ann", "POST", "/schedules", 422, json=sent, headers={"accept-language": "zh"})
        assert refused["error"]["field"] == field
        assert any(char >= "\u4e00" for char in refused["error"]["message"])
    gone = {"workflow": "nothing", **WEEKLY}
    assert (await face.error("ann", "POST", "/schedules", 404, json=gone))[0] == "workflow_unknown"


@pytest.mark.requirement("schedules-of-others-unseen")
async def test_strangers_see_and_change_nothing(face: Face) -> None:
    private = await face.published("ann", greeting())
    public = await face.published("ann", greeting(name="open"), visibility="public")
    made = await face.call("ann", "POST", "/schedules", 201, json={"workflow": private, **WEEKLY})
    for who in ("bob", "boss", "eve", "chief"):
        assert (await face.call(who, "GET", "/schedules"))["items"] == []
        path = f"/schedules/{made['id']}"
        assert (await face.error(who, "PATCH", path, 404, json={"name": "mine"}))[0] == "not_found"
        for method, where in (("GET", path), ("POST", f"{path}/pause"), ("POST", f"{path}/resume"), ("DELETE", path)):
            assert (await face.error(who, method, where, 404))[0] == "not_found"
        sent = {"workflow": private, **WEEKLY}
        assert (await face.error(who, "POST", "/schedules", 404, json=sent))[0] == "workflow_unknown"
    await face.call("bob", "POST", "/schedules", 201, json={"workflow": public, **WEEKLY})
    assert (await face.error("eve", "POST", "/schedules", 404, json={"workflow": public, **WEEKLY}))[0] == (
        "workflow_unknown"
    )
    assert not (await face.call("ann", "GET", f"/schedules/{made['id']}"))["paused"]


async def test_a_file_of_another_cannot_be_scheduled(face: Face) -> None:
    files = {"file": ("a.csv", b"a,b\n1,2\n", "text/csv")}
    theirs = (await face.call("ann", "POST", "/files", 201, files=files))["id"]
    await face.published("bob", greeting())
    sent = {"workflow": "greeting", "files": [{"id": theirs}], **WEEKLY}
    assert (await face.error("bob", "POST", "/schedules", 404, json=sent))[0] == "not_found"
