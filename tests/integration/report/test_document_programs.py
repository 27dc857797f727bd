"""Reports opened by other programs: LibreOffice reads docx and xlsx, Chromium prints PDF."""

from __future__ import annotations

import os
import select
from pathlib import Path

import openpyxl
import pytest
from tests.support.office import MISSING, SOFFICE, converted
from tests.support.patience import PATIENCE_S
from tests.support.reports import META, whole_view

from tablewright.errors import PdfFailed, PdfUnavailable
from tablewright.report import pdf_file
from tablewright.report.docx_file import write_docx
from tablewright.report.pdf_file import write_pdf
from tablewright.report.xlsx_file import write_xlsx

CHROMIUM = pdf_file.chromium()
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium fonts-noto-cjk")


@pytest.mark.skipif(SOFFICE is None, reason=MISSING)
def test_libreoffice_opens_the_workbook_with_its_charts(tmp_path: Path) -> None:
    write_xlsx(whole_view(), META, tmp_path / "r.xlsx")
    (tmp_path / "out").mkdir()
    book = openpyxl.load_workbook(converted(tmp_path / "r.xlsx", "xlsx", tmp_path / "out"))
    assert [len(sheet._charts) for sheet in book.worksheets] == [0, 0, 1, 1, 1, 0]
    assert all(cell.data_type != "f" for sheet in book.worksheets for row in sheet.iter_rows() for cell in row)


@pytest.mark.skipif(SOFFICE is None, reason=MISSING)
def test_libreoffice_opens_the_word_document(tmp_path: Path) -> None:
    write_docx(whole_view(), META, tmp_path / "r.docx")
    words = converted(tmp_path / "r.docx", "txt:Text (encoded):UTF8", tmp_path).read_text(encoding="utf-8-sig")
    assert "销售报告" in words
    assert "=1+1" in words


@needs_chromium
def test_chromium_prints_the_report(tmp_path: Path) -> None:
    write_pdf(whole_view(), META, tmp_path / "r.pdf", time_limit_s=PATIENCE_S)
    content = (tmp_path / "r.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert len(content) > 20_000


def test_without_chromium_the_error_names_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PdfUnavailable):
        write_pdf(whole_view(), META, tmp_path / "r.pdf")


def test_a_browser_that_does_not_start_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PdfFailed, match="pdf_not_started"):
        write_pdf(whole_view(), META, tmp_path / "r.pdf", program=str(tmp_path / "none"))


def ends(process: int) -> bool:
    """Return whether a process that was killed is gone, once the system had the time for it."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], PATIENCE_S)[0])
    finally:
        os.close(descriptor)


def test_a_browser_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    program, number = tmp_path / "browser", tmp_path / "number"
    number.touch()
    number.chmod(0o666)
    program.write_text(f"#!/bin/sh\nsleep 1000 &\necho $! > {number}\nwait\n", encoding="utf-8")
    program.chmod(0o755)
    for parent in list(tmp_path.parents)[:2]:
        parent.chmod(0o755)
    with pytest.raises(PdfFailed, match="pdf_slow"):
        write_pdf(whole_view(), META, tmp_path / "r.pdf", program=str(program), time_limit_s=3)
    assert ends(int(number.read_text(encoding="utf-8")))


@needs_chromium
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has another user to print as")
def test_as_root_another_user_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)
    for parent in list(tmp_path.parents)[:2]:
        parent.chmod(0o755)
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\nid -u >&2\n", encoding="utf-8")
    program.chmod(0o755)
    with pytest.raises(PdfFailed, match=str(pdf_file.PRINT_USER)):
        write_pdf(whole_view(), META, tmp_path / "r.pdf", program=str(program))
