"""The port to anything that writes like a language model: the gateway to real ones, the scripted fake, the analyst."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from tablewright.domain.message import Message
from tablewright.domain.task import Task

BUILTIN = "builtin"
"""The name of the built-in analyst, which is no language model and counts no tokens."""

ToolChoice = Literal["none", "auto", "required"]
EndReason = Literal["stop", "length", "tool_calls", "content_filter"]
Purpose = Literal["analyze", "repair", "conclude", "plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as a model sees it; `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """How to sample; None leaves it to the provider."""

    temperature: float | None = None
    max_output_tokens: int | None = None
    timeout_s: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One call. `messages` are rendered from `task` (by `models.render` alone); a model reads either."""

    messages: tuple[Message, ...]
    task: Task
    purpose: Purpose
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: ToolChoice = "auto"
    settings: ModelSettings = field(default_factory=ModelSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPiece:
    """Some more text."""

    text: str
    type: Literal["text"] = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingPiece:
    """Some more reasoning."""

    text: str
    type: Literal["thinking"] = "thinking"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled:
    """A whole tool call. Emitted once its arguments are complete."""

    call_id: str
    name: str
    arguments: dict[str, Any]
    provider_state: dict[str, Any] | None = None
    type: Literal["tool_call"] = "tool_call"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageSeen:
    """Tokens as the provider counted them, or as estimated."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    method: Literal["provider", "estimate"] = "provider"
    type: Literal["usage"] = "usage"


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamEnded:
    """Always last, once, with the whole message; a stream without it raised `ModelStreamCut`."""

    message: Message
    reason: EndReason = "stop"
    type: Literal["ended"] = "ended"


StreamPart = TextPiece | ThinkingPiece | ToolCalled | UsageSeen | StreamEnded


class Model(Protocol):
    """Something that answers a request as a stream.

    Raises errors of the `ModelError` family. Closing the iterator (or cancelling its task) stops the call at once.
    """

    @property
    def name(self) -> str:
        """`provider:model`, or `builtin`."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        """Answer `request`; the last part is `StreamEnded`."""
        ...


class ModelCatalogue(Protocol):
    """The models that may be named in a request."""

    def get(self, name: str) -> Model:
        """Return the model called `name` (`builtin`, `provider:model`); `ModelUnknown` lists the near ones."""
        ...
