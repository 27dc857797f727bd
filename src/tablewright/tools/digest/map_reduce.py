"""Reads a long text piece by piece, and puts what was noted together until it is short enough."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tablewright.domain.events import EventBody, ProgressReported, WarningRaised
from tablewright.domain.language import Language
from tablewright.errors import ModelError
from tablewright.models.tokens import TokenCounter, estimate_text
from tablewright.models.window import shortened
from tablewright.texts.errors import describe
from tablewright.tools.digest.base import Digest, DigestBounds, Note, Piece, PieceReader
from tablewright.tools.digest.splitting import Tokens, fitting, pieces_of
from tablewright.tools.digest.words import heading, place
from tablewright.tools.prompt_files import phrase

PARTS_LEFT_OUT = "document_parts_left_out"
"""The warning that a text was too long to be read whole."""
SAMPLE_CHARS = 20_000
Emit = Callable[[EventBody], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapReduce:
    """Digests texts with `reader`, whose model is called `model`. One piece that fails is a note that says so."""

    reader: PieceReader
    counter: TokenCounter
    model: str
    bounds: DigestBounds
    language: Language
    emit: Emit

    def tokens_of(self, text: str) -> int:
        """Return the tokens of a text for the model."""
        return self.counter.count_text(text, model=self.model).tokens

    async def of(self, text: str, *, question: str) -> Digest:
        """Return what `text` says of `question`. Raises nothing of the model's."""
        ends_at = asyncio.get_running_loop().time() + self.bounds.limit_s
        pieces, chosen = await asyncio.to_thread(self._divided, text, question)
        if len(chosen) < len(pieces):
            self.emit(WarningRaised(code=PARTS_LEFT_OUT, params={"read": len(chosen), "count": len(pieces)}))
        order = phrase("digest_order", self.language, question=question)
        groups = [((heading(piece.span, self.language), piece.text),) for piece in chosen]
        said = await self._all(order, groups, ends_at, "digest_progress")
        notes = [
            Note(span=piece.span, text=words, fault=fault)
            for piece, (words, fault) in zip(chosen, said, strict=True)
        ]  # fmt: skip
        read = {piece.span for piece in chosen}
        digest = Digest(
            chars=len(text),
            pieces=len(pieces),
            notes=tuple(notes),
            left_out=tuple(piece.span for piece in pieces if piece.span not in read),
        )
        return await self._reduced(digest, question, ends_at)

    def _divided(self, text: str, question: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """Return all pieces of a text, and those that are read."""
        pieces = pieces_of(text, self.bounds.piece_tokens, self._estimate(text))
        return pieces, fitting(pieces, question, self.bounds.most_pieces)

    def _estimate(self, text: str) -> Tokens:
        """Return a count that is additive, scaled to what the counter says of this model and text."""
        sample = text[:SAMPLE_CHARS]
        scale = self.tokens_of(sample) / max(1.0, estimate_text(sample))
        return lambda words: scale * estimate_text(words)

    async def _all(
        self, order: str, groups: Sequence[Sequence[tuple[str, str]]], ends_at: float, told: str
    ) -> list[tuple[str, str | None]]:
        """Return, for each group of materials, what was written and what was wrong."""
        turn = asyncio.Semaphore(self.bounds.at_once)
        tasks = [asyncio.create_task(self._one(order, group, turn)) for group in groups]
        pending, loop = set(tasks), asyncio.get_running_loop()
        try:
            while pending and (left_s := ends_at - loop.time()) > 0:
                _, pending = await asyncio.wait(pending, timeout=left_s, return_when=asyncio.FIRST_COMPLETED)
                done = len(tasks) - len(pending)
                words = phrase(told, self.language, done=done, count=len(tasks))
                self.emit(ProgressReported(message=words, fraction=round(done / len(tasks), 3)))
        finally:
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
        late = ("", phrase("digest_late", self.language, limit_s=f"{self.bounds.limit_s:g}"))
        return [late if task in pending else task.result() for task in tasks]

    async def _one(
        self, order: str, materials: Sequence[tuple[str, str]], turn: asyncio.Semaphore
    ) -> tuple[str, str | None]:
        async with turn:
            try:
                words = (await self.reader.read(order, materials)).strip()
            except ModelError as error:
                return "", describe(error, self.language)
        return (words, None) if words else ("", phrase("digest_silent", self.language))

    async def _reduced(self, digest: Digest, question: str, ends_at: float) -> Digest:
        """Put notes together, neighbours first, until they are short enough; else make each of them shorter."""
        order = phrase("digest_join", self.language, question=question)
        loop = asyncio.get_running_loop()
        for _ in range(self.bounds.depth):
            notes = digest.notes
            if self._size(notes) <= self.bounds.digest_tokens or loop.time() >= ends_at:
                break
            groups = self._groups([note for note in notes if note.fault is None])
            joined = [group for group in groups if len(group) > 1 or len(groups) == 1]
            if not joined:
                break
            materials = [[(heading(note.span, self.language), note.text) for note in group] for group in joined]
            said = await self._all(order, materials, ends_at, "digest_join_progress")
            made = {id(group): words for group, (words, fault) in zip(joined, said, strict=True) if fault is None}
            after = [note for group in groups for note in _joined(group, made.get(id(group)))]
            after += [note for note in notes if note.fault is not None]
            digest = replace(digest, notes=tuple(sorted(after, key=lambda note: note.span.start)))
            if not made:
                break
        return self._cut(digest)

    def _groups(self, notes: Sequence[Note]) -> list[list[Note]]:
        """Group neighbouring notes that are read together; a note that is too long alone is cut."""
        groups: list[list[Note]] = []
        held = 0
        for note in notes:
            short = self._short(note, self.bounds.piece_tokens // 2)
            size = self._size([short])
            if groups and held + size <= self.bounds.piece_tokens:
                groups[-1].append(short)
                held += size
            else:
                groups.append([short])
                held = size
        return groups

    def _cut(self, digest: Digest) -> Digest:
        """Make the notes fit, if they still do not: each gets its share."""
        read = [note for note in digest.notes if note.fault is None]
        if not read or self._size(read) <= self.bounds.digest_tokens:
            return digest
        share = self.bounds.digest_tokens // len(read)
        return replace(digest, notes=tuple(self._short(note, share) for note in digest.notes), cut=True)

    def _short(self, note: Note, tokens: int) -> Note:
        size = self.tokens_of(note.text)
        if size <= tokens:
            return note
        return replace(note, text=shortened(note.text, max(1, len(note.text) * tokens // size), self.language))

    def _size(self, notes: Sequence[Note]) -> int:
        return sum(self.tokens_of(f"{place(note.span, self.language)}\n{note.text}") for note in notes)


def _joined(group: Sequence[Note], words: str | None) -> Sequence[Note]:
    """Return one note for a group that was put together; the notes themselves where that failed."""
    return group if words is None else [Note(span=group[0].span.joined(group[-1].span), text=words)]


async def followed(work: Callable[[Emit], Coroutine[Any, Any, Digest]]) -> AsyncGenerator[EventBody | Digest]:
    """Yield what `work` emits, and last what it returns. Closing the iterator cancels `work`."""
    items: asyncio.Queue[EventBody | None] = asyncio.Queue()
    task = asyncio.create_task(work(items.put_nowait))
    task.add_done_callback(lambda _: items.put_nowait(None))
    try:
        while (item := await items.get()) is not None:
            yield item
        yield await task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
