"""Messages: what passes between a person, the service and a model, in the one form that is stored.

Providers' formats are made from this at the edge (`models/gateway`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

Role = Literal["system", "user", "assistant", "tool"]
Origin = Literal["system", "user", "schema", "statistics", "sample", "output", "file", "web", "tool"]
"""Where a part's content comes from. What a model is told about trust, and any later policy on what may
reach a model, is decided by this alone; only `system` and `user` are ever instructions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """Words."""

    text: str
    origin: Origin
    type: Literal["text"] = "text"
    provider_state: dict[str, Any] | None = None
    """Opaque to us; given back to the provider that wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingPart:
    """A model's reasoning; `provider_state` carries its signature."""

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
    """A model asks for a tool; `call_id` ties the result to it."""

    call_id: str
    name: str
    arguments: dict[str, Any]
    origin: Origin = "output"
    type: Literal["tool_call"] = "tool_call"
    provider_state: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultPart:
    """What a tool gave back, as the model sees it."""

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
        """The words of all text parts, in order."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptEntry:
    """A message that a run's `scope` (one per executor) adds to its transcript."""

    message: Message
    scope: str = "main"
