"""Reads a request of this wire: what it asks for, which chat it is of, and what it asks for that there is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from tablewright.api.chat_completions.models import chosen_model
from tablewright.api.chat_completions.parts import read_parts
from tablewright.api.schemas.chat_completions import ChatCompletionRequest, ChatMessageIn
from tablewright.domain.language import Language
from tablewright.domain.run import Approvals
from tablewright.errors import InvalidInput
from tablewright.service.chats.request import ChatName, ChatRequest, ChatRole, ChatTurn, Repetition

BACKGROUND = frozenset({"system", "developer"})
TOOLS = frozenset({"tool", "function"})
"""Messages of these roles belong to calls that another model has made; they are passed over."""
CERTAIN_HEADER = "x-tablewright-conversation"
CHAT_HEADERS = ("x-conversation-id", "x-openwebui-chat-id")
"""What chat programs name the chat in; they send all of it with every request."""
PERSON_HEADERS = ("x-openwebui-user-id",)
TASK_HEADER = "x-tablewright-task"
NO_NAMES = frozenset({"", "new", "null", "none", "undefined"})
"""What some clients send for a chat that has no name yet."""
KEY_CHARS = 400


def chat_request(
    sent: ChatCompletionRequest, headers: Mapping[str, str], models: Sequence[str], language: Language
) -> ChatRequest:
    """Return what a request says. Raises `InvalidInput`, `FileTooLarge`, `NotFound` or
    `ModelUnknown` (model)."""
    chosen = chosen_model(sent.model, models)
    refuse_unsupported(sent, headers)
    last = len(sent.messages) - 1
    if sent.messages[last].role != "user":
        raise InvalidInput("chat_last_not_user", field=f"messages[{last}].role")
    turns, background = _read(sent.messages)
    return ChatRequest(
        turns=turns,
        background=background,
        mode=chosen.mode,
        model=chosen.model,
        approvals=_approvals(sent.metadata or {}),
        language=language,
        person=_person(sent, headers),
        chat=_chat(sent.metadata or {}, headers),
        repetition=_repetition(headers),
    )


def refuse_unsupported(sent: ChatCompletionRequest, headers: Mapping[str, str]) -> None:
    """Raise `InvalidInput` for the first thing that is asked for and that there is not."""
    kind = sent.response_format.get("type") if isinstance(sent.response_format, Mapping) else sent.response_format
    wanted = {
        "n": sent.n not in {None, 1},
        "tools": bool(sent.tools),
        "functions": bool(sent.functions),
        "tool_choice": sent.tool_choice not in (None, "none", "auto"),
        "function_call": sent.function_call not in (None, "none", "auto"),
        "response_format": kind not in (None, "text"),
        "modalities": sent.modalities not in (None, ["text"]),
        "audio": bool(sent.audio),
        "logprobs": bool(sent.logprobs) or bool(sent.top_logprobs),
        "stop": bool(sent.stop),
        "prediction": bool(sent.prediction),
        "web_search_options": sent.web_search_options is not None,
    }
    for name, asked in wanted.items():
        if asked:
            raise InvalidInput("chat_unsupported", field=name, name=name)
    if headers.get(TASK_HEADER, "").strip():
        raise InvalidInput("chat_task", field=TASK_HEADER)


def _read(messages: Sequence[ChatMessageIn]) -> tuple[tuple[ChatTurn, ...], tuple[str, ...]]:
    turns: list[ChatTurn] = []
    background: list[str] = []
    for number, message in enumerate(messages):
        place = f"messages[{number}]"
        if message.role in TOOLS:
            continue
        if message.role not in BACKGROUND | {"user", "assistant"}:
            raise InvalidInput("chat_role_unknown", field=f"{place}.role", name=message.role[:50])
        read = read_parts(message.content, place, new=message.role == "user" and number == len(messages) - 1)
        if message.role in BACKGROUND:
            background.append(read.text)
            continue
        role = cast(ChatRole, message.role)
        attached = tuple(read.attachments) if role == "user" else ()
        turns.append(ChatTurn(role=role, text=read.text, attachments=attached))
    return tuple(turns), tuple(background)


def _approvals(metadata: Mapping[str, Any]) -> Approvals:
    wanted = metadata.get("approvals", "ask")
    if wanted not in {"ask", "auto"}:
        raise InvalidInput("chat_approvals", field="metadata.approvals")
    return cast(Approvals, wanted)


def _chat(metadata: Mapping[str, Any], headers: Mapping[str, str]) -> ChatName | None:
    for told in (metadata.get("conversation_id"), headers.get(CERTAIN_HEADER)):
        if (key := _key(told)) is not None:
            return ChatName(key=key, certain=True)
    names = (_key(headers.get(header)) for header in CHAT_HEADERS)
    return next((ChatName(key=key) for key in names if key is not None), None)


def _key(told: object) -> str | None:
    key = str(told).strip() if isinstance(told, str | int) else ""
    return None if key.lower() in NO_NAMES else key[:KEY_CHARS]


def _person(sent: ChatCompletionRequest, headers: Mapping[str, str]) -> str:
    named = (sent.user, sent.safety_identifier, *(headers.get(header) for header in PERSON_HEADERS))
    return "\n".join(str(one)[:200] for one in named if isinstance(one, str | int) and str(one).strip())


def _repetition(headers: Mapping[str, str]) -> Repetition:
    count = headers.get("x-stainless-retry-count", "0")
    key = headers.get("idempotency-key", "").strip()
    return Repetition(key=key[:200] or None, again=count.isdecimal() and count.strip("0") != "")
