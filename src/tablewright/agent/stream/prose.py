"""The text of a turn without its code: passages separated by code blocks become paragraphs."""

from __future__ import annotations


class ProseBuffer:
    """Takes words and breaks in order. Joining what `add` returns gives `text`."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._since_code: list[str] = []
        self._gap = ""
        self._fresh = True

    @property
    def text(self) -> str:
        """All words, without surrounding blanks."""
        return "".join(self._text)

    @property
    def since_code(self) -> str:
        """The words after the last code block, or all words if there is none."""
        return "".join(self._since_code).strip()

    def add(self, words: str) -> str:
        """Take more words; return what can be shown now. Trailing blanks are held back until the next word."""
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
        """Note that a code block comes here."""
        self._fresh = True
        self._since_code.clear()
        self._gap = "\n\n" if self._text else ""
