"""Chat programs and the SDKs of OpenAI: models and chat completions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Request, Response

from tablewright.api.chat_completions.documents import openai_faults
from tablewright.api.chat_completions.fold import ChatFold, content_of
from tablewright.api.chat_completions.frames import Reply
from tablewright.api.chat_completions.models import listed_models, shown_model
from tablewright.api.chat_completions.requests import chat_request
from tablewright.api.chat_completions.words import Links
from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.errors import error_response, respond
from tablewright.api.schemas.chat_completions import ChatCompletion, ChatCompletionRequest, OpenAiModel, OpenAiModels
from tablewright.api.sse import send
from tablewright.api.structured.failures import failure_status
from tablewright.domain.events import Event
from tablewright.domain.language import Language, language_of
from tablewright.domain.run import Run
from tablewright.errors import TablewrightError

router = APIRouter(tags=["openai"])
CHUNKS: dict[str, Any] = {
    "description": "The answer. With `stream`, `data:` frames with chunks of it, and `[DONE]` at the end.",
    "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/ChatChunk"}}},
}
STATUSES = (400, 404, 409, 413, 502, 503, 504, 507)


@router.get("/models", responses=openai_faults())
async def models(parts: Parts, caller: Caller, speech: Speech) -> OpenAiModels:  # noqa: ARG001
    """List the modes of Tablewright as models."""
    return OpenAiModels(data=[*listed_models(parts.models.names, parts.default_model, speech)])


@router.get("/models/{model:path}", responses=openai_faults(404))
async def model(parts: Parts, caller: Caller, speech: Speech, model: str) -> OpenAiModel:  # noqa: ARG001
    """Return a model."""
    return shown_model(model, parts.models.names, speech)


@router.post("/chat/completions", response_model=ChatCompletion, responses={200: CHUNKS, **openai_faults(*STATUSES)})
async def complete(
    parts: Parts, caller: Caller, speech: Speech, request: Request, sent: ChatCompletionRequest
) -> Response:
    """Answer the last message of a chat, in the conversation that the messages before it have led to."""
    links = Links(base=str(request.base_url).rstrip("/"))

    def told(run: Run, events: Iterable[Event]) -> str:
        return content_of(run, events, links)

    try:
        asked = await asyncio.to_thread(chat_request, sent, request.headers, parts.models.names, speech)
        turn = await parts.chats().take(caller, asked, told)
    except TablewrightError as error:
        return respond(error, _language(sent, request, speech))
    reply = Reply(
        chats=parts.chats(), scope=caller, turn=turn, fold=ChatFold(run=turn.run, links=links), model=sent.model
    )
    headers = {"x-request-id": turn.run.id, "x-conversation-id": turn.run.conversation_id}
    if sent.stream:
        options = sent.stream_options
        response = send(reply.chunks(usage=options is not None and bool(options.include_usage)))
        response.headers.update(headers)
        return response
    completion = await reply.whole()
    if (failure := reply.failure) is not None:
        return error_response(failure_status(failure), failure.code, reply.fold.language, failure.params)
    return Response(completion.model_dump_json(), media_type="application/json", headers=headers)


def _language(sent: ChatCompletionRequest, request: Request, speech: Language) -> Language:
    """Return the language of an error: that of the message, where the client does not say which it wants."""
    content = sent.messages[-1].content
    if "accept-language" in request.headers or not isinstance(content, str):
        return speech
    return language_of(content[:1000], speech)
