"""The words of a tenant: what they stand for, and the readings that were chosen among several."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.linking.text import compact
from tablewright.analyst.vocabulary import fault_of, names_column
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.scope import Scope
from tablewright.domain.vocabulary import LONGEST_MEANING, LONGEST_PHRASE, VocabularyEntry, Word, plain
from tablewright.errors import Forbidden, InvalidInput, NotFound
from tablewright.service.files.files import StoredValues
from tablewright.store.base import BlobStore, Store

FILES = 50
"""In so many of the caller's newest files it is looked for what a word stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptWord:
    """A word as it is kept; `found`: a file of the caller has what it stands for."""

    entry: VocabularyEntry
    found: bool


class Vocabulary:
    """The use cases of words. They are the tenant's: whoever belongs to it may list and add them; they are removed by
    who has added them, and by operators."""

    def __init__(self, store: Store, blobs: BlobStore, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._blobs = blobs
        self._clock = clock
        self._ids = ids

    async def add(self, scope: Scope, phrase: str, meaning: str) -> KeptWord:
        """Keep what a word stands for; saying the same again changes nothing.

        Raises `InvalidInput` for a word that cannot be taught, and `Conflict` where there are too many.
        """
        word = Word(phrase=phrase, meaning=meaning)
        problem = fault_of(word)
        if problem is not None:
            raise InvalidInput(
                problem,
                field="phrase",
                phrase=phrase[:LONGEST_PHRASE],
                most=LONGEST_PHRASE,
                most_meaning=LONGEST_MEANING,
            )
        found = await self._found(scope, word)
        for known in await self.all(scope):
            same = plain(known.phrase) == plain(phrase) and plain(known.meaning) == plain(meaning)
            if known.kind == "word" and same:
                return KeptWord(entry=known, found=found)
        entry = VocabularyEntry(
            id=self._ids.new(),
            kind="word",
            phrase=" ".join(phrase.split()),
            meaning=" ".join(meaning.split()),
            created_at=self._clock.now(),
            created_by=scope.owner,
        )
        await self._store.vocabulary.add(scope, entry)
        return KeptWord(entry=entry, found=found)

    async def all(self, scope: Scope) -> tuple[VocabularyEntry, ...]:
        """Return the words of the caller's tenant and the readings that were chosen in it, the oldest first."""
        return await self._store.vocabulary.all(scope)

    async def remove(self, scope: Scope, entry_id: str) -> None:
        """Remove a word or a chosen reading. Raises `NotFound`, or `Forbidden` if another caller has added it."""
        entry = next((one for one in await self.all(scope) if one.id == entry_id), None)
        if entry is None:
            raise NotFound(kind="word", id=entry_id)
        if entry.created_by != scope.owner and not scope.operator:
            raise Forbidden("word_of_another")
        await self._store.vocabulary.remove(scope, entry_id)

    async def _found(self, scope: Scope, word: Word) -> bool:
        """Return whether a table of the caller has a column that the meaning names, or the value that it is."""
        page = await self._store.files.find(scope, limit=FILES)
        tables = [table for file in page.items for table in file.datasets]
        if any(names_column(word.meaning, table.columns) for table in tables):
            return True
        values, meant = StoredValues(self._blobs, scope), compact(word.meaning)
        for table in tables:
            if await _has_value(table, values, meant):
                return True
        return False


async def _has_value(table: DatasetFacts, values: StoredValues, meant: str) -> bool:
    for column in table.columns:
        known = await values.values(table.profile_ref, column.name) if column.kind in {"text", "mixed"} else None
        if known is not None and any(compact(value) == meant for value in known.values):
            return True
    return False
