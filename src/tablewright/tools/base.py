"""The interface of tools, their context and their results."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from tablewright.data.sql.base import Databases
from tablewright.domain.artifact import ArtifactSink
from tablewright.domain.events import EventBody
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.language import Language
from tablewright.models.base import Model, ToolSpec
from tablewright.sandbox.base import Input, Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """The run that a tool works for, and what the run lets it use. A call that is no longer wanted is cancelled.

    `inputs` are the run's files as a session reads them; without a `sandbox`, a `model` or `databases` there is none.
    """

    run_id: str
    language: Language
    artifacts: ArtifactSink
    clock: Clock
    ids: Ids
    sandbox: Sandbox | None = None
    inputs: tuple[Input, ...] = ()
    model: Model | None = None
    databases: Databases | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """The result of a call: `text` for the model, `shown` for the person (None: nothing), `detail` for diagnosis.

    `failed`: the tool could not do it, and `text` says why.
    """

    text: str
    shown: str | None = None
    detail: str | None = None
    failed: bool = False


class Tool(Protocol):
    """Something a model can call."""

    @property
    def spec(self) -> ToolSpec:
        """The tool's description for the model."""
        ...

    def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncIterator[EventBody | ToolResult]:
        """Execute the call: yield what happens meanwhile, and last the result.

        Failures are failed results, not raised. Closing the iterator stops the call.
        """
        ...


class ToolProvider(Protocol):
    """A source of tools that may not always be available."""

    async def tools(self) -> tuple[Tool, ...]:
        """Return the tools available now; a source that fails contributes none."""
        ...
