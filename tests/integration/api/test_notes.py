"""Notes over HTTP: their owner's alone, added by hand, listed and deleted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.workflow_face import Face, face_of, workflow_parts

PATH = "/notes"


@pytest.fixture
async def face(tmp_path: Path) -> AsyncIterator[Face]:
    async with face_of(workflow_parts(tmp_path)) as opened:
        yield opened


@pytest.mark.requirement("notes-with-consent")
async def test_notes_are_seen_and_deleted_by_their_owner_alone(face: Face) -> None:
    made = await face.call("ann", "POST", PATH, 201, json={"text": " the year\nbegins  in April "})
    assert (made["text"], made["run_id"]) == ("the year begins in April", None)
    again = await face.call("ann", "POST", PATH, 201, json={"text": "the year begins in April"})
    assert again == made
    for other in ("bob", "boss", "eve", "chief"):
        assert (await face.call(other, "GET", PATH))["items"] == []
        await face.call(other, "DELETE", f"{PATH}/{made['id']}", 404)
    assert (await face.call("ann", "GET", PATH))["items"] == [made]
    await face.call("ann", "DELETE", f"{PATH}/{made['id']}", 204)
    await face.call("ann", "DELETE", f"{PATH}/{made['id']}", 404)
    assert (await face.call("ann", "GET", PATH))["items"] == []


@pytest.mark.parametrize("text", ["", " \n\t", "\u202e", "x" * 10_000, "\x00"])
async def test_what_cannot_be_a_note_is_refused_and_nothing_is_kept(text: str, face: Face) -> None:
    await face.call("ann", "POST", PATH, 422, json={"text": text})
    assert (await face.call("ann", "GET", PATH))["items"] == []


async def test_keys_in_a_note_are_not_kept(face: Face) -> None:
    made = await face.call("ann", "POST", PATH, 201, json={"text": "api_key=abcdef123456 is for exports"})
    assert made["text"] == "api_key=*** is for exports"
