"""Removes the remains of old calls and unreferenced blobs, and merges text deltas in logs no longer followed."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from tablewright.domain.ids import Clock
from tablewright.domain.scope import SystemScope
from tablewright.errors import TablewrightError
from tablewright.service.files.terms import TermsOfFiles
from tablewright.service.retention.calls import CallRetention
from tablewright.service.shares.shares import Shares
from tablewright.store.base import BlobStore, Store

GRACE = timedelta(hours=1)
"""How long a blob may exist without a row (before the row that refers to it is written, or afterwards, while a run
still reads it), and how long a log stays as written for followers who reconnect."""
PORTION = 500
FIRST_S = 60.0
EVERY_S = 3600.0

log = logging.getLogger(__name__)


class Collector:
    """Cleans up periodically; safe to run in several processes at once."""

    def __init__(
        self,
        store: Store,
        blobs: BlobStore,
        clock: Clock,
        system: SystemScope,
        *,
        calls: CallRetention | None = None,
        terms: TermsOfFiles | None = None,
        shares: Shares | None = None,
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._clock = clock
        self._system = system
        self._calls = calls
        self._terms = terms
        self._shares = shares
        self._task: asyncio.Task[None] | None = None

    async def open_up(self) -> None:
        """Collect every `EVERY_S` from now on, the first time after `FIRST_S`."""
        self._task = asyncio.create_task(self._keep_collecting(), name="collector")

    async def close(self) -> None:
        """Stop collecting."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def collect(self) -> int:
        """Remove blobs stored more than `GRACE` ago that no row refers to; return how many were removed."""
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

    async def compact(self) -> int:
        """Merge the deltas of runs that ended more than `GRACE` ago; return the number of runs compacted."""
        before = self._clock.now() - GRACE
        runs = 0
        while some := await self._store.log.compact(self._system, before=before):
            runs += some
        return runs

    async def _keep_collecting(self) -> None:
        await self._clock.sleep(FIRST_S)
        while True:
            try:
                if self._calls is not None:
                    await self._calls.remove_old(self._system)
                if self._terms is not None:
                    await self._terms.remove_due(self._system)
                if self._shares is not None:
                    await self._shares.forget()
                await self.collect()
                await self.compact()
            except TablewrightError:
                log.warning("collecting failed and will be tried again", exc_info=True)
            await self._clock.sleep(EVERY_S)
