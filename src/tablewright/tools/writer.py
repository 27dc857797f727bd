"""The model of a run as a writer for a tool: what it writes, piece by piece, and what that used."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from tablewright.domain.events import UsageReported
from tablewright.domain.task import Chat
from tablewright.errors import ModelCannotWrite
from tablewright.models.base import Model, ModelRequest, Purpose, TextPiece, UsageSeen
from tablewright.models.render import render
from tablewright.models.streams import closing


class Writer:
    """Has a model write, and keeps what it used until that is told."""

    def __init__(self, model: Model | None) -> None:
        self._model = model
        self._used: list[UsageReported] = []

    def taken(self) -> tuple[UsageReported, ...]:
        """Return what was used since this was last asked."""
        used, self._used = tuple(self._used), []
        return used

    async def write(self, task: Chat, purpose: Purpose) -> str:
        """Return what the model writes. Raises what the model raises, and `ModelCannotWrite` where there is none."""
        return "".join([piece async for piece in self.pieces(task, purpose)])

    async def pieces(self, task: Chat, purpose: Purpose) -> AsyncGenerator[str]:
        """Yield what the model writes as it comes."""
        if self._model is None:
            raise ModelCannotWrite(model="")
        request = ModelRequest(
            messages=render(task), task=task, purpose=purpose, tool_choice="none"
        )  # fmt: skip
        async with closing(self._model.stream(request)) as parts:
            async for part in parts:
                if isinstance(part, TextPiece):
                    yield part.text
                elif isinstance(part, UsageSeen):
                    self._used.append(_reported(self._model, part))


def _reported(model: Model, usage: UsageSeen) -> UsageReported:
    return UsageReported(
        model=model.name,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_tokens=usage.cached_tokens,
        method=usage.method,
    )
