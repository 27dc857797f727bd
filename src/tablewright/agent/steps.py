"""Steps as the agent keeps them: the code to run, and its outcome."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.language import Language
from tablewright.domain.task import StepFacts
from tablewright.sandbox.base import ErrorOutput
from tablewright.texts.catalogue import text


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeStep:
    """A segment to run.

    `also` are the ids of steps announced within it; `end` is its end position in the turn's text; `cut` if the model
    was cut off before the code was complete.
    """

    id: str
    name: str
    code: str
    named: bool = True
    also: tuple[str, ...] = ()
    end: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """A step that ran. `digest` is the text about it for the model."""

    step: CodeStep
    facts: StepFacts
    digest: str
    artifacts: tuple[ArtifactRef, ...] = ()
    error: ErrorOutput | None = None


def nothing_to_run(step_id: str, language: Language) -> StepRecord:
    """Return the failed record for a turn that has neither code nor words."""
    name, message = text("agent.step_unnamed", language), text("agent.nothing_to_run", language)
    error = ErrorOutput(name="NothingToRun", message=message, traceback="")
    facts = StepFacts(name=name, code="", text="", error=f"{error.name}: {message}")
    return StepRecord(step=CodeStep(id=step_id, name=name, code="", named=False), facts=facts, digest="", error=error)
