"""The shape of every agent, and what it is given."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Protocol

from tablewright.domain.artifact import ArtifactSink
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.events import EventBody
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.language import Language
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.run import Approvals, OpenRequest, RunLimits
from tablewright.domain.task import TurnFacts
from tablewright.models.base import Model
from tablewright.sandbox.base import Input, Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentInput:
    """What to do. `transcript` is what this run has written so far (empty at its first iteration), `answered` the
    requests that a person has answered since."""

    run_id: str
    question: str
    language: Language
    datasets: tuple[DatasetFacts, ...]
    inputs: tuple[Input, ...]
    history: tuple[TurnFacts, ...] = ()
    transcript: tuple[Message, ...] = ()
    answered: tuple[OpenRequest, ...] = ()
    limits: RunLimits = field(default_factory=RunLimits)
    approvals: Approvals = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """What to do it with."""

    model: Model
    sandbox: Sandbox
    artifacts: ArtifactSink
    clock: Clock
    ids: Ids


class Agent(Protocol):
    """Yields event bodies for the run's log and entries for its transcript, in the order in which they happen.

    It never yields `run.started`, `run.finished` or `message.added`: the service frames the run. It ends with
    `answer.completed`, or having asked a person something, or by raising a `TablewrightError`, which ends the run as
    failed (`RunLimit`: as `limit`). Cancelling the task that iterates stops model and code.
    """

    def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        """Work on the question."""
        ...
