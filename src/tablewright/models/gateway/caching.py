"""Which calls ask their provider to keep the beginning of what they send, for the next call that begins alike.

OpenAI and Google keep it by themselves; Anthropic and Bedrock keep what is marked: the tools, the system prompt and the
last message. A call that none follows is not marked, as keeping costs more than reading once.
"""

from __future__ import annotations

from typing import cast

from pydantic_ai.settings import ModelSettings as VendorSettings

from tablewright.domain.task import (
    AnalyzeTable,
    PlanOperations,
    PlanTasks,
    RepairStep,
    StructuredRound,
    Summarize,
    Task,
    UseTools,
)
from tablewright.models.gateway.config import Kind

_CONTINUED = (AnalyzeTable, PlanOperations, PlanTasks, RepairStep, StructuredRound, Summarize, UseTools)
"""Tasks of which a run has several calls, each of which begins as the one before."""
_MARKS: dict[Kind, tuple[str, ...]] = {
    "anthropic": ("anthropic_cache_tool_definitions", "anthropic_cache_instructions", "anthropic_cache_messages"),
    "bedrock": ("bedrock_cache_tool_definitions", "bedrock_cache_instructions", "bedrock_cache_messages"),
}


def cache_marks(kind: Kind, task: Task) -> VendorSettings:
    """Return the settings of a call by which its provider keeps what it is sent."""
    marks = _MARKS.get(kind, ()) if isinstance(task, _CONTINUED) else ()
    return cast(VendorSettings, dict.fromkeys(marks, True))
