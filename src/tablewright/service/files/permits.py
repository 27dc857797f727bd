"""Permits: texts that open the files of one conversation, for who cannot send a key with a request."""

from __future__ import annotations

import asyncio
import json
from typing import Protocol

from tablewright.domain.dataset import StoredFile
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound, SecretsUnreadable
from tablewright.service.files.files import Files, OpenedFile
from tablewright.store.base import Store

PURPOSE = "files of a conversation"


class Seals(Protocol):
    """What nobody else can make or read."""

    def seal(self, secret: str, purpose: str) -> str:
        """Return `secret` sealed, as text. Blocks."""
        ...

    def open(self, sealed: str, purpose: str) -> str:
        """Return what was sealed. Blocks. Raises `SecretsUnreadable` or `ValueError` for anything else."""
        ...


class FilePermits:
    """Gives permits and opens files by them. A permit holds as long as the conversation has the file."""

    def __init__(self, seals: Seals, store: Store, files: Files) -> None:
        self._seals = seals
        self._store = store
        self._files = files

    async def give(self, scope: Scope, conversation_id: str) -> str:
        """Return a permit, fit for an address."""
        told = json.dumps([scope.tenant, scope.owner, conversation_id])
        sealed = await asyncio.to_thread(self._seals.seal, told, PURPOSE)
        return sealed.replace("+", "-").replace("/", "_").rstrip("=")

    async def open(self, permit: str, file_id: str) -> OpenedFile:
        """Return a file with its bytes. Raises `NotFound`, also for what is no permit."""
        scope, conversation_id = await self._read(permit, file_id)
        linked = await self._store.files.linked(scope, conversation_id)
        if all(file.id != file_id for file in linked):
            raise NotFound(kind="file", id=file_id)
        return await self._files.open(scope, file_id)

    async def named(self, permit: str, name: str) -> tuple[Scope, StoredFile]:
        """Return the conversation's newest file called `name`, and whose it is. Raises `NotFound`."""
        scope, conversation_id = await self._read(permit, name)
        return scope, await self._files.named(scope, name, conversation_id=conversation_id)

    async def scope(self, permit: str, run_id: str) -> Scope:
        """Return in whose scope the document of a run is written. Raises `NotFound`."""
        scope, conversation_id = await self._read(permit, run_id)
        run = await self._store.runs.get(scope, run_id)
        if run.conversation_id != conversation_id:
            raise NotFound(kind="file", id=run_id)
        return scope

    async def _read(self, permit: str, wanted: str) -> tuple[Scope, str]:
        sealed = permit.replace("-", "+").replace("_", "/") + "=" * (-len(permit) % 4)
        try:
            told = await asyncio.to_thread(self._seals.open, sealed, PURPOSE)
        except (SecretsUnreadable, ValueError) as error:
            raise NotFound(kind="file", id=wanted) from error
        tenant, owner, conversation_id = json.loads(told)
        return Scope(tenant=tenant, owner=owner), conversation_id
