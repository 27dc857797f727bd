"""Questions that a file answers, for whoever has just brought it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.scope import Scope
from tablewright.service.files.files import Files

MOST = 5
KEPT = 256


class QuestionSuggester(Protocol):
    """Whoever knows which questions a table answers."""

    async def suggested(self, language: Language, datasets: Sequence[DatasetFacts], most: int) -> tuple[str, ...]:
        """Return up to `most` questions about the largest of `datasets`, each of which would be answered."""
        ...


class NoQuestions:
    """A `QuestionSuggester` that knows of none."""

    async def suggested(self, *_: object) -> tuple[str, ...]:
        return ()


class FileQuestions:
    """Suggests questions about stored files; what was found is kept in memory, by content."""

    def __init__(self, files: Files, suggester: QuestionSuggester) -> None:
        self._files = files
        self._suggester = suggester
        self._known: OrderedDict[tuple[str, str, Language], tuple[str, ...]] = OrderedDict()

    async def of(self, scope: Scope, file_id: str, language: Language) -> tuple[str, ...]:
        """Return questions about the largest table of a file that its tables answer. Errors: `NotFound`."""
        file = await self._files.profiled(scope, file_id)
        key = (file.sha256, file.name, language)
        if (known := self._known.get(key)) is not None:
            self._known.move_to_end(key)
            return known
        stored = [replace(facts, content=file.read_from) for facts in file.datasets]
        self._known[key] = found = await self._suggester.suggested(language, stored, MOST)
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found
