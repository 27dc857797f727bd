"""Shows a report while a model writes it: what is shown is how the report will read, with placeholders for its code."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tablewright.agent.emission import Emit
from tablewright.agent.structured.growing_text import GrowingText
from tablewright.agent.structured.saved_code import CodeTaken
from tablewright.domain.events import TextDelta, TextFinished, WarningRaised
from tablewright.domain.naming import storable
from tablewright.models.growing_report import GrowingReport

BEGAN_ANEW = "model_began_anew"


_MAY_OPEN = re.compile(r" {0,3}(?:[`~].*)?", re.DOTALL)
"""The beginning of a line that may become the fence of a block."""


@dataclass(slots=True, kw_only=True)
class CodeHeldBack:
    """Takes a report piece by piece; `feed` returns what can be shown of it for good.

    Blocks of code are held back until they are closed, a line until it is known to open none, and blanks until
    something follows them.
    """

    taken: CodeTaken
    _begun: list[str] = field(default_factory=list[str])
    _is_text: bool = False
    _waiting: list[str] = field(default_factory=list[str])

    def feed(self, piece: str) -> str:
        """Take the next piece; return the further text to show."""
        *ends, rest = piece.split("\n")
        for end in ends:
            self._end_line(end)
        self._go_on(rest)
        text = "".join(self._waiting)
        shown = text.rstrip()
        self._waiting = [text[len(shown) :]]
        return shown

    def _end_line(self, end: str) -> None:
        """Take the end of a line."""
        line: str | None = end
        if not self._is_text:
            line = self.taken.line("".join((*self._begun, end)))
        if line is not None:
            self._waiting += (line, "\n")
        self._begun, self._is_text = [], False

    def _go_on(self, part: str) -> None:
        """Take a further part of a line, which is text from when it is known to open no block."""
        if self._is_text:
            self._waiting.append(part)
            return
        self._begun.append(part)
        if not self.taken.in_block and not _MAY_OPEN.fullmatch(line := "".join(self._begun)):
            self._waiting.append(line)
            self._begun, self._is_text = [], True


@dataclass(slots=True, kw_only=True)
class ReportStream:
    """Emits the text of a report as it grows.

    `open_text` is what has been shown since the last text was finished. A model that writes otherwise than it had
    begun is shown anew: what stands there is finished, and a warning says that it counts no more.
    """

    emit: Emit
    open_text: GrowingText
    code: Callable[[], CodeHeldBack]
    _answer: GrowingReport = field(default_factory=GrowingReport)
    _code: CodeHeldBack | None = None
    _text: list[str] = field(default_factory=list[str])
    _length: int = 0

    def begin(self) -> None:
        """Begin with an answer of the model."""
        self._answer, self._code, self._text, self._length = GrowingReport(), self.code(), [], 0

    def feed(self, piece: str) -> None:
        """Take the next piece of the answer."""
        if (found := self._answer.feed(piece)) and self._code is not None and (new := self._code.feed(storable(found))):
            shown = self.open_text
            at, self._length = self._length, self._length + len(new)
            self._text.append(new)
            # What came before is what is shown so far, or how that begins: only what is new is compared with it.
            if len(shown) == at:
                self.emit(TextDelta(text=new))
            elif not shown.holds(new, at):
                self._show("".join(self._text))

    def finish(self, text: str) -> None:
        """Show the report as it is in the end."""
        self._show(text)
        self.emit(TextFinished(text=text))

    def drop(self) -> None:
        """Say that what stands there, if anything, is no report."""
        if shown := str(self.open_text):
            self.emit(TextFinished(text=shown))
            self.emit(WarningRaised(code=BEGAN_ANEW))

    def _show(self, text: str) -> None:
        if not text.startswith(str(self.open_text)):
            self.drop()
        if new := text[len(self.open_text) :]:
            self.emit(TextDelta(text=new))
