"""A chat program on OpenAI's SDK: it keeps all messages and sends them with every request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from openai import AsyncOpenAI
from starlette.types import ASGIApp
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S, found
from tests.support.service_bench import Items

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.cli.serve import bind
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, ApprovalRequested, QuestionAsked, TextDelta, TextFinished

TABLE = b"city,amount\nBeijing,120\nShanghai,80\n"
MODEL = "tablewright-analyze"
"""No message to it is for a workflow, which would load an index."""


@asynccontextmanager
async def served(parts: FakeParts, access: Access, make: Callable[..., ASGIApp] = create_api) -> AsyncIterator[str]:
    """Serve fake parts on a free port; yields the address that clients of OpenAI are given."""
    listening = bind("127.0.0.1", 0)
    config = uvicorn.Config(make(parts.opening(), access), log_config=None, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening]))

    async def started() -> bool | None:
        return server.started or serving.done() or None

    await found(started)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        server.should_exit = True
        async with asyncio.timeout(PATIENCE_S):
            await serving


@dataclass(slots=True, kw_only=True)
class Heard:
    """One reply: what the client was told, and the conversation and the run behind it."""

    content: str
    reasoning: str
    finish: str | None
    conversation: str
    run: str
    usage: Any = None
    chunks: list[Any] = field(default_factory=list[Any])


@dataclass(slots=True, kw_only=True)
class ChatClient:
    """One chat. `extra` goes with every request; `headers` too."""

    client: AsyncOpenAI
    model: str = MODEL
    messages: list[Any] = field(default_factory=list[Any])
    headers: dict[str, str] = field(default_factory=dict[str, str])
    extra: dict[str, Any] = field(default_factory=dict[str, Any])

    async def say(self, content: Any, *, stream: bool = False, **more: Any) -> Heard:
        """Send a message with all before it, and keep the reply."""
        self.messages.append({"role": "user", "content": content})
        heard = await (self.streamed(**more) if stream else self.whole(**more))
        self.messages.append({"role": "assistant", "content": heard.content})
        return heard

    async def whole(self, **more: Any) -> Heard:
        """Send all messages and return the reply."""
        raw = await self.client.chat.completions.with_raw_response.create(
            model=self.model, messages=list(self.messages), extra_headers=self.headers, **self.extra, **more
        )
        told = raw.parse()
        message = told.choices[0].message
        return Heard(
            content=message.content or "",
            reasoning=getattr(message, "reasoning_content", None) or "",
            finish=told.choices[0].finish_reason,
            conversation=raw.headers["x-conversation-id"],
            run=raw.headers["x-request-id"],
            usage=told.usage,
        )

    async def streamed(self, **more: Any) -> Heard:
        """Send all messages and return what the chunks amount to."""
        raw = await self.client.chat.completions.with_raw_response.create(
            model=self.model,
            messages=list(self.messages),
            stream=True,
            stream_options={"include_usage": True},
            extra_headers=self.headers,
            **self.extra,
            **more,
        )
        chunks = [chunk async for chunk in raw.parse()]
        choices = [chunk.choices[0] for chunk in chunks if chunk.choices]
        return Heard(
            content="".join(one.delta.content or "" for one in choices),
            reasoning="".join(getattr(one.delta, "reasoning_content", None) or "" for one in choices),
            finish=next((one.finish_reason for one in choices if one.finish_reason), None),
            conversation=raw.headers["x-conversation-id"],
            run=raw.headers["x-request-id"],
            usage=next((chunk.usage for chunk in chunks if not chunk.choices), None),
            chunks=chunks,
        )

    def branch(self, messages: Iterable[Any]) -> ChatClient:
        """Return the same client with other messages."""
        return ChatClient(
            client=self.client, model=self.model, messages=list(messages), headers=self.headers, extra=self.extra
        )


Opening = Callable[..., Awaitable[ChatClient]]
"""Opens a chat, with a script behind it and by a key."""


async def echoing(given: AgentInput, context: AgentContext) -> Items:
    """Answer with the question, the turns before it and the files."""
    words = f"You said: {given.question} (turns: {len(given.history)}, tables: {len(given.datasets)})"
    yield TextDelta(text=words[:9])
    yield TextDelta(text=words[9:])
    yield TextFinished(text=words)
    yield AnswerCompleted(answer=Answer(text=words, outcome="completed"))


async def asking(given: AgentInput, context: AgentContext) -> Items:
    """Ask for consent first, then which city; then tell what was answered."""
    answered = [one.answer for one in given.answered if one.answer is not None]
    if not given.transcript and not answered:
        yield ApprovalRequested(request_id=context.ids.new(), prompt="Delete 3 rows?")
        return
    said = answered[-1]
    if said.decision != "answer":
        if said.decision == "reject" and said.text is None:
            yield AnswerCompleted(answer=Answer(text="Nothing was done.", outcome="declined"))
            return
        words = f"Which city? ({said.decision}: {said.text})"
        yield QuestionAsked(request_id=context.ids.new(), prompt=words, options=("Beijing", "Shanghai"))
        return
    yield AnswerCompleted(answer=Answer(text=f"Done for {said.text}.", outcome="completed"))
