from __future__ import annotations

from pathlib import Path

import docx
import openpyxl
import pytest
from tests.support.reports import CODE, CODE_ID, META, REPORT, whole_view

from tablewright.report.blocks import ReportMeta
from tablewright.report.docx_file import write_docx
from tablewright.report.html_file import html_document, write_html
from tablewright.report.markdown_file import markdown_of
from tablewright.report.view import view_of
from tablewright.report.xlsx_file import write_xlsx


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reports")
    write_docx(whole_view(), META, made / "r.docx")
    write_xlsx(whole_view(), META, made / "r.xlsx")
    write_html(whole_view(), META, made / "r.html")
    return made


def test_the_html_draws_the_usual_charts_and_lists_the_figures_of_others(folder: Path) -> None:
    document = (folder / "r.html").read_text(encoding="utf-8")
    assert document.count("<svg") == 3
    assert "<td>z</td>" in document
    assert "<strong>粗体</strong>" in document
    assert "第二行" in document
    assert "<script" not in document


def test_a_report_without_a_title_of_its_own_gets_the_given_one() -> None:
    assert "<h1>A &amp; B</h1>" in html_document(view_of("text"), ReportMeta(title="A & B"))


def test_markdown_is_as_written_with_the_code_in_its_place() -> None:
    made = markdown_of(REPORT, {CODE_ID: CODE})
    assert f"````python\n{CODE}\n````" in made
    assert made.replace(f"````python\n{CODE}\n````", f"<!-- CODE_SAVED: {CODE_ID} | import -->") == REPORT


def test_markdown_keeps_the_place_of_code_that_is_not_known() -> None:
    assert markdown_of(REPORT, {}) == REPORT


def test_word_has_headings_lists_tables_and_fonts_for_both_scripts(folder: Path) -> None:
    document = docx.Document(str(folder / "r.docx"))
    styles = {paragraph.style.name for paragraph in document.paragraphs if paragraph.style is not None}
    assert {"Heading 1", "List Bullet"} <= styles
    bold = [run.text for paragraph in document.paragraphs for run in paragraph.runs if run.bold]
    assert bold == ["粗体"]
    assert document.tables[0].cell(1, 0).text == "=1+1"
    assert 'w:eastAsia="Microsoft YaHei"' in document.element.xml
    assert len(document.tables) == 5


def test_word_shows_saved_code_and_says_what_it_leaves_out(folder: Path) -> None:
    words = "\n".join(paragraph.text for paragraph in docx.Document(str(folder / "r.docx")).paragraphs)
    assert "import pandas as pd" in words
    assert "需要运行" in words


def test_the_workbook_has_a_sheet_for_each_table_and_chart(folder: Path) -> None:
    book = openpyxl.load_workbook(folder / "r.xlsx")
    assert book.sheetnames == ["报告", "表格 1", "图表 1", "图表 2", "图表 3", "图表 4"]
    assert [len(sheet._charts) for sheet in book.worksheets] == [0, 0, 1, 1, 1, 0]


def test_texts_of_the_workbook_are_no_formulas_and_numbers_are_numbers(folder: Path) -> None:
    book = openpyxl.load_workbook(folder / "r.xlsx")
    cells = [cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row]
    assert all(cell.data_type != "f" for cell in cells)
    assert [[cell.value for cell in row] for row in book["表格 1"].iter_rows()] == [
        ["区", "额"],
        ["=1+1", 1234.5],
        ["@华北", -5],
    ]


def test_documents_can_be_written_of_an_empty_report(tmp_path: Path) -> None:
    for name, write in (("a.docx", write_docx), ("a.xlsx", write_xlsx), ("a.html", write_html)):
        write(view_of(""), ReportMeta(title="x\x00"), tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
