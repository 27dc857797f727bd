"""The shape of every tool, what it is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tablewright.domain.artifact import ArtifactSink
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.language import Language
from tablewright.models.base import ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """On whose run's behalf a tool works. A call that is not wanted any more is cancelled as a task."""

    run_id: str
    language: Language
    artifacts: ArtifactSink
    clock: Clock
    ids: Ids


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What came of a call, for each who looks: `text` for the model, `shown` for the person (None: nothing), `detail`
    for who looks for a mistake. `failed` when the tool could not do it; `text` then says why."""

    text: str
    shown: str | None = None
    detail: str | None = None
    failed: bool = False


class Tool(Protocol):
    """Something a model may call."""

    @property
    def spec(self) -> ToolSpec:
        """How a model sees it."""
        ...

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
        """Do it. What cannot be done is a failed result."""
        ...


class ToolProvider(Protocol):
    """Where tools come from that are not always there."""

    async def tools(self) -> tuple[Tool, ...]:
        """Return the tools that can be had now; a source that fails has none."""
        ...
