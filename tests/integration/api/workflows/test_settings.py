"""Who answers when no workflow fits, and the toggle, by user, tenant and system."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.workflow_face import Face, face_of, greeting, workflow_parts


@pytest.fixture
async def face(tmp_path: Path) -> AsyncIterator[Face]:
    async with face_of(workflow_parts(tmp_path)) as opened:
        yield opened


async def choose(face: Face, who: str, status: int = 200, **choices: Any) -> dict[str, Any]:
    return await face.call(who, "PUT", "/workflows/settings", status, json=choices)


async def effective(face: Face, who: str) -> tuple[bool, str | None, str | None]:
    found = (await face.call(who, "GET", "/workflows/settings"))["effective"]
    return found["enabled"], found["workflow"], found["level"]


async def test_everybody_is_told_for_whom_they_may_choose(face: Face) -> None:
    for who, levels in (("ann", ["user"]), ("boss", ["user", "tenant", "system"]), ("chief", ["user", "tenant"])):
        assert (await face.call(who, "GET", "/workflows/settings"))["own"] == levels


@pytest.mark.requirement("workflow-settings-by-level")
async def test_the_fallback_of_a_user_goes_before_the_defaults(face: Face) -> None:
    assert await effective(face, "ann") == (True, "builtin", "builtin")
    await choose(face, "boss", system={"default": "order_query"})
    assert await effective(face, "eve") == await effective(face, "ann") == (True, "order_query", "system")
    shared = await face.published("boss", greeting(), visibility="public")
    await choose(face, "boss", tenant={"default": shared})
    assert await effective(face, "ann") == (True, shared, "tenant")
    assert await effective(face, "eve") == (True, "order_query", "system")
    mine = await face.published("ann", greeting(name="mine"))
    await choose(face, "ann", fallback=mine)
    assert await effective(face, "ann") == (True, mine, "user")
    assert await effective(face, "bob") == (True, shared, "tenant")


async def test_a_choice_whose_workflow_is_gone_counts_as_none(face: Face) -> None:
    mine = await face.published("ann", greeting())
    await choose(face, "ann", fallback=mine)
    await face.call("ann", "DELETE", f"/workflows/{mine}", 204)
    assert await effective(face, "ann") == (True, "builtin", "builtin")


@pytest.mark.requirement("workflow-settings-by-level")
async def test_operators_may_remove_the_built_in_default(face: Face) -> None:
    await choose(face, "boss", system={"default": "none"})
    assert await effective(face, "ann") == (True, None, None)
    await choose(face, "chief", tenant={"default": "builtin"})
    assert await effective(face, "eve") == (True, "builtin", "tenant")
    await choose(face, "ann", fallback="order_query")
    assert await effective(face, "ann") == (True, "order_query", "user")


@pytest.mark.requirement("workflow-settings-by-level")
async def test_the_toggle_is_that_of_the_user_the_tenant_or_the_system_and_holds_at_once(face: Face) -> None:
    await choose(face, "boss", system={"enabled": False})
    assert [(await effective(face, who))[0] for who in ("ann", "eve")] == [False, False]
    await choose(face, "chief", tenant={"enabled": True})
    assert [(await effective(face, who))[0] for who in ("ann", "eve")] == [False, True]
    await choose(face, "eve", enabled=False)
    assert [(await effective(face, who))[0] for who in ("eve", "chief")] == [False, True]
    kept = await choose(face, "eve", fallback="order_query")
    assert (kept["enabled"], kept["fallback"]) == (False, "order_query")
    await choose(face, "eve", enabled=None)
    assert (await effective(face, "eve"))[0] is True


async def test_the_setting_of_the_installation_holds_where_nobody_says_otherwise(tmp_path: Path) -> None:
    async with face_of(workflow_parts(tmp_path, workflows_enabled=False)) as face:
        assert (await effective(face, "ann"))[0] is False
        await choose(face, "ann", enabled=True)
        assert [(await effective(face, who))[0] for who in ("ann", "bob")] == [True, False]


@pytest.mark.requirement("workflow-settings-by-level")
async def test_only_operators_choose_for_all_and_only_those_of_the_installation_for_every_tenant(face: Face) -> None:
    for who, level in (("ann", "tenant"), ("ann", "system"), ("chief", "system"), ("eve", "tenant")):
        change = {level: {"enabled": False}}
        assert (await face.error(who, "PUT", "/workflows/settings", 403, json=change))[0] == "forbidden"
    assert [(await effective(face, who))[0] for who in ("ann", "eve")] == [True, True]


async def test_nothing_of_a_request_is_done_where_part_of_it_is_refused(face: Face) -> None:
    await choose(face, "boss", 422, system={"enabled": False}, fallback="nothing")
    await choose(face, "ann", 403, fallback="order_query", tenant={"enabled": False})
    assert await effective(face, "ann") == (True, "builtin", "builtin")


async def test_a_choice_must_be_there_for_all_whom_it_concerns(face: Face) -> None:
    private = await face.published("boss", greeting())
    public = await face.published("boss", greeting(name="other"), visibility="public")
    for change in (
        {"fallback": "nothing"},
        {"fallback": "none"},
        {"tenant": {"default": private}},
        {"system": {"default": public}},
    ):
        assert (await face.error("boss", "PUT", "/workflows/settings", 422, json=change))[0] == "invalid_input"
    await choose(face, "boss", fallback=private, tenant={"default": public})
    assert (await face.error("eve", "PUT", "/workflows/settings", 422, json={"fallback": public}))[0] == "invalid_input"
