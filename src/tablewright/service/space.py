"""Deletions that also work on a full disk, and give its space back."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence

from tablewright.domain.ids import Clock
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import StorageFull
from tablewright.store.base import BlobStore, Store
from tablewright.store.reserve import DiskReserve

log = logging.getLogger(__name__)


class DiskSpace:
    """Deletes rows and, while space is scarce, at once the blobs that they alone referred to."""

    def __init__(self, reserve: DiskReserve, store: Store, blobs: BlobStore, clock: Clock, system: SystemScope) -> None:
        self._reserve = reserve
        self._store = store
        self._blobs = blobs
        self._clock = clock
        self._system = system

    async def free(self, scope: Scope, deletion: Callable[[], Awaitable[Sequence[str]]]) -> None:
        """Carry out `deletion`, which returns the hashes of the blobs that it has let go of.

        Where the disk is too full for it, it is tried a second time with the space of the reserve. Raises
        `StorageFull` if that does not suffice, and whatever `deletion` raises.
        """
        try:
            hashes = await deletion()
        except StorageFull:
            if not await self._reserve.give_up():
                raise
            log.warning("the disk is full: its reserve is given up for a deletion")
            hashes = await deletion()
        if await self._reserve.low():
            await self._remove(scope, hashes)
        await self._reserve.make()

    async def _remove(self, scope: Scope, hashes: Sequence[str]) -> None:
        before = self._clock.now()
        for sha256 in await self._store.files.unreferenced(self._system, scope.tenant, hashes):
            await self._blobs.remove(self._system, scope.tenant, sha256, before=before)
