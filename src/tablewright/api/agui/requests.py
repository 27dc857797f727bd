"""Reads a request of AG-UI: what is said in a thread, or what is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from tablewright.api.chat_completions.models import chosen_model
from tablewright.api.chat_completions.parts import ReadParts, read_parts
from tablewright.api.schemas.agui import AguiMessage, AguiResume, AguiRun
from tablewright.domain.language import Language
from tablewright.domain.run import Approvals, Mode, OpenRequest, RequestAnswer
from tablewright.errors import InvalidInput, NotFound, QuestionMissing
from tablewright.service.chats.request import ChatName, ChatRequest, ChatRole, ChatTurn

SPOKEN = frozenset({"user", "assistant"})
BACKGROUND = frozenset({"system", "developer"})
_SOURCES = {"data": "file_data", "file": "file_id"}


def thread_request(sent: AguiRun, models: Sequence[str], language: Language) -> ChatRequest:
    """Return what is said in a thread. Raises `QuestionMissing`, `InvalidInput`, `FileTooLarge` or `ModelUnknown`."""
    said = [(number, message) for number, message in enumerate(sent.messages) if message.role in SPOKEN]
    if not said or said[-1][1].role != "user":
        raise QuestionMissing(field="messages")
    last = said[-1][0]
    told = sent.forwarded_props or {}
    background = [_parts(message, "", new=False).text for message in sent.messages if message.role in BACKGROUND]
    return ChatRequest(
        turns=tuple(_turn(message, f"messages[{number}]", new=number == last) for number, message in said),
        background=(*background, *(context.value for context in sent.context or ())),
        mode=_mode(told),
        model=_model(told, models),
        approvals=_approvals(told),
        language=language,
        chat=thread_name(sent),
    )


def thread_name(sent: AguiRun) -> ChatName:
    """Return the name of the chat that a thread is."""
    return ChatName(key=sent.thread_id, certain=True)


def answer_to(entry: AguiResume, request: OpenRequest) -> RequestAnswer:
    """Return the answer of a page to what a run asks. Raises `InvalidInput` if it says nothing of it."""
    payload = entry.payload
    told: Mapping[str, Any] = payload if isinstance(payload, Mapping) else {}
    if request.kind != "question":
        approved = payload if isinstance(payload, bool) else told.get("approved")
        if entry.status == "cancelled" or approved is False:
            return RequestAnswer(decision="reject", text=_text(told.get("text")))
        if approved is not True:
            raise InvalidInput("agui_no_decision", field="resume")
        plan = told.get("plan")
        return RequestAnswer(decision="approve", plan=dict(plan) if isinstance(plan, Mapping) else None)
    if entry.status == "cancelled":
        return RequestAnswer(decision="reject")
    words = payload if isinstance(payload, str) else _text(told.get("text"))
    if words is not None:
        return RequestAnswer(decision="answer", text=words)
    if not told:
        raise InvalidInput("agui_no_answer", field="resume")
    return RequestAnswer(decision="answer", values=dict(told))


def _turn(message: AguiMessage, place: str, *, new: bool) -> ChatTurn:
    read = _parts(message, place, new=new)
    attached = tuple(read.attachments) if message.role == "user" else ()
    return ChatTurn(role=cast(ChatRole, message.role), text=read.text, attachments=attached)


def _parts(message: AguiMessage, place: str, *, new: bool) -> ReadParts:
    content = message.content
    if isinstance(content, Mapping):
        return ReadParts()
    if isinstance(content, list):
        content = [_part(part) for part in content]
    return read_parts(content, place, new=new)


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return a part as the other wire has it: a document is a file, from its bytes or by its id."""
    source = part.get("source")
    if not isinstance(source, Mapping):
        return dict(part)
    kind, value = str(source.get("type")), source.get("value")
    if part.get("type") == "document" and kind in _SOURCES:
        metadata = part.get("metadata")
        name = metadata.get("filename") if isinstance(metadata, Mapping) else None
        if kind == "data" and isinstance(value, str) and not value.startswith("data:"):
            value = f"data:{source.get('mimeType', '')};base64,{value}"
        return {"type": "file", "file": {_SOURCES[kind]: value, "filename": name}}
    if part.get("type") == "image":
        return {"type": "image_url", "image_url": {"url": value} if kind == "url" else {}}
    return {"type": part.get("type")}


def _text(told: object) -> str | None:
    return told if isinstance(told, str) and told.strip() else None


def _mode(told: Mapping[str, Any]) -> Mode:
    mode = told.get("mode", "auto")
    if mode not in get_args(Mode):
        raise NotFound(kind="mode", id=str(mode)[:50], field="forwardedProps.mode")
    return cast(Mode, mode)


def _model(told: Mapping[str, Any], models: Sequence[str]) -> str | None:
    name = told.get("model")
    return chosen_model(f"tablewright@{name}", models).model if isinstance(name, str) and name else None


def _approvals(told: Mapping[str, Any]) -> Approvals:
    approvals = told.get("approvals", "ask")
    if approvals not in get_args(Approvals):
        raise InvalidInput("chat_approvals", field="forwardedProps.approvals")
    return cast(Approvals, approvals)
