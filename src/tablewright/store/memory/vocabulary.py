"""The vocabulary in memory."""

from __future__ import annotations

from tablewright.domain.scope import Scope
from tablewright.domain.vocabulary import VocabularyEntry
from tablewright.errors import Conflict, NotFound
from tablewright.store.vocabulary_store import MOST_READINGS, MOST_WORDS


class MemoryVocabulary:
    """Implements `VocabularyStore`."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[VocabularyEntry, ...]] = {}

    async def add(self, scope: Scope, entry: VocabularyEntry) -> None:
        every = await self.all(scope)
        same = [one for one in every if one.kind == entry.kind]
        if entry.kind == "word":
            if len(same) >= MOST_WORDS:
                raise Conflict("words_most", limit=MOST_WORDS)
            gone = set[str]()
        else:
            gone = {one.id for one in same if one.phrase == entry.phrase}
            rest = [one.id for one in same if one.id not in gone]
            gone |= set(rest[: max(0, len(rest) + 1 - MOST_READINGS)])
        kept = [one for one in every if one.id not in gone]
        self._kept[scope.tenant] = tuple(sorted([*kept, entry], key=lambda one: (one.created_at, one.id)))

    async def all(self, scope: Scope) -> tuple[VocabularyEntry, ...]:
        return self._kept.get(scope.tenant, ())

    async def words(self, scope: Scope) -> tuple[VocabularyEntry, ...]:
        return tuple(one for one in await self.all(scope) if one.kind == "word")

    async def chosen(self, scope: Scope, phrase: str) -> str | None:
        same = (one for one in await self.all(scope) if one.kind == "reading" and one.phrase == phrase)
        return next((one.meaning for one in same), None)

    async def remove(self, scope: Scope, entry_id: str) -> None:
        every = await self.all(scope)
        rest = tuple(one for one in every if one.id != entry_id)
        if len(rest) == len(every):
            raise NotFound(kind="word", id=entry_id)
        self._kept[scope.tenant] = rest
