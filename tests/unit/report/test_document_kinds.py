"""Every kind of document has a writer, which is imported with the first of it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from tablewright.report.blocks import ReportMeta
from tablewright.report.documents import WRITERS, DocumentKind, read_view, write_document


def test_every_kind_has_a_writer() -> None:
    assert set(WRITERS) == set(get_args(DocumentKind))


@pytest.mark.parametrize("kind", ["html", "slides.html", "docx", "xlsx"])
def test_a_kind_is_written_by_its_name(kind: DocumentKind, tmp_path: Path) -> None:
    view, path = read_view("# Sales\n\nThey rose.", codes=frozenset()), tmp_path / "document"
    write_document(kind, view, ReportMeta(title="Sales", language="en", codes={}), path)
    assert path.stat().st_size > 0
