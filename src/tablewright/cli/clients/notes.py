"""Notes as used by commands: of the command's own process, and of a service at another address."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from tablewright.domain.scope import Scope

if TYPE_CHECKING:
    from tablewright.service.notes import Notes


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteLine:
    """A note in a list."""

    id: str
    text: str


class NoteClient(Protocol):
    """The caller's notes. Unknown ones raise `NotFound`."""

    async def list(self) -> tuple[NoteLine, ...]:
        """List the notes, the oldest first."""
        ...

    async def add(self, text: str) -> NoteLine:
        """Add a note."""
        ...

    async def delete(self, note_id: str) -> None:
        """Delete a note."""
        ...


class LocalNotes:
    """Implements `NoteClient` by calling the use cases directly."""

    def __init__(self, notes: Notes, scope: Scope) -> None:
        self._notes = notes
        self._scope = scope

    async def list(self) -> tuple[NoteLine, ...]:
        return tuple(NoteLine(id=note.id, text=note.text) for note in await self._notes.all(self._scope))

    async def add(self, text: str) -> NoteLine:
        note = await self._notes.add(self._scope, text)
        return NoteLine(id=note.id, text=note.text)

    async def delete(self, note_id: str) -> None:
        await self._notes.remove(self._scope, note_id)


class RemoteNotes:
    """Implements `NoteClient` over the native API; `request` sends one and returns its response's JSON."""

    def __init__(self, request: Callable[..., Awaitable[Any]]) -> None:
        self._request = request

    async def list(self) -> tuple[NoteLine, ...]:
        return tuple(_read(item) for item in (await self._request("GET", "/notes"))["items"])

    async def add(self, text: str) -> NoteLine:
        return _read(await self._request("POST", "/notes", json={"text": text}))

    async def delete(self, note_id: str) -> None:
        await self._request("DELETE", f"/notes/{quote(note_id, safe='')}")


def _read(item: Mapping[str, Any]) -> NoteLine:
    return NoteLine(id=str(item["id"]), text=str(item["text"]))
