"""Views of answers and documents of them; what reads and writes each kind is imported with the first of it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from tablewright.report.blocks import ReportMeta, ReportView
from tablewright.report.origins import OriginLink

DocumentKind = Literal["html", "slides.html", "docx", "xlsx", "pdf"]
READER = "view:view_of"
WRITERS: Mapping[DocumentKind, str] = {
    "html": "html_file:write_html",
    "slides.html": "slides_file:write_slides",
    "docx": "docx_file:write_docx",
    "xlsx": "xlsx_file:write_xlsx",
    "pdf": "pdf_file:write_pdf",
}


def read_view(
    text: str,
    *,
    codes: frozenset[str],
    images: Mapping[str, str] | None = None,
    links: Sequence[OriginLink] = (),
) -> ReportView:
    """Return the view of an answer's text, as `view_of` does."""
    view: ReportView = _named(READER)(text, codes=codes, images=images, links=links)
    return view


def write_document(kind: DocumentKind, view: ReportView, meta: ReportMeta, path: Path) -> None:
    """Write a view as a document of that kind to `path`."""
    _named(WRITERS[kind])(view, meta, path)


def _named(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(f"tablewright.report.{module}"), attribute)
