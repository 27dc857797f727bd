"""How a run ends, in the words of its `result`. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.api.chat_completions.words import Links, beside
from tablewright.api.structured.failures import ENDED, failure_of
from tablewright.domain.answer import Answer
from tablewright.domain.events import RunFinished
from tablewright.domain.run import Run
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text


def answer_words(run: Run, answer: Answer) -> str:
    """Return an answer with its table and its note; its files are told beside the words."""
    bare = replace(answer, files=(), charts=())
    notes = beside(bare, (), Links(), run.id, run.language)
    return "\n\n".join(part for part in (answer.text.strip(), *notes) if part)


def failure_words(run: Run, end: RunFinished) -> str:
    """Return why a run has ended without an answer."""
    failure = failure_of(end.outcome, end.failure)
    return error_text(failure.code, run.language, failure.params)


def ended_words(run: Run, end: RunFinished, found: Sequence[tuple[str, str]]) -> str:
    """Return why a run has ended without an answer, and what its tasks have `found`, with each of their answers: it
    must not be lost that somebody waited for it. No model is asked, as none may be left."""
    if not found:
        return failure_words(run, end)
    stopped = end.failure is None and end.outcome in ENDED
    why = text("genie_stopped", run.language) if stopped else failure_words(run, end)
    parts = (f"**{' '.join(task.split())}**\n\n{answer}" for task, answer in found)
    return "\n\n".join((why, text("genie_found", run.language), *parts))
