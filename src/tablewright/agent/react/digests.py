"""What matters of a result that is longer than a model should read at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tablewright.agent.react.rules import ToolRules
from tablewright.agent.replies import Replies
from tablewright.domain.events import EventBody, TextDelta, TextFinished
from tablewright.domain.language import Language
from tablewright.domain.message import TranscriptEntry
from tablewright.models.base import Model, input_tokens_of
from tablewright.models.window import shortened
from tablewright.tools.digest.base import DigestBounds
from tablewright.tools.digest.by_model import reading
from tablewright.tools.digest.map_reduce import MapReduce
from tablewright.tools.digest.words import written


@dataclass(frozen=True, slots=True, kw_only=True)
class RepliesReader:
    """Implements `PieceReader`; calls that are stopped or cut are counted too."""

    model: Model
    language: Language
    emit: Callable[[EventBody], None]

    async def read(self, order: str, materials: Sequence[tuple[str, str]]) -> str:
        return await Replies(model=self.model, emit=self._quiet).text(reading(order, materials, self.language))

    def _quiet(self, item: EventBody | TranscriptEntry) -> None:
        """Pass on what a call used, not what it wrote: that is no text for a person."""
        if not isinstance(item, TextDelta | TextFinished | TranscriptEntry):
            self.emit(item)


async def digested(
    text: str, question: str, language: Language, model: Model, rules: ToolRules, emit: Callable[[EventBody], None]
) -> str:
    """Return a result as it is where it is short enough, else what of it matters for the question.

    A model that reads none of it leaves its beginning and its end.
    """
    window = min(rules.max_input_tokens, input_tokens_of(model) or rules.max_input_tokens)
    most = max(1, round(rules.result_share * window))
    reading_all = MapReduce(
        reader=RepliesReader(model=model, language=language, emit=emit),
        counter=rules.counter,
        model=model.name,
        bounds=DigestBounds(piece_tokens=most, digest_tokens=most),
        language=language,
        emit=emit,
    )
    if (tokens := reading_all.tokens_of(text)) <= most:
        return text
    digest = await reading_all.of(text, question=question)
    return written(digest, language) if digest.read else shortened(text, len(text) * most // tokens, language)
