"""What a run of a workflow is started with; plain data, for callers that load no workflows before they run one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewright.domain.events import EventBody
from tablewright.domain.language import Language
from tablewright.domain.run import Approvals


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What a run of a workflow is started with.

    `text` is what the person said; a workflow with an input `question` is given it there. Without `conversation_id`, a
    conversation is made.
    """

    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    text: str = ""
    conversation_id: str | None = None
    file_ids: tuple[str, ...] = ()
    language: Language | None = None
    model: str | None = None
    approvals: Approvals = "ask"
    instead_of: str | None = None
    run_id: str | None = None
    """The id of the run, where it was chosen before."""
    told: tuple[EventBody, ...] = ()
    """What the run's log begins with, after the question."""
