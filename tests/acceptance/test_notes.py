"""`tablewright notes`: added, listed and deleted."""

from __future__ import annotations

import json

import pytest
from tests.support.commands import Commands


@pytest.mark.requirement("notes-with-consent")
async def test_notes_are_added_listed_and_deleted(commands: Commands) -> None:
    added = await commands.run("notes", "add", "our year begins in April", "refunds are negative")
    assert (added.code, len(added.out.splitlines())) == (0, 2), added.err
    listed = json.loads((await commands.run("notes", "list", "--json")).out)
    assert [note["text"] for note in listed] == ["our year begins in April", "refunds are negative"]
    deleted = await commands.run("notes", "delete", listed[0]["id"])
    assert deleted.code == 0
    left = (await commands.run("notes", "list")).out
    assert ("refunds" in left, "April" in left) == (True, False)
    unknown = await commands.run("notes", "delete", "nothing")
    assert unknown.code != 0
    assert "nothing" in unknown.err
