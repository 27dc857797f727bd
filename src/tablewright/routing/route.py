"""Where a question goes, as a value: the policy decides, its caller acts on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AgentName = Literal["code_analyst", "rounds", "chat", "unavailable"]
"""`rounds` changes workbooks; `chat` answers small talk without a model; `unavailable` says that a mode does not exist
yet."""

Reason = Literal["tables", "mode", "operation", "edit", "greeting", "thanks", "abilities", "plan", "workflow"]
"""Why: the question is about tables, it asks for a change of a workbook, the mode says so (`mode`, `edit`), what kind of
small talk it is, or which mode is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The agent that takes a question, and why."""

    agent: AgentName
    reason: Reason
