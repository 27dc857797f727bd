"""Reads the examples out of the documentation: ```console transcripts and ```python programs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A fenced block; `line` is where it starts."""

    page: str
    line: int
    kind: Literal["console", "python"]
    body: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A line after `$ ` and the output written below it; a line `…` there stands for any lines."""

    line: str
    output: str


def pages() -> list[Path]:
    """Return every page whose examples must run."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def examples() -> list[Example]:
    """Return every block marked `console` or `python`; `console no-run` (needs a real model, say) is left out."""
    found: list[Example] = []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            info = match["info"].strip()
            if info in {"console", "python"}:
                line = text.count("\n", 0, match.start()) + 1
                kind: Literal["console", "python"] = "console" if info == "console" else "python"
                found.append(Example(page=str(page.relative_to(ROOT)), line=line, kind=kind, body=match["body"]))
    return found


def commands(body: str) -> list[Command]:
    """Split a transcript into its commands and their outputs."""
    found: list[Command] = []
    for block in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        lines = block.split("\n")
        count = next(index for index, line in enumerate(lines) if not line.endswith("\\")) + 1
        found.append(Command(line="\n".join(lines[:count]), output="\n".join(lines[count:]).strip("\n")))
    return found


def fits(expected: str, actual: str) -> bool:
    """Tell whether `actual` is `expected`, where `…` alone on a line is any lines and within a line any text."""
    pattern = ""
    for line in expected.strip().split("\n"):
        pattern += "(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()).replace("…", ".*") + "\n"
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in actual.strip().split("\n"))) is not None
