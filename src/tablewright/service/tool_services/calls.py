"""Calls of tool services: each is a run in the conversation of its session, and those of one session take turns."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from tablewright.domain.events import Event
from tablewright.domain.message import Message
from tablewright.domain.run import Mode, OpenRequest, Run, RunLimits
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound, RunInProgress
from tablewright.service.files.permits import FilePermits
from tablewright.service.files.sources import Caller, Sources, is_address
from tablewright.service.runs.runs import Ask, Runs
from tablewright.service.tool_services.files import ServiceFiles
from tablewright.store.base import Store

_OURS = re.compile(r"/(?:v1/file_tool|genie)/(?:preview|download)/([^/]+)/(?:[^/]+/)?([^/]+)")
"""The path of an address that we gave: a permit, perhaps an id, and the name of the file."""
FILES = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """What a service is to do. `places` are names of the session's files, and addresses of files."""

    session: str
    text: str
    mode: Mode = "auto"
    agent: str | None = None
    places: tuple[str, ...] = ()
    file_ids: tuple[str, ...] = ()
    limits: RunLimits | None = None
    opening: tuple[Message, ...] = ()
    """The first entries of the run's transcript: what its agent should know from the start."""


class ToolCalls:
    """Begins and follows calls. A call whose client goes away is cancelled: nobody could ask for its result."""

    def __init__(self, store: Store, runs: Runs, files: ServiceFiles, permits: FilePermits, sources: Sources) -> None:
        self._store = store
        self._runs = runs
        self._files = files
        self._permits = permits
        self._sources = sources

    async def begin(self, scope: Scope, call: ToolCall) -> Run:
        """Begin the run of a call once those before it in its session have ended; one that waits for somebody gives
        way. Raises what `Runs.start` and `Sources.keep` raise; `NotFound` for a file that is not there."""
        conversation_id = await self._files.conversation(scope, call.session)
        ids = [await self._file_id(scope, call.session, conversation_id, place) for place in call.places[:FILES]]
        while True:
            live = await self._store.runs.live(scope, conversation_id)
            if live is not None and live.state != "waiting":
                async for _ in self._runs.follow(scope, live.id, after=live.last_seq, until_rest=True):
                    pass
                continue
            ask = Ask(
                text=call.text,
                mode=call.mode,
                agent=call.agent,
                file_ids=(*call.file_ids, *ids),
                approvals="auto",
                limits=call.limits,
                opening=call.opening,
                instead_of=None if live is None else live.id,
            )
            try:
                return await self._runs.start(scope, conversation_id, ask)
            except RunInProgress:
                continue

    def follow(self, scope: Scope, run: Run) -> AsyncIterator[Event]:
        """Yield what happens until the run has ended or waits for a person."""
        return self._runs.follow(scope, run.id, until_rest=True)

    async def waits_for(self, scope: Scope, run: Run) -> tuple[OpenRequest, ...]:
        """Return what a run waits for, the oldest first."""
        return tuple(one for one in await self._runs.requests(scope, run.id) if one.answered_at is None)

    async def leave(self, scope: Scope, run: Run) -> None:
        """Stop the run of a call that nobody follows any more; one that has ended is left as it is."""
        await self._runs.cancel(scope, run.id)

    async def _file_id(self, scope: Scope, session: str, conversation_id: str, place: str) -> str:
        if not is_address(place):
            return (await self._files.named(scope, session, place)).file.id
        if (ours := _OURS.fullmatch(urlsplit(place).path)) is not None:
            try:
                owner, opened = await self._permits.named(ours[1], unquote(ours[2]))
            except NotFound:
                pass  # the path of another service that looks like one of ours
            else:
                if owner != scope:
                    raise NotFound(kind="file", id=place)
                return opened.id
        return (await self._sources.keep(Caller(scope=scope), place, conversation_id)).file.id
