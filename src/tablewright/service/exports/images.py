"""Figures of runs."""

from __future__ import annotations

from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.store.base import BlobStore, Store

IMAGE_BYTES = 2 * 1024**2


async def png_of(store: Store, blobs: BlobStore, scope: Scope, image: str) -> bytes:
    """Return the bytes of a figure; empty if it is larger than `IMAGE_BYTES`, not a PNG, or deleted since."""
    try:
        file = await store.files.get(scope, image)
        if file.mime != "image/png" or file.size_bytes > IMAGE_BYTES:
            return b""
        return b"".join([piece async for piece in blobs.open(scope, file.sha256)])
    except NotFound:
        return b""
