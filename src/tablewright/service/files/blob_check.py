"""Looks whether the blobs that rows refer to are there."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound
from tablewright.store.base import BlobStore, Store

CHECKED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class BlobsFound:
    """How many blobs were looked for, and how many of them are missing."""

    checked: int
    missing: int


async def look_for_blobs(store: Store, blobs: BlobStore, system: SystemScope, *, most: int = CHECKED) -> BlobsFound:
    """Look for the blobs of the newest rows, `most` of them at most."""
    referenced = await store.files.referenced(system, most)
    missing = 0
    for tenant, sha256 in referenced:
        try:
            await blobs.path(Scope(tenant=tenant), sha256)
        except NotFound:
            missing += 1
    return BlobsFound(checked=len(referenced), missing=missing)
