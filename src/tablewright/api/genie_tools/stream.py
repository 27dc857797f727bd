"""Carries out calls of tool services and gives their frames; the last one comes whatever happens."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

import anyio
from sse_starlette import ServerSentEvent
from starlette.responses import JSONResponse, Response

from tablewright.api.genie.stream import words_of
from tablewright.api.genie_tools.folds import Frame, ToolFold
from tablewright.api.sse import send
from tablewright.domain.events import Event
from tablewright.domain.language import Language
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.errors import OwnerLost, TablewrightError
from tablewright.service.tool_services.calls import ToolCall, ToolCalls

log = logging.getLogger(__name__)
HEARTBEAT_S = 15
HEARTBEAT, DONE = "heartbeat", "[DONE]"
Folded = Callable[[Run], ToolFold]
Finish = Callable[[ToolFold], Awaitable[Frame]]
Failed = Callable[[str], Frame]
"""Makes the last frame of a call that came to nothing, of the words that say why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A call of a service: what it is to do, the fold of its run, its last frame, and that of a failure."""

    calls: ToolCalls
    scope: Scope
    call: ToolCall
    language: Language
    fold: Folded
    finish: Finish
    failed: Failed

    def streamed(self) -> Response:
        """Return the call as a stream: frames, `heartbeat` every 15 seconds, and `[DONE]`."""
        return send(
            self._encoded(),
            ping_s=HEARTBEAT_S,
            ping=lambda: _line(HEARTBEAT),
            parting=self._parting,
        )

    async def whole(self) -> tuple[ToolFold, Frame]:
        """Return the result of the call once it has ended. Raises what keeps it from beginning."""
        run = await self.calls.begin(self.scope, self.call)
        fold = self.fold(run)
        async for event in self.calls.follow(self.scope, run):
            for _ in fold.take(event):
                pass
        fold.rests(await self.calls.waits_for(self.scope, run) if not fold.ended else ())
        return fold, await self.finish(fold)

    async def frames(self) -> AsyncIterator[Frame]:
        """Yield the frames. Where the reader goes away, the run is stopped."""
        run: Run | None = None
        try:
            run = await self.calls.begin(self.scope, self.call)
            fold = self.fold(run)
            async with aclosing(cast(AsyncGenerator[Event], self.calls.follow(self.scope, run))) as events:
                async for event in events:
                    for frame in fold.take(event):
                        yield frame
            fold.rests(await self.calls.waits_for(self.scope, run) if not fold.ended else ())
            last = await self.finish(fold)
            run = None
            for frame in fold.before_last():
                yield frame
        except TablewrightError as error:
            last = self.failed(words_of(error, self.language))
        except Exception:
            log.exception("a call of a tool service failed")
            last = self.failed(words_of(TablewrightError(), self.language))
        finally:
            if run is not None:
                with anyio.CancelScope(shield=True):
                    await self.calls.leave(self.scope, run)
        yield last

    async def _encoded(self) -> AsyncIterator[ServerSentEvent]:
        async with aclosing(cast(AsyncGenerator[Frame], self.frames())) as frames:
            async for frame in frames:
                yield _line(json.dumps(frame, ensure_ascii=False, separators=(",", ":")))
        yield _line(DONE)

    def _parting(self) -> Iterator[ServerSentEvent]:
        """Say that the service stops, where the last frame has not been sent."""
        frame = self.failed(words_of(OwnerLost(run_id=""), self.language))
        yield _line(json.dumps(frame, ensure_ascii=False, separators=(",", ":")))
        yield _line(DONE)


def plain_reply(request_id: str, fold: ToolFold, last: Frame) -> Response:
    """Return the result of a call that is not streamed; a `code` other than 200 says that there is none."""
    words = next((last[name] for name in ("codeOutput", "data", "answer") if name in last), "")
    files = last.get("fileInfo", last.get("file_info", []))
    code = 500 if fold.answer is None else 200
    return JSONResponse({"code": code, "data": words, "fileInfo": files, "requestId": request_id})


def _line(words: str) -> ServerSentEvent:
    return ServerSentEvent(data=words, sep="\n")
