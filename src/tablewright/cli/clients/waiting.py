"""What a run that waits wants to know."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tablewright.domain.run import OpenRequest


class QuestionClient(Protocol):
    """What runs ask, as used by commands."""

    async def waiting(self, conversation_id: str) -> OpenRequest | None:
        """Return the question that the conversation's last run waits to be answered, or None."""
        ...


def open_question(requests: Sequence[OpenRequest]) -> OpenRequest | None:
    """Return the last question that is not answered, or None; what asks for consent is no question."""
    return next((asked for asked in reversed(requests) if asked.kind == "question" and asked.answered_at is None), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """Implements `QuestionClient` with what looks for the open question of a conversation's last run."""

    look: Callable[[str], Awaitable[OpenRequest | None]]

    async def waiting(self, conversation_id: str) -> OpenRequest | None:
        """Return what was found."""
        return await self.look(conversation_id)
