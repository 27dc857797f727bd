"""Separate reasoning that a model writes into its text (`<think>` … `</think>` at the start), however it is
split up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tablewright.models.base import TextPiece, ThinkingPiece

OPEN = "<think>"
CLOSE = "</think>"


class ThinkSplitter:
    """Splits arriving text into reasoning and answer. It holds back only what may still become a tag."""

    def __init__(self) -> None:
        self._held = ""
        self._state: Literal["start", "thinking", "gap", "words"] = "start"

    def feed(self, text: str) -> Iterator[TextPiece | ThinkingPiece]:
        """Add `text` and yield what can be classified."""
        self._held += text
        if self._state == "start":
            self._begin()
        if self._state == "thinking" and (thought := self._thought()):
            yield ThinkingPiece(text=thought)
        if self._state == "gap":
            self._held = self._held.lstrip()
            self._state = "words" if self._held else "gap"
        if self._state == "words" and self._held:
            yield TextPiece(text=self._held)
            self._held = ""

    def end(self) -> Iterator[TextPiece | ThinkingPiece]:
        """Yield what was held back."""
        if self._held:
            held, self._held = self._held, ""
            yield ThinkingPiece(text=held) if self._state == "thinking" else TextPiece(text=held)

    def _begin(self) -> None:
        begun = self._held.lstrip()
        if begun.startswith(OPEN):
            self._state = "thinking"
            self._held = begun[len(OPEN) :]
        elif not OPEN.startswith(begun):
            self._state = "words"

    def _thought(self) -> str:
        """Remove and return the reasoning that is certain from the text held back."""
        thought, closed, rest = self._held.partition(CLOSE)
        if closed:
            self._state = "gap"
            self._held = rest
            return thought
        keep = _overlap(thought, CLOSE)
        self._held = thought[len(thought) - keep :]
        return thought[: len(thought) - keep]


def _overlap(text: str, tag: str) -> int:
    """Return how many of the last characters of `text` may be the beginning of `tag`."""
    return next((size for size in range(min(len(text), len(tag) - 1), 0, -1) if tag.startswith(text[-size:])), 0)
