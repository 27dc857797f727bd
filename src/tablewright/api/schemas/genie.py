"""Requests and replies of Genie's wire; what a request has beyond this is passed over."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

OutputStyle = Literal["html", "docs", "table", "ppt", "dataAgent"]
Key = Annotated[str, Field(min_length=1, max_length=300)]


class GenieWire(BaseModel):
    """Names in camel case; what is not known is passed over."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")


class GenieQuery(GenieWire):
    """What is asked in a session. `deepThink` 0, null or none: one agent; else a plan that several carry out."""

    session_id: Key | None = None
    request_id: Key | None = None
    query: Annotated[str, Field(max_length=100_000)]
    deep_think: int | str | bool | None = None
    output_style: Annotated[str, Field(max_length=50)] | None = None


class AgentMessage(GenieWire):
    """Something that was said before; what neither the user nor the assistant has said is passed over."""

    role: Literal["user", "assistant", "system", "tool"]
    content: Annotated[str, Field(max_length=100_000)]


class AgentQuery(GenieWire):
    """What an agent is to do. `agentType` is its number, or an agent's name. Without `isStream` thoughts come whole."""

    request_id: Key
    session_id: Key | None = None
    erp: Annotated[str, Field(max_length=300)] | None = None
    query: Annotated[str, Field(max_length=100_000)]
    agent_type: int | str | None = None
    base_prompt: Annotated[str, Field(max_length=100_000)] | None = None
    sop_prompt: Annotated[str, Field(max_length=100_000)] | None = None
    is_stream: bool | None = None
    messages: Annotated[list[AgentMessage], Field(max_length=1_000)] | None = None
    output_style: Annotated[OutputStyle | None, BeforeValidator(lambda value: value or None)] = None


class GenieQuestion(GenieWire):
    """A question about data."""

    content: Annotated[str, Field(max_length=100_000)]


class GenieReply(BaseModel):
    """Data, or with a code other than 200 why there are none."""

    code: int = 200
    msg: str | None = None
    data: Any = None
