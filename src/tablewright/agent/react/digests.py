"""What matters of a text that is longer than a model should read at once: part by part, then all together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.agent.emission import Emit, stopped
from tablewright.agent.replies import Replies
from tablewright.domain.events import EventBody, TextDelta, TextFinished
from tablewright.domain.language import Language
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.task import Chat
from tablewright.errors import ModelError
from tablewright.models.base import Model, ModelRequest
from tablewright.models.render import render
from tablewright.models.tokens import TokenCounter
from tablewright.models.window import shortened
from tablewright.models.work_prompt import digest_order, digest_part

MOST_PARTS = 12
"""A text of more parts has larger ones; what they do not hold is left out of their middles."""
DEPTH = 2
"""How often digests are put together and digested again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Digests:
    """Has `model` read parts of about `part_tokens` tokens, `at_once` of them at the same time.

    A model that fails leaves the beginning and the end of the text.
    """

    model: Model
    emit: Emit
    counter: TokenCounter
    part_tokens: int
    at_once: int = 4

    async def of(self, text: str, *, question: str, language: Language, depth: int = DEPTH) -> str:
        """Return the text as it is where it is short enough, else what of it matters for the question."""
        tokens = self.counter.count_text(text, model=self.model.name).tokens
        if tokens <= self.part_tokens:
            return text
        chars = max(1, len(text) * self.part_tokens // tokens)
        if depth <= 0:
            return shortened(text, chars, language)
        parts = parts_of(text, chars)
        turn = asyncio.Semaphore(self.at_once)
        names = [digest_part(place, len(parts), language) for place in range(1, len(parts) + 1)]
        read_all = [
            Chat(
                question=digest_order(question, language),
                language=language,
                materials=((name, shortened(part, 2 * chars, language)),),
            )
            for name, part in zip(names, parts, strict=True)
        ]
        tasks = [asyncio.create_task(self._part(task, turn)) for task in read_all]
        try:
            read = await asyncio.gather(*tasks)
        except ModelError:
            return shortened(text, chars, language)
        finally:
            await stopped(*tasks)
        whole = "\n\n".join(f"{name}\n{words}" for name, words in zip(names, read, strict=True))
        return await self.of(whole, question=question, language=language, depth=depth - 1)

    async def _part(self, task: Chat, turn: asyncio.Semaphore) -> str:
        request = ModelRequest(messages=render(task), task=task, purpose="conclude", tool_choice="none")
        async with turn:
            words = await Replies(model=self.model, emit=self._quiet).text(request)
        return words.strip()

    def _quiet(self, item: EventBody | TranscriptEntry) -> None:
        """Pass on what a call used, not what it wrote: that is no text for a person."""
        if not isinstance(item, TextDelta | TextFinished):
            self.emit(item)


def parts_of(text: str, chars: int, most: int = MOST_PARTS) -> Sequence[str]:
    """Split a text into parts of about `chars` characters at the ends of lines, into at most `most`."""
    size = max(chars, -(-len(text) // most))
    parts: list[str] = []
    at = 0
    while at < len(text):
        end = min(at + size, len(text))
        line = text.rfind("\n", at + size // 2, end)
        if end < len(text) and line > at and len(parts) < most - 1:
            end = line + 1
        if len(parts) == most - 1:
            end = len(text)
        parts.append(text[at:end])
        at = end
    return parts
