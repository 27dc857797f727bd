"""Calls as lines of JSON: written while a model is used, read to answer the same requests again without it."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass

from tablewright.domain.codec import from_json, to_json
from tablewright.domain.message import Message
from tablewright.errors import ModelError, ModelRejected
from tablewright.models.base import Model, ModelRequest, StreamPart
from tablewright.models.streams import close, closing


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One call: what was asked and every part of the answer. `error` is the code of what ended it early."""

    model: str
    request: ModelRequest
    parts: tuple[StreamPart, ...]
    error: str | None = None


class RecordingModel:
    """Hands each finished call to `write`, as one line of JSON; a call that its reader left is not recorded."""

    def __init__(self, model: Model, write: Callable[[bytes], object]) -> None:
        self._model = model
        self._write = write

    @property
    def name(self) -> str:
        return self._model.name

    async def aclose(self) -> None:
        """Close the model's connections."""
        await close(self._model)

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        parts: list[StreamPart] = []
        try:
            async with closing(self._model.stream(request)) as stream:
                async for part in stream:
                    parts.append(part)
                    yield part
        except ModelError as error:
            self._record(request, parts, error.code)
            raise
        self._record(request, parts, None)

    def _record(self, request: ModelRequest, parts: list[StreamPart], error: str | None) -> None:
        recording = Recording(model=self.name, request=request, parts=tuple(parts), error=error)
        self._write(to_json(Recording, recording) + b"\n")


class ReplayingModel:
    """Answers a request as it was answered when it was recorded; several recordings of one request in their order."""

    def __init__(self, lines: Iterable[bytes | str], *, name: str = "replay:recorded") -> None:
        self._name = name
        self._recordings: dict[str, deque[Recording]] = {}
        for line in lines:
            if line.strip():
                recording = from_json(Recording, line)
                self._recordings.setdefault(_key(recording.request), deque()).append(recording)

    @property
    def name(self) -> str:
        return self._name

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        waiting = self._recordings.get(_key(request))
        if not waiting:
            raise ModelRejected("this request was not recorded", model=self._name)
        recording = waiting.popleft()
        for part in recording.parts:
            yield part
        if recording.error is not None:
            raise ModelRejected(f"the recorded call ended with {recording.error}", model=self._name)


def _key(request: ModelRequest) -> str:
    """What makes two requests the same: the messages and the names of the tools."""
    said = to_json(tuple[Message, ...], request.messages)
    return hashlib.sha256(said + repr([tool.name for tool in request.tools]).encode()).hexdigest()
