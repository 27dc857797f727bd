"""The words of a turn, without its code: what was read apart by code blocks reads on as paragraphs."""

from __future__ import annotations


class WordFlow:
    """Takes words and breaks in order. What `add` returns, joined, is `text`."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._since_code: list[str] = []
        self._gap = ""
        self._fresh = True

    @property
    def text(self) -> str:
        """All words, without blanks around them."""
        return "".join(self._text)

    @property
    def since_code(self) -> str:
        """The words after the last code block, or all where there was none."""
        return "".join(self._since_code).strip()

    def add(self, words: str) -> str:
        """Take more words; returns what can be shown now: blanks wait for the word after them."""
        if self._fresh:
            words = words.lstrip()
        shown = (self._gap + words).rstrip()
        if not words.strip():
            self._gap += words
            return ""
        self._gap = words[len(words.rstrip()) :]
        self._fresh = False
        self._text.append(shown)
        self._since_code.append(shown)
        return shown

    def code(self) -> None:
        """Note that a code block stands here."""
        self._fresh = True
        self._since_code.clear()
        self._gap = "\n\n" if self._text else ""
