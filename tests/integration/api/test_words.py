"""Words of a tenant over HTTP: told, listed, removed, and known to the next question."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.workflow_face import Face, face_of, workflow_parts

PATH = "/words"


@pytest.fixture
async def face(tmp_path: Path) -> AsyncIterator[Face]:
    async with face_of(workflow_parts(tmp_path)) as opened:
        yield opened


@pytest.mark.requirement("words-are-taught")
async def test_a_word_is_the_tenants_and_is_removed_by_who_added_it(face: Face) -> None:
    made = await face.call("ann", "POST", PATH, 201, json={"phrase": " GMV ", "meaning": "revenue"})
    assert (made["kind"], made["phrase"], made["meaning"], made["found"]) == ("word", "GMV", "revenue", False)
    again = await face.call("bob", "POST", PATH, 201, json={"phrase": "gmv", "meaning": "Revenue"})
    assert again["id"] == made["id"]
    (listed,) = (await face.call("bob", "GET", PATH))["items"]
    assert listed == {name: value for name, value in made.items() if name != "found"}
    await face.call("bob", "DELETE", f"{PATH}/{made['id']}", 403)
    await face.call("ann", "DELETE", f"{PATH}/{made['id']}", 204)
    await face.call("ann", "DELETE", f"{PATH}/{made['id']}", 404)
    assert (await face.call("ann", "GET", PATH))["items"] == []


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    [("x" * 10_000, "revenue"), ("GMV", "r" * 10_000), ("", "x"), ("not", "revenue"), ("a=b", "c"), ("G\x00V", "c")],
)
async def test_words_that_cannot_be_taught_are_refused_and_nothing_is_kept(
    phrase: str, meaning: str, face: Face
) -> None:
    await face.call("ann", "POST", PATH, 422, json={"phrase": phrase, "meaning": meaning})
    assert (await face.call("ann", "GET", PATH))["items"] == []
