"""Events of structured rounds: the answers of the model, its tool calls, code that is kept, a context made shorter.

The order per round is: context cleaned, text…, usage, answer, tool calls started and finished. `code.saved` comes
before the answer of the run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from tablewright.domain.events.base import Body
from tablewright.domain.structured import StructuredAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAnswered(Body):
    """The model has answered in a structured round; the calls that it asks for, if any, begin."""

    answer: StructuredAnswer
    type: Literal["round.answered"] = "round.answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStarted(Body):
    """A tool call begins."""

    tool_call_id: str
    name: str
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    type: Literal["tool.started"] = "tool.started"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFinished(Body):
    """A tool call has ended; `text` is what the model reads of it."""

    tool_call_id: str
    name: str
    text: str
    failed: bool = False
    elapsed_s: float = 0.0
    type: Literal["tool.finished"] = "tool.finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeSaved(Body):
    """A block of code from a report was kept as a file; `original_length` is in characters."""

    code_id: str
    file_id: str
    file_path: str
    description: str
    original_length: int
    type: Literal["code.saved"] = "code.saved"


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRetrieved(Body):
    """Kept code was given back to the model; `content_length` is in characters, before it was cut."""

    code_id: str
    content_length: int
    truncated: bool
    type: Literal["code.retrieved"] = "code.retrieved"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCleaned(Body):
    """What a model is about to read was made shorter; `method` says how the tokens were counted."""

    original_tokens: int
    cleaned_tokens: int
    saved_tokens: int
    method: str
    type: Literal["context.cleaned"] = "context.cleaned"


StructuredEvent = RoundAnswered | ToolStarted | ToolFinished | CodeSaved | CodeRetrieved | ContextCleaned
"""What happens in structured rounds."""
