"""Messages between a person, the service and a model, in the only form that is stored.

Providers' formats are derived from it in `models/gateway`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

Role = Literal["system", "user", "assistant", "tool"]
Origin = Literal["system", "user", "schema", "statistics", "sample", "output", "file", "web", "tool"]
"""The source of a part's content.

It alone determines what a model is told about trust, and any policy on what may reach a model; only `system` and `user`
parts are ever instructions.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """A piece of text."""

    text: str
    origin: Origin
    type: Literal["text"] = "text"
    provider_state: dict[str, Any] | None = None
    """Opaque data, returned only to the provider that issued it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingPart:
    """A model's reasoning; `provider_state` contains its signature."""

    text: str
    origin: Origin = "output"
    type: Literal["thinking"] = "thinking"
    provider_state: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagePart:
    """An image as base64."""

    mime: str
    data_base64: str
    origin: Origin
    type: Literal["image"] = "image"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallPart:
    """A model's request to call a tool; `call_id` links the result to it."""

    call_id: str
    name: str
    arguments: dict[str, Any]
    origin: Origin = "output"
    type: Literal["tool_call"] = "tool_call"
    provider_state: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultPart:
    """The result of a tool call, as the model sees it."""

    call_id: str
    name: str
    text: str
    failed: bool = False
    origin: Origin = "tool"
    type: Literal["tool_result"] = "tool_result"


Part = Annotated[TextPart | ThinkingPart | ImagePart | ToolCallPart | ToolResultPart, Field(discriminator="type")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a conversation with a model."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The concatenated texts of all text parts."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptEntry:
    """A message that an executor adds to its transcript in a run; there is one `scope` per executor."""

    message: Message
    scope: str = "main"
