"""What is said beside the text of an answer wherever a person or a program reads it."""

from __future__ import annotations

from tablewright.domain.answer import Answer
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

NUMBERS_TOLD = 50
"""The most numbers that a note names."""
LIMITS = frozenset({"steps", "tokens", "wall_clock_s"})
"""The limits of runs; the one on rounds is told by the text of the answer."""


def note_of(answer: Answer, language: Language) -> str:
    """Return which numbers of the text no step has put out; empty without any."""
    numbers = answer.unverified
    shown = (*numbers[:NUMBERS_TOLD], "…") if len(numbers) > NUMBERS_TOLD else numbers
    return text("cli_unproven", language, numbers=", ".join(shown)) if numbers else ""


def limit_note(answer: Answer, language: Language) -> str:
    """Return which limit ended the work early; empty without any, and where the text says so itself."""
    limit = answer.stopped_by
    return text(f"answer_limit_{limit}", language) if limit in LIMITS else ""


def with_note(answer: Answer, language: Language) -> str:
    """Return the text of an answer, and below it the notes, if there are any."""
    notes = (note_of(answer, language), limit_note(answer, language))
    return "\n\n".join((answer.text, *filter(None, notes)))
