"""A report as markdown: as it was written, with the code that was saved from it back in its places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tablewright.report.blocks import ReportMeta
from tablewright.report.marks import SAVED
from tablewright.report.origins import OriginLink, anchor, linked_markdown, step_title
from tablewright.texts.catalogue import text


def write_markdown(report: str, meta: ReportMeta, path: Path, links: Sequence[OriginLink] = ()) -> None:
    """Write the text `report` with the saved code of `meta`; the numbers of `links` lead to the steps below the report.

    Raw HTML stays in it as it was written.
    """
    parts = [markdown_of(linked_markdown(report, links), meta.codes).rstrip(), *_origins(meta)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _origins(meta: ReportMeta) -> Iterator[str]:
    if meta.origins:
        yield f"## {text('document.origins', meta.language)}"
    for origin in meta.origins:
        title = " ".join(step_title(origin, meta.language).split())
        yield f'<a id="{anchor(origin.number)}"></a>\n\n### {title}'
        yield _fenced(origin.code, origin.language)


def markdown_of(report: str, codes: Mapping[str, str]) -> str:
    """Return `report` with the places of known `codes` replaced by fenced code."""
    return SAVED.sub(lambda found: _fenced(codes[found[1]]) if found[1] in codes else found[0], report)


def _fenced(code: str, language: str = "python") -> str:
    longest = max(map(len, re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code.rstrip()}\n{fence}"
