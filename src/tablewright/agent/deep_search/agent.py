"""The agent that searches: each search is a call in its log, and its answer names the passages it stands on."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Emit, Item, closing, emitted
from tablewright.agent.replies import Replies
from tablewright.data.base import SearchProvider, WebPages
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, TextDelta, TextFinished
from tablewright.domain.task import Chat
from tablewright.models.base import ModelRequest, Purpose
from tablewright.models.render import render
from tablewright.tools.deep_search.search import CitedAnswer, DeepSearch
from tablewright.tools.deep_search.tool import engine_of

MOST_LOOPS = 5


class _Shown:
    """Implements `TextListener`: what is written is shown as it comes."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._shown = 0
        self._heard = 0

    def begin(self) -> None:
        self._heard = 0

    def feed(self, piece: str) -> None:
        self._heard += len(piece)
        if (new := piece[max(0, len(piece) - (self._heard - self._shown)) :]) and self._heard > self._shown:
            self._shown = self._heard
            self._emit(TextDelta(text=new))


class DeepSearchAgent:
    """An `Agent`; the steps of its limits are the rounds of searches, at most `MOST_LOOPS`."""

    def __init__(self, provider: SearchProvider | None = None, pages: WebPages | None = None) -> None:
        self._provider = provider
        self._pages = pages

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        items = emitted(lambda emit: self._work(given, context, emit), context.late)
        async with closing(items):
            async for item in items:
                yield item

    async def _work(self, given: AgentInput, context: AgentContext, emit: Emit) -> None:
        async def write(task: Chat, purpose: Purpose) -> str:
            request = ModelRequest(
                messages=render(task), task=task, purpose=purpose, tool_choice="none"
            )  # fmt: skip
            listener = _Shown(emit) if purpose == "conclude" else None
            words = await Replies(model=context.model, emit=emit, listener=listener).text(request)
            if listener is not None and words.strip():
                emit(TextFinished(text=words))
            return words

        search = DeepSearch(
            engine=engine_of(context.files, self._provider, self._pages),
            write=write,
            ids=context.ids,
            language=given.language,
            loops=min(given.limits.steps, MOST_LOOPS),
        )
        async with closing(search.run(given.question)) as found:
            async for item in found:
                if isinstance(item, CitedAnswer):
                    answer = Answer(text=item.written(given.language), outcome="completed")
                    emit(AnswerCompleted(answer=answer))
                else:
                    emit(item)
