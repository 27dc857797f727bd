"""Links by which a conversation is read by whoever has them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tablewright.domain.scope import Scope

ShareState = Literal["open", "expired", "revoked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A link to a conversation as it stood when the link was made: its questions up to the message `through`.

    Of the link's secret only the `sha256` is kept, in hexadecimal.
    """

    id: str
    conversation_id: str
    sha256: str
    through: int
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None = None

    def state(self, now: datetime) -> ShareState:
        """Return whether it opens at `now`, or why it does not."""
        if self.revoked_at is not None:
            return "revoked"
        return "open" if now < self.expires_at else "expired"


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedShare:
    """A link and the owner of its conversation."""

    scope: Scope
    share: Share
