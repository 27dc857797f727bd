"""Words as used by commands: of the command's own process, and of a service at another address."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from tablewright.domain.scope import Scope
from tablewright.domain.vocabulary import VocabularyEntry

if TYPE_CHECKING:
    from tablewright.service.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class WordLine:
    """A word or a chosen reading in a list; `found` as of `KeptWord`, of a new word."""

    id: str
    kind: str
    phrase: str
    meaning: str
    found: bool = True


class WordClient(Protocol):
    """The words of the tenant. Unknown ones raise `NotFound`."""

    async def list(self) -> tuple[WordLine, ...]:
        """List words and chosen readings, the oldest first."""
        ...

    async def add(self, phrase: str, meaning: str) -> WordLine:
        """Keep what a word stands for."""
        ...

    async def remove(self, entry_id: str) -> None:
        """Remove a word or a chosen reading."""
        ...


class LocalWords:
    """Implements `WordClient` by calling the use cases directly."""

    def __init__(self, vocabulary: Vocabulary, scope: Scope) -> None:
        self._vocabulary = vocabulary
        self._scope = scope

    async def list(self) -> tuple[WordLine, ...]:
        return tuple(_line(entry) for entry in await self._vocabulary.all(self._scope))

    async def add(self, phrase: str, meaning: str) -> WordLine:
        kept = await self._vocabulary.add(self._scope, phrase, meaning)
        return _line(kept.entry, found=kept.found)

    async def remove(self, entry_id: str) -> None:
        await self._vocabulary.remove(self._scope, entry_id)


class RemoteWords:
    """Implements `WordClient` over the native API; `request` sends one and returns its response's JSON."""

    def __init__(self, request: Callable[..., Awaitable[Any]]) -> None:
        self._request = request

    async def list(self) -> tuple[WordLine, ...]:
        return tuple(_read(item) for item in (await self._request("GET", "/words"))["items"])

    async def add(self, phrase: str, meaning: str) -> WordLine:
        return _read(await self._request("POST", "/words", json={"phrase": phrase, "meaning": meaning}))

    async def remove(self, entry_id: str) -> None:
        await self._request("DELETE", f"/words/{quote(entry_id, safe='')}")


def _line(entry: VocabularyEntry, *, found: bool = True) -> WordLine:
    return WordLine(id=entry.id, kind=entry.kind, phrase=entry.phrase, meaning=entry.meaning, found=found)


def _read(item: Mapping[str, Any]) -> WordLine:
    names = ("id", "kind", "phrase", "meaning")
    return WordLine(**{name: str(item[name]) for name in names}, found=bool(item.get("found", True)))
