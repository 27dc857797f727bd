"""The package viewer: what every viewer shows, and how a sheet looks."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import xlsxwriter
from tests.support.workbooks import InlineWorker, write_xlsx

from tablewright.domain.table import Cell
from tablewright.workbook.conformance import ViewingConformance
from tablewright.workbook.conformance.editing import Make
from tablewright.workbook.package.conversion import convert
from tablewright.workbook.package.looks import tinted
from tablewright.workbook.package.row_heights import lines_of
from tablewright.workbook.package.viewer import PackageViewer
from tablewright.workbook.views import CellLook, Edge, Span


@pytest.fixture
def viewer() -> PackageViewer:
    return PackageViewer(InlineWorker())


class TestOnThePackage(ViewingConformance):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Make:
        def made(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
            return write_xlsx(tmp_path / "source.xlsx", sheets)

        return made


class TestOnText(ViewingConformance):
    @pytest.fixture
    def make(self, tmp_path: Path) -> Make:
        def made(sheets: Mapping[str, Sequence[Sequence[Cell]]]) -> Path:
            ((name, rows),) = sheets.items()
            lines = (",".join("" if cell is None else str(cell) for cell in row) for row in rows)
            (tmp_path / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
            return tmp_path / f"{name}.csv"

        return made

    async def test_columns_are_as_wide_as_their_first_rows_need_within_bounds(
        self, viewer: PackageViewer, make: Make, tmp_path: Path
    ) -> None:
        rows: list[list[Cell]] = [["id", "at", "客户邮箱地址", "note"], [1, "2026-11-28 17:08:00", "a@b.c", "x" * 500]]
        path = make({"Log": rows})
        spans = (await viewer.layout(path, None)).column_spans
        narrow, dated, chinese, long = (span.size_px or 0 for span in spans)
        assert (narrow, long) == (64, 320)
        assert 19 * 7 < dated < 200
        assert 6 * 13 < chinese < 120
        converted = tmp_path / "Log.xlsx"
        convert(path, converted, "text", "Log.csv")
        kept = (await viewer.layout(converted, None)).column_spans
        assert [span.size_px for span in kept] == pytest.approx([narrow, dated, chinese, long], abs=1)


@pytest.fixture(scope="module")
def dressed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workbook with everything that is drawn."""
    folder = tmp_path_factory.mktemp("dressed")
    path = folder / "dressed.xlsx"
    (folder / "dot.png").write_bytes(_png())
    with xlsxwriter.Workbook(str(path)) as book:
        head = book.add_format({"bold": True, "bg_color": "#DDEBF7", "bottom": 2, "bottom_color": "#FF0000"})
        money = book.add_format({"num_format": "#,##0.00", "font_color": "#C00000", "align": "right"})
        sheet = book.add_worksheet("Data")
        sheet.write_row("A1", ["City", "Amount"], head)
        for row, (city, amount) in enumerate([("Lyon", 3), ("Oslo", 1), ("Bern", 2)], 1):
            sheet.write(row, 0, city)
            sheet.write(row, 1, amount, money)
        sheet.write_formula("B5", "=SUM(B2:B4)", money)
        sheet.write_blank("D9", None, head)
        sheet.merge_range("A7:B8", "merged")
        sheet.freeze_panes(1, 1)
        sheet.set_column("A:A", 20)
        sheet.set_column("C:C", None, None, {"hidden": True})
        sheet.set_row(2, 30)
        sheet.set_row(3, None, None, {"hidden": True})
        sheet.hide_gridlines(2)
        sheet.autofilter("A1:B5")
        chart = book.add_chart({"type": "bar", "subtype": "stacked"})
        chart.add_series({"name": "=Data!$B$1", "categories": "=Data!$A$2:$A$4", "values": "=Data!$B$2:$B$4"})
        chart.set_title({"name": "By city"})
        sheet.insert_chart("F2", chart)
        sheet.insert_image("F20", str(folder / "dot.png"))
    return path


async def test_sheets_are_listed_with_those_that_are_hidden_or_have_no_cells(
    viewer: PackageViewer, tmp_path: Path
) -> None:
    with xlsxwriter.Workbook(str(tmp_path / "tabs.xlsx")) as made:
        made.add_worksheet("Data")
        made.add_worksheet("Notes").hide()
        made.add_worksheet("Lists").very_hidden()
        chart = made.add_chart({"type": "line"})
        chart.add_series({"values": "=Data!$A$1:$A$3"})
        made.add_chartsheet("Picture").set_chart(chart)
    found = await viewer.sheets(tmp_path / "tabs.xlsx")
    assert [(tab.name, tab.state, tab.kind) for tab in found] == [
        ("Data", "visible", "worksheet"), ("Notes", "hidden", "worksheet"), ("Lists", "veryHidden", "worksheet"),
        ("Picture", "visible", "chartsheet"),
    ]  # fmt: skip


async def test_a_layout_tells_sizes_and_what_is_hidden_frozen_and_merged(viewer: PackageViewer, dressed: Path) -> None:
    layout = await viewer.layout(dressed, "Data")
    assert (layout.frozen_rows, layout.frozen_columns, layout.gridlines, layout.filter) == (1, 1, False, "A1:B5")
    assert layout.merges == ("A7:B8",)
    assert layout.row_spans == (
        Span(first=3, last=3, size_px=40.0), Span(first=4, last=4, hidden=True, size_px=layout.row_spans[1].size_px),
    )  # fmt: skip
    assert layout.column_spans[0] == Span(first=1, last=1, size_px=145.0)
    assert layout.column_spans[1].hidden
    assert layout.rows == 7


