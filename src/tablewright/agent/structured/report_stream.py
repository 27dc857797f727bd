"""Shows a report while a model writes it: what is shown is how the report will read, with placeholders for its code."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from tablewright.agent.emission import Emit
from tablewright.agent.structured.saved_code import without_code
from tablewright.domain.events import TextDelta, TextFinished, WarningRaised
from tablewright.domain.language import Language
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

    run_id: str
    at: datetime
    language: Language
    _taken: str = ""
    _lines: str = ""
    _settled: int = 0
    _in_block: bool = False
    _shown: int = 0

    def feed(self, piece: str) -> str:
        """Take the next piece; return the further text to show."""
        self._taken += piece
        line = self._taken.rfind("\n") + 1
        if line > self._settled:
            self._settled = line
            report = without_code(self._taken[:line], run_id=self.run_id, at=self.at, language=self.language)
            self._in_block = report.unclosed
            self._lines = self._lines if report.unclosed else report.text
        if self._in_block:
            return ""
        begun = self._taken[line:]
        text = (self._lines if _MAY_OPEN.fullmatch(begun) else self._lines + begun).rstrip()
        new, self._shown = text[self._shown :], max(self._shown, len(text))
        return new


@dataclass(slots=True, kw_only=True)
class ReportStream:
    """Emits the text of a report as it grows.

    `open_text` returns what has been shown since the last text was finished. A model that writes otherwise than it had
    begun is shown anew: what stands there is finished, and a warning says that it counts no more.
    """

    emit: Emit
    open_text: Callable[[], str]
    code: Callable[[], CodeHeldBack]
    _answer: GrowingReport = field(default_factory=GrowingReport)
    _code: CodeHeldBack | None = None
    _text: str = ""

    def begin(self) -> None:
        """Begin with an answer of the model."""
        self._answer, self._code, self._text = GrowingReport(), self.code(), ""

    def feed(self, piece: str) -> None:
        """Take the next piece of the answer."""
        if (found := self._answer.feed(piece)) and self._code is not None and (new := self._code.feed(storable(found))):
            self._text += new
            if not self.open_text().startswith(self._text):
                self._show(self._text)

    def finish(self, text: str) -> None:
        """Show the report as it is in the end."""
        self._show(text)
        self.emit(TextFinished(text=text))

    def drop(self) -> None:
        """Say that what stands there, if anything, is no report."""
        if shown := self.open_text():
            self.emit(TextFinished(text=shown))
            self.emit(WarningRaised(code=BEGAN_ANEW))

    def _show(self, text: str) -> None:
        if not text.startswith(self.open_text()):
            self.drop()
        if new := text[len(self.open_text()) :]:
            self.emit(TextDelta(text=new))
