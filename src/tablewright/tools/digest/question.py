"""What a long text says of a question, for tools that read texts."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from tablewright.domain.events import EventBody
from tablewright.models.base import Model, input_tokens_of
from tablewright.models.streams import closing
from tablewright.models.tokens import CalibratedEstimator
from tablewright.tools.base import ResponseFormat, ToolContext, ToolResult
from tablewright.tools.digest.base import Digest, DigestBounds
from tablewright.tools.digest.by_model import ModelReader
from tablewright.tools.digest.map_reduce import Emit, MapReduce, followed
from tablewright.tools.digest.words import written
from tablewright.tools.prompt_files import phrase
from tablewright.tools.shaping import Cap, shaped_text

WHOLE_CHARS = 2_000_000
"""The most of a text that is looked at for a question."""
PIECE_TOKENS = 16_000
"""The largest piece: a model finds less in larger ones."""
LIMIT_S = 300.0
"""The longest that a call with a question may take, with the reading of its file or page."""
DIGEST_TOKENS: dict[ResponseFormat, int] = {"brief": 500, "standard": 2_000, "full": 8_000}


async def answered(
    text: str, question: str, form: ResponseFormat, context: ToolContext, cap: Cap, *, total: int | None = None
) -> AsyncGenerator[EventBody | ToolResult]:
    """Yield what happens, and last what `text` says of `question`; a text within `cap` is told as it is.

    `total` is the length of a text of which `text` is only the beginning. Without a model that can read it, its
    beginning is told, and why.
    """
    language = context.language
    if len(text) <= cap.chars:
        yield ToolResult(text=text)
        return
    if context.model is None:
        yield ToolResult(text=_unread(text, phrase("digest_no_model", language), form, context, cap, total))
        return
    model = context.model

    async def work(emit: Emit) -> Digest:
        return await MapReduce(
            reader=ModelReader(model=model, language=language, emit=emit),
            counter=CalibratedEstimator(),
            model=model.name,
            bounds=_bounds(model, form),
            language=language,
            emit=emit,
        ).of(text, question=question)

    async with closing(followed(work)) as items:
        async for item in items:
            if not isinstance(item, Digest):
                yield item
                continue
            if not item.read:
                why = next((note.fault for note in item.notes if note.fault), "")
                yield ToolResult(text=_unread(text, why, form, context, cap, total))
                return
            yield ToolResult(text="\n\n".join((written(item, language), *_not_whole(text, total, context))))


def _bounds(model: Model, form: ResponseFormat) -> DigestBounds:
    """Return bounds within the model's window: half of it for a piece, whose count is an estimate."""
    window = input_tokens_of(model)
    piece = PIECE_TOKENS if window is None else min(PIECE_TOKENS, max(1, window // 2))
    return DigestBounds(piece_tokens=piece, digest_tokens=min(piece, DIGEST_TOKENS[form]))


def _not_whole(text: str, total: int | None, context: ToolContext) -> tuple[str, ...]:
    if total is None or total <= len(text):
        return ()
    return (phrase("digest_not_whole", context.language, total=total, read=len(text)),)


def _unread(text: str, why: str, form: ResponseFormat, context: ToolContext, cap: Cap, total: int | None) -> str:
    shown = shaped_text(text, form, context.language, cap, total=total)
    return f"{phrase('digest_unread', context.language, why=why)}\n{shown}"
