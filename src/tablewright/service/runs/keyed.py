"""Runs that clients name: a request that comes again finds the run of the first, and never starts another."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from uuid import UUID

from tablewright.domain.naming import storable
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.service.conversations import Conversations
from tablewright.service.runs.runs import Ask, Runs
from tablewright.store.base import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedRun:
    """The run of a request; `repeated`: it was begun by an earlier request of the same name."""

    run: Run
    repeated: bool


class KeyedRuns:
    """Starts runs by `(tenant, owner, face, request id)`, in the conversation of a session.

    The session is kept with the conversation: a later request continues with its questions and answers, its files and
    the last plan, after a restart and on any process of the store. Without a session, the request is its own.
    """

    def __init__(self, store: Store, conversations: Conversations, runs: Runs) -> None:
        self._store = store
        self._conversations = conversations
        self._runs = runs

    async def find(self, scope: Scope, face: str, request_id: str) -> Run | None:
        """Return the run of a request, or None if there was none."""
        try:
            return await self._store.runs.get(scope, run_id_of(scope, face, request_id))
        except NotFound:
            return None

    async def start(
        self, scope: Scope, face: str, request_id: str, ask: Ask, *, session_id: str | None = None
    ) -> KeyedRun:
        """Start a run for a request, unless it has one: then that is returned, whatever is asked now.

        Raises what `Runs.start` raises, `RunInProgress` if another request of the session is being answered.
        """
        if (known := await self.find(scope, face, request_id)) is not None:
            return KeyedRun(run=known, repeated=True)
        conversation = await self._conversations.of_client(scope, face, session_id or request_id)
        named = replace(ask, run_id=run_id_of(scope, face, request_id))
        try:
            return KeyedRun(run=await self._runs.start(scope, conversation.id, named), repeated=False)
        except Exception:
            # whatever the store says of an id that it has: a request of the same name may have been faster
            if (known := await self.find(scope, face, request_id)) is not None:
                return KeyedRun(run=known, repeated=True)
            raise


def run_id_of(scope: Scope, face: str, request_id: str) -> str:
    """Return the id of the run of a request: the same for the same owner, face and request, and for no other."""
    parts = (scope.tenant, scope.owner, face, storable(request_id))
    told = "".join(f"{len(part)}:{part}" for part in parts)
    value = int.from_bytes(hashlib.sha256(told.encode()).digest()[:16], "big")
    value = value & ~(0xF << 76) | 0x8 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return str(UUID(int=value))
