"""Reads pieces with a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tablewright.domain.events import EventBody, UsageReported
from tablewright.domain.language import Language
from tablewright.domain.task import Chat
from tablewright.models.base import Model, ModelRequest, TextPiece, UsageSeen
from tablewright.models.render import render
from tablewright.models.streams import closing


def reading(order: str, materials: Sequence[tuple[str, str]], language: Language) -> ModelRequest:
    """Return the call in which a model reads pieces: nothing of it is an instruction but the order."""
    task = Chat(question=order, language=language, materials=tuple(materials))
    return ModelRequest(messages=render(task), task=task, purpose="conclude", tool_choice="none")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReader:
    """Implements `PieceReader`; `emit` takes the tokens that calls used."""

    model: Model
    language: Language
    emit: Callable[[EventBody], None]

    async def read(self, order: str, materials: Sequence[tuple[str, str]]) -> str:
        written: list[str] = []
        async with closing(self.model.stream(reading(order, materials, self.language))) as parts:
            async for part in parts:
                if isinstance(part, TextPiece):
                    written.append(part.text)
                elif isinstance(part, UsageSeen):
                    self.emit(
                        UsageReported(
                            model=self.model.name,
                            input_tokens=part.input_tokens,
                            output_tokens=part.output_tokens,
                            cached_tokens=part.cached_tokens,
                            method=part.method,
                        )
                    )
        return "".join(written)
