"""The port to the vocabulary of a tenant."""

from __future__ import annotations

from typing import Protocol

from tablewright.domain.scope import Scope
from tablewright.domain.vocabulary import VocabularyEntry

MOST_WORDS = 200
MOST_READINGS = 200
"""Chosen readings of a tenant that are kept; the oldest give way."""


class VocabularyStore(Protocol):
    """The words of a tenant, and the readings that were chosen in it; those of others are not seen."""

    async def add(self, scope: Scope, entry: VocabularyEntry) -> None:
        """Store an entry; a reading replaces that of the same phrase.

        Raises `Conflict` for a word where there are `MOST_WORDS`; of readings, the oldest gives way.
        """
        ...

    async def all(self, scope: Scope) -> tuple[VocabularyEntry, ...]:
        """Return all entries of the tenant, the oldest first."""
        ...

    async def words(self, scope: Scope) -> tuple[VocabularyEntry, ...]:
        """Return the words of the tenant, the oldest first."""
        ...

    async def chosen(self, scope: Scope, phrase: str) -> str | None:
        """Return the reading that was chosen for a question, written as `plain` writes it, or None."""
        ...

    async def remove(self, scope: Scope, entry_id: str) -> None:
        """Remove an entry, or raise `NotFound`."""
        ...
