from __future__ import annotations

import base64
import hashlib
import re

from tests.support.reports import META, whole_view

from tablewright.report.blocks import ReportMeta, TableBlock, plain
from tablewright.report.slides_file import TABLE_ROWS, slides_document, slides_of
from tablewright.report.view import view_of

TITLE = ReportMeta(title="Sales <2026>")


def sections(document: str) -> list[str]:
    return re.findall(r"<section[^>]*>(.*?)</section>", document, re.DOTALL)


def test_headings_begin_slides_after_one_with_the_title() -> None:
    found = sections(
        slides_document(view_of("# Year\n\nintro\n\n## North\n\na\n\n### Detail\n\nb\n\n## South\n\nc"), TITLE)
    )
    assert [re.findall(r"<h[12]>(.*?)</h[12]>", one) for one in found] == [["Year"], ["Year"], ["North"], ["South"]]
    assert "<h3>Detail</h3>" in found[2]


def test_without_a_title_of_its_own_the_given_one_is_escaped() -> None:
    assert sections(slides_document(view_of("text"), TITLE))[0] == "<h1>Sales &lt;2026&gt;</h1>"


def test_a_long_table_goes_on_on_further_slides_and_loses_no_row() -> None:
    rows = "\n".join(f"| {number} | x |" for number in range(25))
    view = view_of(f"# T\n\n## Rows\n\n| n | v |\n|---|---|\n{rows}\n")
    slides = slides_of(view.blocks[1:], view.blocks[0])  # type: ignore[arg-type]
    tables = [block for slide in slides for block in slide.blocks if isinstance(block, TableBlock)]
    assert [len(table.rows) for table in tables] == [TABLE_ROWS, TABLE_ROWS, 5]
    assert [plain(row[0]) for table in tables for row in table.rows] == [str(number) for number in range(25)]
    assert all(table.total_rows == len(table.rows) for table in tables)


def test_nothing_is_loaded_and_only_the_slides_own_script_may_run() -> None:
    document = slides_document(whole_view(), META)
    assert not re.search(r"<(?:link|iframe|object)|\bsrc=\"(?!data:)|@import|url\(", document)
    scripts = re.findall(r"<script>(.*?)</script>", document, re.DOTALL)
    assert len(scripts) == document.count("<script") == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in document


def test_what_a_report_would_run_is_no_part_of_the_slides() -> None:
    document = slides_document(view_of("# A\n\n<script>alert('x')</script>\n\n<img src=x onerror=alert(1)>"), TITLE)
    assert "alert(" not in document
