"""The stream of a chat: the frames of a run until it ends or waits."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import cast

from tablewright.api.schemas.workflow_chat import ChatFrame
from tablewright.api.workflow_chat.fold import ChatFold
from tablewright.domain.events import Event
from tablewright.domain.language import Language
from tablewright.domain.scope import Scope
from tablewright.service.workflow_chat.chat import AcceptedMessage, WorkflowChat


async def frames(
    chat: WorkflowChat, scope: Scope, accepted: AcceptedMessage, language: Language
) -> AsyncIterator[ChatFrame]:
    """Yield what comes of a message: `start`, the nodes, and last `done`, `error` or a wait."""
    fold = ChatFold(run=accepted.run, language=language)
    yield fold.start()
    events = cast(AsyncGenerator[Event], chat.follow(scope, accepted))
    async with aclosing(events):
        async for event in events:
            for frame in fold.take(event):
                yield frame
    if not fold.ended and (asked := await chat.asked(scope, accepted.run.id)) is not None:
        yield fold.waits(asked.node_id, asked.request.prompt)


async def only(frame: ChatFrame) -> AsyncIterator[ChatFrame]:
    """Yield one frame."""
    yield frame
