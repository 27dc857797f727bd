"""Steps as the agent keeps them: what is to run, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.task import StepFacts
from tablewright.sandbox.base import ErrorOutput


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A segment that is to run. `also` are the ids of steps announced within it; `end` is where it ends in the turn's
    text; `cut` when the model was cut off before the code was whole."""

    id: str
    name: str
    code: str
    named: bool = True
    also: tuple[str, ...] = ()
    end: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """A step that ran. `told` is what the model reads of it."""

    step: Step
    facts: StepFacts
    told: str
    artifacts: tuple[ArtifactRef, ...] = ()
    error: ErrorOutput | None = None
