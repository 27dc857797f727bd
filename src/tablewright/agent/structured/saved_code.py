"""Code in reports: each block is kept as a file, and a placeholder takes its place. Pure.

Source: `structured-responses.md`, "Code blocks".
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime

from tablewright.domain.language import Language
from tablewright.texts.catalogue import text

DESCRIPTION_CHARS = 50

_OPENING = re.compile(r"[ ]{0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?i:python)[ \t]*")
_UNSPEAKABLE = re.compile(r"--|[<>|]")
"""What would end or confuse a placeholder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    """A block of code that is kept under `code_id`; `description` is what its placeholder says."""

    code_id: str
    content: str
    description: str

    @property
    def file_name(self) -> str:
        """The name of its file in the conversation."""
        return f"{self.code_id}.py"

    @property
    def file_path(self) -> str:
        """Where a model finds it."""
        return f"data/{self.file_name}"

    @property
    def placeholder(self) -> str:
        """The comment that takes its place in the report."""
        return f"<!-- CODE_SAVED: {self.code_id} | {self.description} -->"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWithoutCode:
    """A report whose blocks of code have been taken out; `unclosed`: the last one has no end."""

    text: str
    blocks: tuple[CodeBlock, ...] = ()
    unclosed: bool = False


@dataclass(slots=True, kw_only=True)
class CodeTaken:
    """Takes the blocks of Python out of a report, line by line.

    The ids depend on the run, the day and the code alone, so that a run that is continued keeps nothing twice.
    """

    run_id: str
    at: datetime
    language: Language
    blocks: list[CodeBlock] = field(default_factory=list[CodeBlock])
    _code: list[str] | None = None
    _fence: str = ""

    @property
    def in_block(self) -> bool:
        """Whether a block has begun and not ended."""
        return self._code is not None

    def line(self, line: str) -> str | None:
        """Take the next line; return what takes its place, None for what stands for nothing yet."""
        if self._code is None:
            opening = _OPENING.fullmatch(line.rstrip("\r"))
            if opening is None:
                return line
            self._fence, self._code = opening["fence"], []
        elif _closes(line, self._fence):
            return self.end()
        else:
            self._code.append(line)
        return None

    def end(self) -> str:
        """End the block that has begun; return its placeholder."""
        content = "\n".join(self._code or ())
        self._code = None
        code_id = _code_id(f"{self.run_id}/{len(self.blocks)}/{content}", self.at)
        description = described(content, self.language)
        self.blocks.append(CodeBlock(code_id=code_id, content=content, description=description))
        return self.blocks[-1].placeholder


def without_code(report: str, *, run_id: str, at: datetime, language: Language) -> ReportWithoutCode:
    """Take every block of Python out of a report; one that is never closed goes to its end."""
    taken = CodeTaken(run_id=run_id, at=at, language=language)
    lines = [shown for line in report.split("\n") if (shown := taken.line(line)) is not None]
    unclosed = taken.in_block
    if unclosed:
        lines.append(taken.end())
    return ReportWithoutCode(text="\n".join(lines), blocks=tuple(taken.blocks), unclosed=unclosed)


def described(content: str, language: Language) -> str:
    """Return the first line of code as a description of at most 50 characters."""
    first = _UNSPEAKABLE.sub("", content.partition("\n")[0]).strip()
    return first[:DESCRIPTION_CHARS].strip() or text("structured.code", language)


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(line) - len(line.lstrip(" ")) <= 3 and len(bare) >= len(fence) and set(bare) == {fence[0]}


def _code_id(seed: str, at: datetime) -> str:
    return f"code_{at:%Y%m%d}_{hashlib.sha256(seed.encode()).hexdigest()[:8]}"
