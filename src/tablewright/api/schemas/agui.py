"""Requests of the AG-UI wire; what they have beyond this is passed over."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

Id = Annotated[str, Field(min_length=1, max_length=300)]


class Wire(BaseModel):
    """Names in camel case; what is not known is passed over."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")


class AguiMessage(Wire):
    """A message of the thread. `content` is text, or parts of the types `text` and `document`."""

    role: Annotated[str, Field(max_length=50)]
    content: str | list[dict[str, Any]] | dict[str, Any] | None = None


class AguiContext(Wire):
    """What the page knows; of its text only tables are read."""

    value: str = ""


class AguiResume(Wire):
    """The answer to an interrupt."""

    interrupt_id: Id
    status: Literal["resolved", "cancelled"]
    payload: Any = None


class AguiRun(Wire):
    """What is said in a thread, or the answers to what its run has asked.

    `forwardedProps` may have `mode`, `model` and `approvals`, as in messages of the native API.
    """

    thread_id: Id
    run_id: Id
    messages: Annotated[list[AguiMessage], Field(max_length=10_000)] = Field(default_factory=list[AguiMessage])
    context: Annotated[list[AguiContext], Field(max_length=100)] | None = None
    forwarded_props: dict[str, Any] | None = None
    resume: Annotated[list[AguiResume], Field(max_length=100)] | None = None
