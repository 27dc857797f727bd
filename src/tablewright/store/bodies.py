"""Event bodies as text. Large bodies are stored as blobs, which the text refers to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.domain.artifact import BlobRef
from tablewright.domain.events import EventBody
from tablewright.domain.scope import Scope
from tablewright.errors import InternalError
from tablewright.store.base import BlobStore
from tablewright.store.codec import decode_body, encode_body
from tablewright.store.run_store import Stamped

INLINE_BYTES = 64 * 1024
"""A larger body than this is stored as a blob."""
_REF = '{"blob":"'
_END = '"}'


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBody:
    """The stored text of a body, and the blob that it refers to, if any."""

    text: str
    ref: BlobRef | None = None


class Bodies:
    """Writes and reads event bodies. Without `blobs`, every body is stored in its row."""

    def __init__(self, blobs: BlobStore | None = None) -> None:
        self._blobs = blobs

    async def write(self, scope: Scope, events: Sequence[Stamped]) -> tuple[StoredBody, ...]:
        """Return the stored form of the bodies of `events`; large ones are stored as blobs first.

        Raises `StorageFull`.
        """
        texts = [encode_body(event.body) for event in events]
        return tuple([StoredBody(text=text) if self._fits(text) else await self._put(scope, text) for text in texts])

    def _fits(self, text: str) -> bool:
        return self._blobs is None or len(text) <= INLINE_BYTES // 4 or len(text.encode()) <= INLINE_BYTES

    async def _put(self, scope: Scope, text: str) -> StoredBody:
        if self._blobs is None:
            return StoredBody(text=text)
        ref = await self._blobs.put(scope, text.encode())
        return StoredBody(text=f"{_REF}{ref.sha256}{_END}", ref=ref)

    async def read(self, scope: Scope, text: str) -> EventBody:
        """Return the body for a stored text. Raises `NotFound` if its blob is gone."""
        if not is_elsewhere(text):
            return decode_body(text)
        if self._blobs is None:
            raise InternalError(note="the log refers to blobs, and the store was made without any")
        sha256 = text.removeprefix(_REF).removesuffix(_END)
        whole = b"".join([piece async for piece in self._blobs.open(scope, sha256)])
        return decode_body(whole.decode())


def is_elsewhere(text: str) -> bool:
    """Return whether a body is stored as a blob."""
    return text.startswith(_REF)
