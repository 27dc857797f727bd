"""The port to anything that writes like a language model: gateway models, the scripted fake, the built-in analyst."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from tablewright.domain.message import Message
from tablewright.domain.task import Task

BUILTIN = "builtin"
"""The name of the built-in analyst, which is not a language model and uses no tokens."""


@dataclass(frozen=True, slots=True)
class NamedTool:
    """The tool that must be called."""

    name: str


ToolChoice = Literal["none", "auto", "required"] | NamedTool
"""Which tools a model may call: none, any, at least one, or the one that is named."""
EndReason = Literal["stop", "length", "tool_calls", "content_filter"]
Purpose = Literal["analyze", "repair", "conclude", "plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as presented to a model; `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Sampling settings; None leaves a setting to the provider."""

    temperature: float | None = None
    max_output_tokens: int | None = None
    timeout_s: float = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One call.

    `messages` are rendered from `task`, exclusively by `models.render`; a model reads one or the other.
    """

    messages: tuple[Message, ...]
    task: Task
    purpose: Purpose
    tools: tuple[ToolSpec, ...] = ()
    tool_choice: ToolChoice = "auto"
    settings: ModelSettings = field(default_factory=ModelSettings)
    output_schema: dict[str, Any] | None = None
    """The JSON schema of the answer. A provider that can is held to it; from any other the answer comes as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPiece:
    """A further piece of text."""

    text: str
    type: Literal["text"] = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingPiece:
    """A further piece of reasoning."""

    text: str
    type: Literal["thinking"] = "thinking"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled:
    """A complete tool call, emitted once its arguments are complete."""

    call_id: str
    name: str
    arguments: dict[str, Any]
    provider_state: dict[str, Any] | None = None
    type: Literal["tool_call"] = "tool_call"


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageSeen:
    """Token counts as reported by the provider, or as estimated."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    method: Literal["provider", "estimate"] = "provider"
    type: Literal["usage"] = "usage"


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamEnded:
    """Always the last part, exactly once, with the complete message.

    A stream that ends without it raised `ModelStreamCut`.
    """

    message: Message
    reason: EndReason = "stop"
    type: Literal["ended"] = "ended"


StreamPart = TextPiece | ThinkingPiece | ToolCalled | UsageSeen | StreamEnded


class Model(Protocol):
    """Something that answers a request with a stream.

    Raises errors of the `ModelError` family. Closing the iterator (or cancelling its task) stops the call at once.
    """

    @property
    def name(self) -> str:
        """The model's name: `provider:model`, or `builtin`."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamPart]:
        """Answer `request` with a stream of parts, the last of which is `StreamEnded`."""
        ...


@runtime_checkable
class SizedModel(Protocol):
    """A model that knows how much it reads."""

    @property
    def input_tokens(self) -> int | None:
        """The most tokens that a call takes; None where that is not known."""
        ...


def input_tokens_of(model: object) -> int | None:
    """Return the most tokens that a call of `model` takes; None where that is not known."""
    return model.input_tokens if isinstance(model, SizedModel) else None


class ModelCatalogue(Protocol):
    """The models that a request can name."""

    def get(self, name: str) -> Model:
        """Return the model called `name` (`builtin`, `provider:model`).

        Raises `ModelUnknown`, which lists similar names.
        """
        ...
