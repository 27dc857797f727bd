"""The answers of this wire: whole, or in chunks as the run goes on."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

from sse_starlette import ServerSentEvent

from tablewright.api.chat_completions.faults import failure_written
from tablewright.api.chat_completions.fold import ChatFold, Piece, Usage
from tablewright.api.schemas.chat_completions import (
    CachedTokens,
    ChatChoice,
    ChatChunk,
    ChatChunkChoice,
    ChatCompletion,
    ChatDelta,
    ChatMessageOut,
    ChatUsage,
    FinishReason,
)
from tablewright.api.structured.failures import failure_of, failure_status
from tablewright.domain.events import Event
from tablewright.domain.run import RunFailure
from tablewright.domain.scope import Scope
from tablewright.service.chats.chats import Chats
from tablewright.service.chats.places import TakenTurn

ENDED_WELL = frozenset({"completed", "declined"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The reply to one message: what it is made of, and the name of the model as it was asked for."""

    chats: Chats
    scope: Scope
    turn: TakenTurn
    fold: ChatFold
    model: str

    async def pieces(self) -> AsyncIterator[Piece]:
        """Yield what the run adds until it ends or waits, and what it waits for."""
        events = cast(AsyncGenerator[Event], self.chats.follow(self.scope, self.turn))
        async with aclosing(events):
            async for event in events:
                for piece in self.fold.take(event):
                    if piece.text:
                        yield piece
        if self.fold.outcome is None:
            for piece in self.fold.rests(await self.chats.asked(self.scope, self.turn.run.id)):
                yield piece

    @property
    def failure(self) -> RunFailure | None:
        """Why there is no answer, if the run has ended without one."""
        outcome = self.fold.outcome
        if outcome is None or outcome in ENDED_WELL or (outcome == "limit" and self.fold.answer is not None):
            return None
        return failure_of(outcome, self.fold.failure)

    @property
    def reason(self) -> FinishReason:
        """Why the answer ends where it does."""
        answer = self.fold.answer
        cut = self.fold.outcome == "limit" or (answer is not None and answer.stopped_by is not None)
        return "length" if cut else "stop"

    async def whole(self) -> ChatCompletion:
        """Return the answer once it is complete; with a `failure` it is not one."""
        written: dict[str, list[str]] = {"content": [], "reasoning": []}
        async with aclosing(cast(AsyncGenerator[Piece], self.pieces())) as pieces:
            async for piece in pieces:
                written[piece.channel].append(piece.text)
        message = ChatMessageOut(
            content="".join(written["content"]), reasoning_content="".join(written["reasoning"]) or None
        )
        return ChatCompletion(
            id=self._id,
            created=self._created,
            model=self.model,
            choices=[ChatChoice(message=message, finish_reason=self.reason)],
            usage=usage_of(self.fold.usage),
        )

    async def chunks(self, *, usage: bool) -> AsyncIterator[ServerSentEvent]:
        """Yield the chunks, with `usage` also the tokens; a failure ends them as an error."""
        yield self._sent(ChatDelta(role="assistant", content=""), usage=usage)
        async with aclosing(cast(AsyncGenerator[Piece], self.pieces())) as pieces:
            async for piece in pieces:
                name = "content" if piece.channel == "content" else "reasoning_content"
                yield self._sent(ChatDelta.model_validate({name: piece.text}), usage=usage)
        if (failure := self.failure) is not None:
            fault = failure_written(failure_status(failure), failure, self.fold.language)
            yield ServerSentEvent(data=json.dumps(fault, ensure_ascii=False), sep="\n")
            return
        yield self._sent(ChatDelta(), self.reason, usage=usage)
        if usage:
            last = self._chunk([]).model_copy(update={"usage": usage_of(self.fold.usage)})
            yield ServerSentEvent(data=last.model_dump_json(), sep="\n")
        yield ServerSentEvent(data="[DONE]", sep="\n")

    @property
    def _id(self) -> str:
        return f"chatcmpl-{self.turn.run.id}"

    @property
    def _created(self) -> int:
        return int(self.turn.run.created_at.timestamp())

    def _chunk(self, choices: list[ChatChunkChoice]) -> ChatChunk:
        return ChatChunk(id=self._id, created=self._created, model=self.model, choices=choices)

    def _sent(self, delta: ChatDelta, reason: FinishReason | None = None, *, usage: bool) -> ServerSentEvent:
        chunk = self._chunk([ChatChunkChoice(delta=delta, finish_reason=reason)])
        told = chunk.model_dump(exclude=None if usage else {"usage"})
        told["choices"][0]["delta"] = delta.model_dump(exclude_none=True)
        return ServerSentEvent(data=json.dumps(told, ensure_ascii=False), sep="\n")


def usage_of(usage: Usage) -> ChatUsage:
    """Return the tokens as the wire has them."""
    return ChatUsage(
        prompt_tokens=usage.input_tokens,
        completion_tokens=usage.output_tokens,
        total_tokens=usage.input_tokens + usage.output_tokens,
        prompt_tokens_details=CachedTokens(cached_tokens=usage.cached_tokens),
    )
