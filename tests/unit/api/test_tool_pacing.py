from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tablewright.api.genie_tools.pacing import PaceMode, Pacing

START = datetime(2026, 1, 1, tzinfo=UTC)


def sent(mode: PaceMode, *, pieces: int = 2, seconds: float = 5.0) -> list[str]:
    pacing = Pacing(mode=mode, pieces=pieces, seconds=seconds)
    made = [pacing.take(word, START + timedelta(seconds=3 * place)) for place, word in enumerate("abcde")]
    return [*made, pacing.rest()]


def test_each_piece_is_sent_as_it_comes() -> None:
    assert sent("general") == ["a", "b", "c", "d", "e", ""]


def test_pieces_are_counted() -> None:
    assert sent("token") == ["", "ab", "", "cd", "", "e"]


def test_pieces_wait_for_some_seconds() -> None:
    assert sent("time") == ["", "", "abc", "", "", "de"]
