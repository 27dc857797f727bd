"""The stage before a model reads: results of earlier rounds are made shorter, and what that saves is told."""

from __future__ import annotations

from dataclasses import replace

from tablewright.agent.emission import Emit
from tablewright.agent.structured.cleaning import cleaned
from tablewright.domain.events import ContextCleaned
from tablewright.domain.task import StructuredRound
from tablewright.models.render import render
from tablewright.models.tokens import CalibratedEstimator, TokenCounter


class CleanedContext:
    """A `CleanStage` that shortens results which a model has read before."""

    def __init__(self, counter: TokenCounter | None = None) -> None:
        self._counter = counter or CalibratedEstimator()

    def clean(self, task: StructuredRound, *, model: str, emit: Emit) -> StructuredRound:
        shorter = cleaned(task.rounds, task.language)
        if not shorter.changed:
            return task
        made = replace(task, rounds=shorter.rounds)
        before, after = (self._counter.count(render(one), model=model) for one in (task, made))
        emit(
            ContextCleaned(
                original_tokens=before.tokens,
                cleaned_tokens=after.tokens,
                saved_tokens=before.tokens - after.tokens,
                method=after.method,
            )
        )
        return made
