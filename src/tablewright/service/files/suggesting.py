"""Questions that a file answers, for whoever has just brought it."""

from __future__ import annotations

import asyncio
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
_Key = tuple[str, str, Language]
"""The hash of a content, the file's name and the language."""


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
    """Suggests questions about stored files; what was found is kept in memory, by content.

    They are sought once, however many ask meanwhile, and to the end, even if whoever asked is gone by then: whoever
    loads the page again asks again.
    """

    def __init__(self, files: Files, suggester: QuestionSuggester) -> None:
        self._files = files
        self._suggester = suggester
        self._known: OrderedDict[_Key, asyncio.Task[tuple[str, ...]]] = OrderedDict()

    async def of(self, scope: Scope, file_id: str, language: Language) -> tuple[str, ...]:
        """Return questions about the largest table of a file that its tables answer. Errors: `NotFound`."""
        file = await self._files.profiled(scope, file_id)
        key = (file.sha256, file.name, language)
        found = self._known.get(key)
        if found is None:
            stored = [replace(facts, content=file.read_from) for facts in file.datasets]
            found = asyncio.create_task(self._suggester.suggested(language, stored, MOST))
            self._known[key] = found
            found.add_done_callback(lambda done: self._keep(key, done))
        self._known.move_to_end(key)
        return await asyncio.shield(found)

    def _keep(self, key: _Key, done: asyncio.Task[tuple[str, ...]]) -> None:
        """Keep what was found, as far as there is room; what failed is sought again."""
        if done.cancelled() or done.exception() is not None:
            self._known.pop(key, None)
        for oldest in [one for one, task in self._known.items() if task.done()][: max(0, len(self._known) - KEPT)]:
            del self._known[oldest]
