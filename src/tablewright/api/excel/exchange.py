"""The processing of one request from its first event to storing its outcome, whoever is watching."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from tablewright.api.excel.frames import ExcelFrame, FrameSequence
from tablewright.api.excel.outcome import stretch_of
from tablewright.api.excel.requests import wants_thinking
from tablewright.api.excel.responses import About, response_to, rounds_over, said
from tablewright.api.schemas.excel import ExcelRequest, ExcelResponse, wire
from tablewright.domain.events import Event, ThinkingDelta
from tablewright.domain.scope import Scope
from tablewright.errors import InvalidInput, TablewrightError
from tablewright.service.app import App
from tablewright.service.channels.records import AcceptedRequest, ResponseRecord
from tablewright.service.channels.request import ChannelRequest
from tablewright.texts.errors import describe, error_text

log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class Exchange:
    """A request being processed. `frames` queues what is to be sent, followed by None at the end."""

    parts: App
    scope: Scope
    request: ExcelRequest
    channel_request: ChannelRequest
    frames: asyncio.Queue[ExcelFrame | None] = field(default_factory=asyncio.Queue[ExcelFrame | None])
    telling: FrameSequence = field(init=False)
    accepted: asyncio.Event = field(default_factory=asyncio.Event)
    refusal: InvalidInput | None = None
    _run_id: str | None = None
    _channel: str = ""

    def __post_init__(self) -> None:
        self._channel = self.channel_request.channel or ""
        self.telling = FrameSequence(
            message_id=self.request.message_id or self.parts.excel().rounds.new_id(),
            language=self.channel_request.language or self.channel_request.accepted,
            thinking=wants_thinking(self.request.thinking_params),
        )

    async def work(self) -> ExcelResponse:
        """Process the request, queue its frames and store the outcome. Raises what made it fail."""
        try:
            response = await self._response()
        except Exception as error:
            if isinstance(error, InvalidInput) and not self.accepted.is_set():
                self.refusal = error
            self._send(self.telling.failed(self._words(error)))
            await self._keep(None, error)
            raise
        else:
            self._send(self.telling.answered(response))
            await self._keep(response, None)
            return response
        finally:
            self.accepted.set()
            self.frames.put_nowait(None)

    async def check_accepted(self) -> None:
        """Wait until the request was accepted. Raises the `InvalidInput` for which it was not."""
        await self.accepted.wait()
        if self.refusal is not None:
            raise self.refusal

    async def sent(self) -> AsyncIterator[ExcelFrame]:
        """Yield the frames to send until the work is done."""
        while (frame := await self.frames.get()) is not None:
            yield frame

    async def _response(self) -> ExcelResponse:
        self._send(self.telling.begun())
        accepted = await self.parts.excel().rounds.take(self.scope, self.channel_request)
        self.accepted.set()
        self.telling.language = accepted.language
        self._channel, self._run_id = accepted.channel, None if accepted.run is None else accepted.run.id
        events: list[Event] = []
        async for event in self.parts.excel().rounds.follow(self.scope, accepted):
            if accepted.run is not None and event.run_id != accepted.run.id:
                continue  # a child's: its results are told by the run itself
            events.append(event)
            if isinstance(event.body, ThinkingDelta):
                self._send(self.telling.thought(event.body.text))
        return await self._answer(accepted, events)

    async def _answer(self, accepted: AcceptedRequest, events: list[Event]) -> ExcelResponse:
        version = await self.parts.excel().rounds.version(self.scope, accepted)
        about = About(
            language=accepted.language,
            channel_id=accepted.channel,
            request_id=self.parts.excel().rounds.new_id(),
            continuation=accepted.continuation,
            previous_rounds=accepted.previous_rounds,
            workbook_id=None if version is None else version.workbook_id,
            version=None if version is None else version.number,
            warnings=tuple(said(notice, accepted.language) for notice in accepted.warnings),
        )
        return (
            rounds_over(accepted.over, about) if accepted.over is not None else response_to(stretch_of(events), about)
        )

    def _send(self, frames: tuple[ExcelFrame, ...]) -> None:
        for frame in frames:
            self.frames.put_nowait(frame)

    def _words(self, error: Exception) -> str:
        if isinstance(error, TablewrightError):
            return describe(error, self.telling.language)
        return error_text(TablewrightError.code, self.telling.language)

    async def _keep(self, response: ExcelResponse | None, error: Exception | None) -> None:
        answered = ResponseRecord(
            message_id=self.telling.message_id,
            channel=self._channel,
            uid=self.channel_request.uid,
            events=tuple(self.telling.stored),
            response=None if response is None else json.loads(wire(response)),
            error=None if error is None else self._words(error),
            run_id=self._run_id,
        )
        try:
            await self.parts.excel().rounds.keep(self.scope, answered)
        except Exception:
            log.exception("what the request %s came to could not be kept", answered.message_id)
