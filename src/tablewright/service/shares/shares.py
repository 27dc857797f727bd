"""Make, list, revoke and open links by which a conversation is read."""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from hmac import compare_digest

from tablewright.domain.ids import Clock, Ids
from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.share import Share, ShareState
from tablewright.errors import Conflict, Forbidden, InvalidInput, NotFound, ShareUnknown
from tablewright.service.shares.shared import SharedConversation, SharedReader
from tablewright.store.base import BlobStore, Store

SECRET_BYTES = 32
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
"""What a token looks like: `SECRET_BYTES` as base64 for addresses."""
MOST = 20
"""How many open links a conversation may have."""
KEPT = timedelta(days=30)
"""How long a link that is closed is still listed."""
AT_ONCE = 4
"""How many conversations are read by links at the same time; the others wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareTerms:
    """How many days a link is open unless its maker says otherwise, and at most; without `most`, there are none."""

    days: int = 7
    most: int = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeShare:
    """A new link, and the token that opens it, which is told this once."""

    share: Share
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareView:
    """A link, and whether it opens."""

    share: Share
    state: ShareState


class Shares:
    """The use cases of links. Another owner's conversation or link is `NotFound`."""

    def __init__(
        self,
        store: Store,
        blobs: BlobStore,
        clock: Clock,
        ids: Ids,
        system: SystemScope,
        terms: ShareTerms | None = None,
    ) -> None:
        self._store = store
        self._reader = SharedReader(store, blobs)
        self._clock = clock
        self._ids = ids
        self._system = system
        self._terms = terms or ShareTerms()
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def make(self, scope: Scope, conversation_id: str, *, days: int | None = None) -> MadeShare:
        """Make a link to a conversation as it stands, open for so many days.

        Raises `NotFound`, `Forbidden` where there are no links, `InvalidInput` for the days, and `Conflict` if nothing
        was said yet or there are too many.
        """
        lifetime = self._lifetime(days)
        last = await self._store.conversations.latest_messages(scope, conversation_id, 1)
        if not last:
            raise Conflict("share_empty")
        now = self._clock.now()
        known = await self._store.shares.all(scope, conversation_id)
        if sum(share.state(now) == "open" for share in known) >= MOST:
            raise Conflict("share_most", limit=MOST)
        token = secrets.token_urlsafe(SECRET_BYTES)
        share = Share(
            id=self._ids.new(),
            conversation_id=conversation_id,
            sha256=_digest(token),
            through=last[-1].ordinal,
            created_at=now,
            expires_at=now + lifetime,
        )
        await self._store.shares.add(scope, share)
        return MadeShare(share=share, token=token)

    async def list(self, scope: Scope, conversation_id: str | None = None) -> tuple[ShareView, ...]:
        """Return the links to a conversation, or all the caller's, newest first; closed ones for `KEPT`."""
        return tuple(map(self._view, await self._store.shares.all(scope, conversation_id)))

    async def revoke(self, scope: Scope, share_id: str) -> ShareView:
        """Close a link for good, at once."""
        return self._view(await self._store.shares.revoke(scope, share_id, at=self._clock.now()))

    async def open(self, token: str) -> SharedConversation:
        """Return what the link with this token shows.

        Raises `ShareUnknown` alike for a token that is wrong, of a link that has expired or was revoked, or of a
        conversation that is gone.
        """
        if not self._terms.most or TOKEN.fullmatch(token) is None:
            raise ShareUnknown
        digest = _digest(token)
        async with self._turns:
            found = await self._store.shares.find(self._system, digest)
            if found is None or not compare_digest(found.share.sha256, digest):
                raise ShareUnknown
            if found.share.state(self._clock.now()) != "open":
                raise ShareUnknown
            try:
                return await self._reader.read(found.scope, found.share)
            except NotFound as gone:
                raise ShareUnknown from gone

    async def forget(self) -> int:
        """Remove links that were closed longer than `KEPT` ago; return how many."""
        return await self._store.shares.forget(self._system, before=self._clock.now() - KEPT)

    def _lifetime(self, days: int | None) -> timedelta:
        most = self._terms.most
        if not most:
            raise Forbidden("shares_off")
        wanted = min(self._terms.days, most) if days is None else days
        if not 1 <= wanted <= most:
            raise InvalidInput("share_lifetime", field="days", most=most)
        return timedelta(days=wanted)

    def _view(self, share: Share) -> ShareView:
        return ShareView(share=share, state=share.state(self._clock.now()))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
