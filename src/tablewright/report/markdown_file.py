"""A report as markdown: as it was written, with the code that was saved from it back in its places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tablewright.report.marks import SAVED


def write_markdown(report: str, codes: Mapping[str, str], path: Path) -> None:
    """Write the text `report`; `codes` is the saved code by id. Raw HTML stays in it as it was written."""
    path.write_text(f"{markdown_of(report, codes).rstrip()}\n", encoding="utf-8")


def markdown_of(report: str, codes: Mapping[str, str]) -> str:
    """Return `report` with the places of known `codes` replaced by fenced code."""
    return SAVED.sub(lambda found: _fenced(codes[found[1]]) if found[1] in codes else found[0], report)


def _fenced(code: str) -> str:
    longest = max(map(len, re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}python\n{code.rstrip()}\n{fence}"
