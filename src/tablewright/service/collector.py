"""Removes blobs that nothing stands on any more."""

from __future__ import annotations

import logging
from datetime import timedelta

from tablewright.domain.ids import Clock
from tablewright.domain.scope import SystemScope
from tablewright.store.base import BlobStore, Store

GRACE = timedelta(hours=1)
"""How long a blob may be without a row: between its arrival and the row that stands on it, or after that has gone,
while a run still reads it."""
PORTION = 500

log = logging.getLogger(__name__)


class Collector:
    """To be run from time to time by one process or several."""

    def __init__(self, store: Store, blobs: BlobStore, clock: Clock, system: SystemScope) -> None:
        self._store = store
        self._blobs = blobs
        self._clock = clock
        self._system = system

    async def collect(self) -> int:
        """Remove what was put more than `GRACE` ago and has no row; return how many blobs went."""
        before = self._clock.now() - GRACE
        removed = 0
        for tenant, hashes in (await self._blobs.older_than(self._system, before)).items():
            for start in range(0, len(hashes), PORTION):
                portion = hashes[start : start + PORTION]
                for sha256 in await self._store.files.unreferenced(self._system, tenant, portion):
                    removed += await self._blobs.remove(self._system, tenant, sha256, before=before)
        if removed:
            log.info("%d blobs that nothing stands on were removed", removed)
        return removed
