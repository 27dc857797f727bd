"""What a note is, and how much of notes a model is told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tablewright.domain.note import LONGEST_NOTE, TOLD_CHARS, Note, note_id, note_text, told_notes
from tablewright.domain.scope import Scope
from tablewright.errors import InvalidInput

ANN = Scope(tenant="acme", owner="ann")


def test_a_note_is_one_line_without_what_hides_or_opens_something() -> None:
    assert note_text(" sales\r\nare \u202enet\x00\x1b[31m ") == "sales are net [31m"
    assert note_text("Bearer abcdefgh") == "Bearer ***"
    assert note_text("x" * LONGEST_NOTE) == "x" * LONGEST_NOTE


@pytest.mark.parametrize("text", ["", "\u200b\n", "x" * (LONGEST_NOTE + 1)])
def test_what_is_empty_or_too_long_is_no_note(text: str) -> None:
    with pytest.raises(InvalidInput):
        note_text(text)


def test_the_newest_notes_are_told_within_the_budget_in_their_order() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    notes = [Note(id=str(n), text=f"{n:03} " + "x" * 396, created_at=at) for n in range(30)]
    told = told_notes(notes)
    assert [text[:3] for text in told] == [f"{n:03}" for n in range(20, 30)]
    assert sum(map(len, told)) <= TOLD_CHARS
    assert told_notes([]) == ()


def test_the_same_text_is_the_same_note_of_one_owner_only() -> None:
    ids = [note_id(scope, "a") for scope in (ANN, ANN, Scope(tenant="acme", owner="bob"), Scope(tenant="b"))]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3
