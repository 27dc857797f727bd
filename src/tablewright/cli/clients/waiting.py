"""What a run that waits wants to know."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.domain.run import OpenRequest


def open_question(requests: Sequence[OpenRequest]) -> OpenRequest | None:
    """Return the last question that is not answered, or None; what asks for consent is no question."""
    return next((asked for asked in reversed(requests) if asked.kind == "question" and asked.answered_at is None), None)
