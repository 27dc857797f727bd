"""The numbers of a report lead to the steps that they come from, in every kind of document."""

from __future__ import annotations

import re
import time
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook
from tests.support.patience import slow

from tablewright.report.blocks import Origin, Paragraph, ReportMeta, ReportView, Span
from tablewright.report.docx_file import write_docx
from tablewright.report.html_file import html_document
from tablewright.report.markdown_file import write_markdown
from tablewright.report.origins import MOST_CHARACTERS, OriginLink, linked
from tablewright.report.view import view_of
from tablewright.report.xlsx_file import write_xlsx

REPORT = "# Sales\n\nEast sold **1,200** and West 34%.\n\n- South 7\n\n| a | b |\n|---|---|\n| x | 5.5 |\n"
ORIGINS = (
    Origin(number=2, name="Totals", code="print('<1200>')", language="python"),
    Origin(number=5, name="=Shares", code="select 34"),
)
META = ReportMeta(title="Sales", language="en", origins=ORIGINS)


def links(report: str, **numbers: int) -> list[OriginLink]:
    """Return links of the first place of each text to the origin of that number."""
    spans = {words: (report.index(words), report.index(words) + len(words)) for words in numbers}
    return [OriginLink(start=start, end=end, number=numbers[words]) for words, (start, end) in spans.items()]


def linked_view() -> ReportView:
    return view_of(REPORT, links=links(REPORT, **{"1,200": 2, "34%": 5, "7": 2, "5.5": 2}))


def test_a_number_has_its_origin_and_its_look() -> None:
    block = linked_view().blocks[1]
    assert isinstance(block, Paragraph)
    assert block.content == (
        Span(text="East sold "),
        Span(text="1,200", bold=True, origin=2),
        Span(text=" and West "),
        Span(text="34%", origin=5),
        Span(text="."),
    )


def test_without_links_nothing_changes(tmp_path: Path) -> None:
    assert view_of(REPORT, links=()) == view_of(REPORT)
    write_markdown(REPORT, ReportMeta(title="Sales"), tmp_path / "r.md")
    assert (tmp_path / "r.md").read_text("utf-8") == REPORT


def test_every_link_of_html_leads_to_a_step_with_its_code() -> None:
    page = html_document(linked_view(), META)
    assert re.findall(r'href="#([^"]+)"', page) == ["origin-2", "origin-5", "origin-2", "origin-2"]
    assert '<h3 id="origin-2">Step 2: Totals</h3>' in page
    assert "<pre><code>print(&#x27;&lt;1200&gt;&#x27;)</code></pre>" in page
    assert '<h3 id="origin-5">' in page
    assert "\ue000" not in page


def test_markdown_has_links_and_the_code_of_the_steps(tmp_path: Path) -> None:
    write_markdown(REPORT, META, tmp_path / "r.md", links(REPORT, **{"1,200": 2, "5.5": 5}))
    written = (tmp_path / "r.md").read_text("utf-8")
    assert "East sold **[1,200](#origin-2)** and" in written
    assert "| x | [5.5](#origin-5) |" in written
    assert "<a id=\"origin-2\"></a>\n\n### Step 2: Totals\n\n```python\nprint('<1200>')\n```" in written
    assert "```\nselect 34\n```" in written


def test_in_a_block_of_html_a_link_of_markdown_is_one_of_html(tmp_path: Path) -> None:
    report = "<table><tr>\n<td>12</td>\n</tr></table>\n\nIn all 34.\n"
    write_markdown(report, META, tmp_path / "r.md", links(report, **{"12": 2, "34": 5}))
    written = (tmp_path / "r.md").read_text("utf-8")
    assert '<td><a href="#origin-2">12</a></td>' in written
    assert "In all [34](#origin-5)." in written


def test_word_has_links_to_bookmarks(tmp_path: Path) -> None:
    write_docx(linked_view(), META, tmp_path / "r.docx")
    with ZipFile(tmp_path / "r.docx") as archive:
        document = archive.read("word/document.xml").decode()
    assert re.findall(r'w:anchor="([^"]+)"', document) == ["origin_2", "origin_5", "origin_2", "origin_2"]
    assert re.findall(r'w:bookmarkStart[^>]*w:name="([^"]+)"', document) == ["origin_2", "origin_5"]
    assert document.count("<w:bookmarkEnd ") == 2


def test_a_workbook_has_links_beside_the_lines_to_the_sheet_of_the_steps(tmp_path: Path) -> None:
    write_xlsx(linked_view(), META, tmp_path / "r.xlsx")
    book = load_workbook(tmp_path / "r.xlsx")
    cells = [cell for row in book["Report"].iter_rows() for cell in row if cell.hyperlink is not None]
    assert [(cell.value, cell.hyperlink.location) for cell in cells if cell.hyperlink] == [
        ("Step 2", "'Steps'!A1"),
        ("Step 5", "'Steps'!A3"),
        ("Step 2", "'Steps'!A1"),
        ("Step 2", "'Steps'!A1"),
    ]
    steps = book["Steps"]
    assert [steps.cell(row, 1).value for row in range(1, 5)] == [
        "Step 2: Totals", "print('<1200>')", "Step 5: =Shares", "select 34",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "report",
    [
        "See `42` there.",
        "```\n42\n```\n",
        "[42](https://e.example)",
        "![42](figure.png)",
        "https://e.example/42 there",
        '<div style="width:42px">x</div>',
        "<script>c.setOption({series:[{type:'bar',data:[42]}]})</script>",
        "<!-- 42 -->",
        "it&#42;s",
    ],
)
def test_what_is_no_text_is_left_as_it_is(report: str) -> None:
    given = links(report, **{"42": 1})
    assert linked(report, given) == ()
    assert view_of(report, links=given) == view_of(report)


@pytest.mark.parametrize(
    "unit", ["[", "![", "](", "[a](", "`", "`a``b", "~", "<!--", "<a ", "</", "&", "```\n~~~\n", "http://"]
)
def test_openings_that_nothing_ends_take_little_time(unit: str) -> None:
    report = (unit * MOST_CHARACTERS)[: MOST_CHARACTERS - 10] + "\n\n42"
    at = report.index("42")
    began = time.process_time()
    linked(report, [OriginLink(start=at, end=at + 2, number=1)])
    assert time.process_time() - began < slow(2.0)
