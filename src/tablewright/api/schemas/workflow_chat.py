"""Requests and frames of workflows inside a chat, as clients of that wire know them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """Names in camel case; what is not known is passed over."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")


class ChatMessage(Wire):
    """What a person says. `conversation_id` may have the caller's tenant before it: `{tenant}::{id}`."""

    conversation_id: str = Field(min_length=1, max_length=400)
    prompt: str = Field(max_length=100_000)


class ChatFrame(Wire):
    """One frame; all six fields are always there."""

    type: str
    content: str = ""
    is_complete: bool = False
    is_waiting_input: bool = False
    runtime_uuid: str | None = None
    workflow_uuid: str | None = None
