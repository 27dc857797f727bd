"""Takes scripts and places of saved code out of a report before anything parses it, and leaves marks for them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Literal

_FIRST, _LAST = "\ue000", "\ue001"
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_START = re.compile(
    r"(?P<fence>^[ \t>]{0,20}(?:`{3,}|~{3,}))|(?P<ticks>`+)|(?P<comment><!--)|(?P<script><script(?=[\s/>]))"
    r"|<(?P<swallows>textarea|title|style|xmp|iframe|noembed|noframes|plaintext)(?=[\s/>])",
    re.MULTILINE | re.IGNORECASE,
)
_SCRIPT_HEAD = re.compile(r"""<script(?:[^>"']|"[^"]{0,2000}"|'[^']{0,2000}')*>""", re.IGNORECASE)
_SCRIPT_END = re.compile(r"</script[^>]{0,200}>", re.IGNORECASE)
SAVED = re.compile(r"<!--\s{0,20}CODE_SAVED:\s{0,20}([\w-]{1,100})\s{0,20}\|([^\n<>|]{0,300}?)-->")
_TICKS_REACH = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What was taken out: the whole text `raw`; of a script its `content`, of a place of saved code its words."""

    kind: Literal["script", "saved_code"]
    raw: str
    content: str
    code_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedText:
    """A text with marks; `pattern` finds them and gives the index into `marks`."""

    text: str
    marks: tuple[Mark, ...]
    pattern: re.Pattern[str]


def visible(text: str) -> str:
    """Return `text` without characters that hide or reorder others."""
    whole = text.encode("utf-8", "replace").decode("utf-8")  # halves of surrogate pairs are in no file
    return _HIDDEN.sub("", whole.replace("\r\n", "\n").replace("\r", "\n"))


def marked(text: str, codes: frozenset[str]) -> MarkedText:
    """Replace scripts and the places of the saved `codes` outside of code by marks that nobody can foresee."""
    nonce = hashlib.sha256(text.encode("utf-8")).hexdigest()[:20]
    marks: list[Mark] = []
    pieces: list[str] = []
    at = 0
    scanner = _Scanner(text, codes)
    while (found := _START.search(text, at)) is not None:
        pieces.append(text[at : found.start()])
        kind = found.lastgroup or ""
        mark, kept, at = scanner.passed(kind, found)
        if mark is None:
            pieces.append(kept)
        else:
            pieces.append(f"{_FIRST}{nonce}-{len(marks)}{_LAST}")
            marks.append(mark)
    pieces.append(text[at:])
    pattern = re.compile(f"{_FIRST}{nonce}-(\\d+){_LAST}")
    return MarkedText(text="".join(pieces), marks=tuple(marks), pattern=pattern)


class _Scanner:
    """Knows where what begins in a text ends; remembers what it has not found, so that a text is read once."""

    def __init__(self, text: str, codes: frozenset[str]) -> None:
        self.text, self._codes = text, codes
        self._no_comment_end = False
        self._unclosed = {"plaintext"}

    def passed(self, kind: str, found: re.Match[str]) -> tuple[Mark | None, str, int]:
        """Return the mark for what begins at `found` or the text to keep, and the position after it."""
        if kind == "script":
            return self._script(found.start())
        if kind == "comment":
            return self._comment(found.start())
        if kind == "swallows":
            return self._swallowed(found)
        end = self._fence_end(found) if kind == "fence" else self._ticks_end(found)
        return None, self.text[found.start() : end], end

    def _script(self, start: int) -> tuple[Mark | None, str, int]:
        head = _SCRIPT_HEAD.match(self.text, start)
        body = head.end() if head is not None else len(self.text)
        tail = _SCRIPT_END.search(self.text, body)
        inner, end = (tail.start(), tail.end()) if tail is not None else (len(self.text), len(self.text))
        content = self.text[body:inner] if head is not None else self.text[start:]
        return Mark(kind="script", raw=self.text[start:end], content=content), "", end

    def _comment(self, start: int) -> tuple[Mark | None, str, int]:
        saved = SAVED.match(self.text, start)
        if saved is not None and saved[1] in self._codes:
            words = saved[2].strip()
            return Mark(kind="saved_code", raw=saved[0], content=words, code_id=saved[1]), "", saved.end()
        end = -1 if self._no_comment_end else self.text.find("-->", start + 4)
        self._no_comment_end = end < 0
        inner = self.text.find("<!--", start + 4, end) if end >= 0 else -1
        if end < 0 or inner >= 0:
            # A comment that is never closed, or that would swallow another one: shown, so that it hides nothing.
            return None, "&lt;!--", start + 4
        return None, "", end + 3

    def _swallowed(self, found: re.Match[str]) -> tuple[None, str, int]:
        """Show the tag of an element that is never closed, and would hide the rest of the report."""
        tag = found["swallows"].lower()
        if tag not in self._unclosed:
            closed = re.compile(rf"</{tag}[\s/>]", re.IGNORECASE).search(self.text, found.end())
            if closed is not None:
                return None, found.group(), found.end()
            self._unclosed.add(tag)
        return None, f"&lt;{found['swallows']}", found.end()

    def _fence_end(self, found: re.Match[str]) -> int:
        sign = found.group().lstrip(" \t>")
        closing = re.compile(rf"^[ \t>]{{0,20}}{re.escape(sign[0])}{{{len(sign)},}}[ \t]*$", re.MULTILINE)
        line = self.text.find("\n", found.end())
        if line < 0:
            return len(self.text)
        if sign[0] == "`" and "`" in self.text[found.end() : line]:
            return found.end()
        end = closing.search(self.text, line + 1)
        return end.end() if end is not None else len(self.text)

    def _ticks_end(self, found: re.Match[str]) -> int:
        reach = found.end() + _TICKS_REACH
        blank = self.text.find("\n\n", found.end(), reach)
        stop = blank if blank >= 0 else reach
        closing = re.compile(rf"(?<!`)`{{{len(found.group())}}}(?!`)").search(self.text, found.end(), stop)
        return closing.end() if closing is not None else found.end()
