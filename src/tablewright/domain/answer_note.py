"""What is said beside the text of an answer wherever a person or a program reads it."""

from __future__ import annotations

from tablewright.domain.answer import Answer
from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

NUMBERS_TOLD = 50
"""The most numbers that a note names."""


def note_of(answer: Answer, language: Language) -> str:
    """Return which numbers of the text no step has put out; empty without any."""
    numbers = answer.unverified
    shown = (*numbers[:NUMBERS_TOLD], "…") if len(numbers) > NUMBERS_TOLD else numbers
    return text("cli_unproven", language, numbers=", ".join(shown)) if numbers else ""


def with_note(answer: Answer, language: Language) -> str:
    """Return the text of an answer, and below it the note, if there is one."""
    note = note_of(answer, language)
    return f"{answer.text}\n\n{note}" if note else answer.text
