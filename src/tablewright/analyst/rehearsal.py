"""What the analyst knows by heart, read from its files before the first question."""

from __future__ import annotations

from tablewright.analyst.grammar.forms.words import words_of
from tablewright.analyst.grammar.known_words import vocabulary
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.operating.instructing.intent import asks_for_change


def rehearse() -> None:
    """Read the words of questions, of instructions and of answers' forms."""
    asks_for_change("?")
    vocabulary((), ())
    words_of(tokenize("?"))
