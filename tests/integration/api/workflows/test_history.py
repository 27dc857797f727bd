"""The runs of a workflow over the native face, and the schema of definitions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.workflow_face import Face, asking, face_of, workflow_parts


@pytest.fixture
async def face(tmp_path: Path) -> AsyncIterator[Face]:
    async with face_of(workflow_parts(tmp_path)) as opened:
        yield opened


async def test_runs_are_listed_newest_first_for_who_began_them(face: Face) -> None:
    own_id = await face.published("ann", asking())
    first, second = await face.started("ann", own_id), await face.started("ann", own_id)
    await face.rested("ann", first)
    await face.rested("ann", second)
    page = await face.call("ann", "GET", f"/workflows/{own_id}/runs?limit=1")
    rest = await face.call("ann", "GET", f"/workflows/{own_id}/runs?limit=1&cursor={page['next_cursor']}")
    assert [line["id"] for line in (*page["items"], *rest["items"])] == [second, first]
    line = page["items"][0]
    assert (line["trigger"], line["state"], line["outcome"]) == ("person", "waiting", None)
    assert (await face.error("bob", "GET", f"/workflows/{own_id}/runs", 404))[0] == "not_found"


async def test_a_run_shows_the_definition_that_it_stays_on(face: Face) -> None:
    own_id = await face.published("ann", asking(text="one: {{ who.text }}"))
    run_id = await face.started("ann", own_id)
    await face.call("ann", "PUT", f"/workflows/{own_id}", json={"definition": asking(text="two: {{ who.text }}")})
    await face.call("ann", "POST", f"/workflows/{own_id}/publish")
    shown = await face.call("ann", "GET", f"/runs/{run_id}/workflow")
    assert shown["workflow_id"] == own_id
    assert "one: {{ who.text }}" in str(shown["definition"])
    assert (await face.error("bob", "GET", f"/runs/{run_id}/workflow", 404))[0] == "not_found"


async def test_the_schema_of_definitions_has_every_kind_of_node(face: Face) -> None:
    found = await face.call("ann", "GET", "/workflows/schema")
    kinds = found["properties"]["nodes"]["items"]["discriminator"]["mapping"]
    assert {"start", "end", "condition", "loop", "ask_user", "sub_workflow"} <= kinds.keys()
