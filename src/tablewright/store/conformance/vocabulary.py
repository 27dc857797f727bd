"""Tests of the vocabulary."""

from __future__ import annotations

from tablewright.domain.scope import Scope
from tablewright.domain.vocabulary import EntryKind, VocabularyEntry
from tablewright.errors import Conflict, NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, BOB, OTHER_TENANT, after, refused
from tablewright.store.vocabulary_store import MOST_READINGS, MOST_WORDS


def entry(number: int = 1, *, kind: EntryKind = "word", phrase: str = "") -> VocabularyEntry:
    """Make an entry that was said after so many seconds."""
    return VocabularyEntry(
        id=f"{kind}-{number}",
        kind=kind,
        phrase=phrase or f"流水 {number} 📦",
        meaning="revenue",
        created_at=after(number),
        created_by="ann",
    )


async def kept(store: Store, scope: Scope = ANN) -> list[str]:
    """Return the ids of what is kept, in order."""
    return [one.id for one in await store.vocabulary.all(scope)]


class VocabularyConformance:
    """The vocabulary of a tenant."""

    async def test_entries_come_back_as_they_were_said_the_oldest_first(self, store: Store) -> None:
        said = [entry(2), entry(1, kind="reading"), entry(3)]
        for one in said:
            await store.vocabulary.add(ANN, one)
        assert await store.vocabulary.all(ANN) == (said[1], said[0], said[2])

    async def test_words_are_the_tenants_and_no_other_tenants(self, store: Store) -> None:
        await store.vocabulary.add(ANN, entry())
        assert await kept(store, BOB) == ["word-1"]
        assert await kept(store, OTHER_TENANT) == []
        with refused(NotFound):
            await store.vocabulary.remove(OTHER_TENANT, "word-1")
        await store.vocabulary.remove(BOB, "word-1")
        assert await kept(store) == []

    async def test_a_word_that_is_removed_is_gone(self, store: Store) -> None:
        for number in (1, 2):
            await store.vocabulary.add(ANN, entry(number))
        await store.vocabulary.remove(ANN, "word-1")
        assert await kept(store) == ["word-2"]
        with refused(NotFound):
            await store.vocabulary.remove(ANN, "word-1")

    async def test_a_reading_replaces_that_of_the_same_phrase(self, store: Store) -> None:
        await store.vocabulary.add(ANN, entry(1, phrase="sales"))
        for number in (2, 3):
            await store.vocabulary.add(ANN, entry(number, kind="reading", phrase="sales"))
        assert await kept(store) == ["word-1", "reading-3"]

    async def test_what_was_chosen_is_found_by_its_question_and_words_without_it(self, store: Store) -> None:
        await store.vocabulary.add(ANN, entry(1, phrase="sales"))
        await store.vocabulary.add(OTHER_TENANT, entry(2, kind="reading", phrase="takings"))
        await store.vocabulary.add(ANN, entry(3, kind="reading", phrase="sales"))
        assert await store.vocabulary.words(ANN) == (entry(1, phrase="sales"),)
        assert await store.vocabulary.chosen(BOB, "sales") == "revenue"
        assert await store.vocabulary.chosen(ANN, "takings") is None

    async def test_the_oldest_readings_give_way_and_words_do_not(self, store: Store) -> None:
        await store.vocabulary.add(OTHER_TENANT, entry(0, kind="reading"))
        await store.vocabulary.add(ANN, entry(0))
        for number in range(1, MOST_READINGS + 2):
            await store.vocabulary.add(ANN, entry(number, kind="reading"))
        assert await kept(store) == ["word-0", *(f"reading-{number}" for number in range(2, MOST_READINGS + 2))]
        assert await kept(store, OTHER_TENANT) == ["reading-0"]

    async def test_one_word_too_many_is_refused(self, store: Store) -> None:
        for number in range(MOST_WORDS):
            await store.vocabulary.add(ANN, entry(number))
        with refused(Conflict):
            await store.vocabulary.add(ANN, entry(MOST_WORDS))
        assert len(await kept(store)) == MOST_WORDS
