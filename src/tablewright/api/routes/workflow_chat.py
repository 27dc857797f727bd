"""Workflows inside a chat: what is said begins one, or is the answer that one waits for."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, cast

from fastapi import APIRouter, Response
from sse_starlette import ServerSentEvent

from tablewright.api.dependencies import AskedSpeech, Caller, Parts
from tablewright.api.documents import faults
from tablewright.api.schemas.workflow_chat import ChatFrame, ChatMessage
from tablewright.api.sse import send
from tablewright.api.workflow_chat.fold import failed
from tablewright.api.workflow_chat.frames import frames, only
from tablewright.domain.language import language_of
from tablewright.domain.scope import Scope
from tablewright.errors import InputMissing, NotFound, WorkflowAbsent
from tablewright.service.runs.runs import Ask
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text

router = APIRouter(tags=["workflow chat"])
root = APIRouter(tags=["workflow chat"])
SEPARATOR = "::"
FRAMES: dict[str, Any] = {
    "description": "`data:` frames: `start`, those of nodes, and at the end `done`, `error` or a wait.",
    "content": {
        "text/event-stream": {
            "schema": {
                "type": "object",
                "required": ["data"],
                "properties": {
                    "data": {
                        "type": "string",
                        "contentMediaType": "application/json",
                        "contentSchema": {"$ref": "#/components/schemas/ChatFrame"},
                    }
                },
            }
        }
    },
}


@router.post("/ai/conversation/chat/stream", response_class=Response, responses={200: FRAMES, **faults(409, 422)})
async def chat(parts: Parts, caller: Caller, asked: AskedSpeech, said: ChatMessage) -> Response:
    """Say something: the stream ends when the workflow has, or when it waits for an answer.

    It is in the language of `Accept-Language` or, without, in that of the run, before there is one of what is said."""
    own, speech = _own(said.conversation_id, caller), asked or language_of(said.prompt)
    try:
        if own is None:
            raise NotFound(kind="conversation", id=said.conversation_id)
        accepted = await parts.workflows().chat.take(caller, own, Ask(text=said.prompt, mode="workflow"))
    except NotFound as error:
        if error.params.get("kind") != "conversation":
            raise
        unknown = text("workflow_chat_unknown", speech, id=said.conversation_id)
        return send(_sent(only(failed(unknown))))
    except WorkflowAbsent:
        return send(_sent(only(failed(text("workflow_chat_absent", speech)))))
    except InputMissing as error:
        return send(_sent(only(failed(error_text(error.code, speech, error.params)))))
    return send(_sent(frames(parts.workflows().chat, caller, accepted, asked or accepted.run.language)))


@root.post("/workflow/cancel/{conversation_id:path}", include_in_schema=False)
@router.post("/ai/conversation/workflow/cancel/{conversation_id:path}", response_class=Response)
async def cancel(parts: Parts, caller: Caller, conversation_id: str) -> Response:
    """Stop the workflow of a conversation, whether it runs or waits; nothing happens if there is none."""
    if (own := _own(conversation_id, caller)) is not None:
        await parts.workflows().chat.cancel(caller, own)
    return Response(status_code=200)


def _own(conversation_id: str, caller: Scope) -> str | None:
    """Return the id without the tenant before it; None if that is another."""
    tenant, separator, own = conversation_id.rpartition(SEPARATOR)
    return own if not separator or tenant == caller.tenant else None


async def _sent(frames: AsyncIterator[ChatFrame]) -> AsyncIterator[ServerSentEvent]:
    async with aclosing(cast(AsyncGenerator[ChatFrame], frames)):
        async for frame in frames:
            yield ServerSentEvent(data=frame.model_dump_json(by_alias=True), sep="\n")