async def test_a_row_with_large_letters_is_as_high_as_they_need_unless_it_has_its_own_height(
    viewer: PackageViewer, tmp_path: Path
) -> None:
    with xlsxwriter.Workbook(str(tmp_path / "large.xlsx")) as made:
        sheet, large = made.add_worksheet(), made.add_format({"font_size": 20})
        sheet.write("A1", "Title", large)
        sheet.write("A2", "as high as the others")
        sheet.write("B3", "set by hand", large)
        sheet.set_row(2, 12)
    layout = await viewer.layout(tmp_path / "large.xlsx", "Sheet1")
    assert layout.row_spans == (Span(first=1, last=1, size_px=35.0), Span(first=3, last=3, size_px=16.0))


async def test_a_row_is_as_high_as_its_wrapped_texts_need(viewer: PackageViewer, tmp_path: Path) -> None:
    with xlsxwriter.Workbook(str(tmp_path / "wrapped.xlsx")) as made:
        sheet, wrapped = made.add_worksheet(), made.add_format({"text_wrap": True})
        sheet.set_column(0, 0, 20)
        sheet.set_column(2, 2, 5, None, {"hidden": True})
        sheet.write("A1", "short", wrapped)
        sheet.write("A2", "a sentence of several words that takes three lines", wrapped)
        sheet.write("A3", "二十个汉字在一行里放不下所以它占了三行才行啊", wrapped)
        sheet.write("A4", "one\ntwo\nthree\nfour", wrapped)
        sheet.write("A5", "a sentence of several words that is not wrapped at all")
        sheet.write("C6", "a sentence of several words that nobody sees", wrapped)
        sheet.merge_range("A7:B7", "a sentence of several words in a merged area", wrapped)
        sheet.write("A8", "a sentence of several words in a row of its own height", wrapped)
        sheet.set_row(7, 12)
    layout = await viewer.layout(tmp_path / "wrapped.xlsx", "Sheet1")
    assert layout.row_spans == (
        Span(first=2, last=3, size_px=58.0),
        Span(first=4, last=4, size_px=77.0),
        Span(first=8, last=8, size_px=16.0),
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 1),
        ("ten letter", 1),
        ("eleven more", 2),
        ("abcdefghijklmnopqrstuvwxyz", 3),
        ("汉字五个满", 1),
        ("汉字六个不满", 2),
        ("a\n\nb", 3),
        ("a\n", 1),
        ("word " * 4, 2),
    ],
)
def test_lines_break_between_words_and_letters_of_east_asia_take_two_places(text: str, lines: int) -> None:
    assert lines_of(text, 10) == lines


async def test_a_cell_looks_as_its_style_says(viewer: PackageViewer, dressed: Path) -> None:
    window = await viewer.window(dressed, "Data", "A1:D9")
    cells = {(row.row, cell[0]): cell for row in window.rows for cell in row.cells}
    head, money = window.looks[cells[1, 1][2]], window.looks[cells[2, 2][2]]
    assert (head.bold, head.fill, head.borders) == (True, "DDEBF7", {"bottom": Edge(line="medium", color="FF0000")})
    assert (money.format, money.color, money.horizontal) == ("#,##0.00", "C00000", "right")
    assert cells[5, 2][1] == 6
    assert cells[5, 2][3] == "=SUM(B2:B4)"
    assert cells[9, 4][1] is None
    assert window.looks[cells[9, 4][2]].fill == "DDEBF7"


async def test_charts_are_read_with_the_numbers_of_their_cells(viewer: PackageViewer, dressed: Path) -> None:
    (chart,) = (await viewer.layout(dressed, "Data")).charts
    assert (chart.title, chart.stacked, chart.range.partition(":")[0]) == ("By city", True, "F2")
    (series,) = chart.series
    assert (series.kind, series.name, series.categories, series.values) == (
        "bar", "Amount", ("Lyon", "Oslo", "Bern"), (3, 1, 2),
    )  # fmt: skip


async def test_a_picture_is_placed_and_its_bytes_are_sent(viewer: PackageViewer, dressed: Path) -> None:
    (picture,) = (await viewer.layout(dressed, "Data")).images
    assert picture.range.startswith("F20")
    assert await viewer.image(dressed, picture.image) == _png()


async def test_a_book_that_changed_is_opened_anew(viewer: PackageViewer, tmp_path: Path) -> None:
    path = write_xlsx(tmp_path / "book.xlsx", {"S": [["a"]]})
    assert (await viewer.window(path, None, "A1")).rows[0].cells[0][1] == "a"
    write_xlsx(path, {"S": [["changed"]]})
    assert (await viewer.window(path, None, "A1")).rows[0].cells[0][1] == "changed"


def test_a_tint_makes_a_colour_lighter_or_darker() -> None:
    assert tinted("4F81BD", 0) == "4F81BD"
    assert tinted("000000", 0.5) == "808080"
    assert tinted("FFFFFF", -0.5) == "808080"
    assert CellLook() == CellLook(borders={})


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")
    )
