"""Rows stay where they are in their part until they change; parts are put together only where they are read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tablewright.errors import FileUnreadable
from tablewright.workbook.areas import AreaShift
from tablewright.workbook.package.archive import Archive
from tablewright.workbook.package.pieces import Pieces
from tablewright.workbook.package.rows import SheetRows

ROWS = b"".join(b'<row r="%d"><c r="A%d"><v>%d</v></c></row>' % (row, row, row) for row in range(2, 1_000))
BIG = b"<r>" + bytes(range(65, 91)) * 300_000 + b"</r>"


def joined(rows: SheetRows) -> bytes:
    return b"".join(rows.pieces())


def test_rows_that_nobody_changed_are_one_piece_of_the_part() -> None:
    part = b"<sheetData>" + ROWS + b"</sheetData>"
    rows = SheetRows(part, len(b"<sheetData>"), len(b"<sheetData>") + len(ROWS))
    (piece,) = rows.pieces()
    assert isinstance(piece, memoryview)
    assert (piece.obj is part, piece == ROWS) == (True, True)


def test_a_changed_row_stands_between_two_pieces() -> None:
    rows = SheetRows(ROWS)
    rows.row(500).cells[1].body = b"<v>x</v>"
    before, changed, after = rows.pieces()
    assert (len(before) + len(after), bytes(changed)) == (
        len(ROWS) - len(b'<row r="500"><c r="A500"><v>500</v></c></row>'),
        b'<row r="500"><c r="A500"><v>x</v></c></row>',
    )


@pytest.mark.parametrize("between", [b"\n", b"", b"  <!-- -->"])
def test_rows_are_found_whatever_stands_between_them(between: bytes) -> None:
    rows = SheetRows(
        b'<row r="2"/>' + between + b'<row spans="1:2" r="4"><c r="A4"/></row>' + between + b"<row><c/></row>"
    )
    assert rows.numbers == [2, 4, 5]
    assert joined(rows).replace(b"\n", b"").endswith(b'<row r="5"><c r="A5"/></row>')


def test_the_heads_of_rows_are_told_whether_or_not_they_changed() -> None:
    rows = SheetRows(b'<row r="2" ht="9"><c r="A2"/></row><row r="4"/><row r="5"><c r="A5"/></row>')
    rows.replace(4, b'<row r="4" hidden="1"><c r="A4"/></row>')
    rows.row(5).attributes = b'r="5" ht="7"'
    heads = dict(rows.heads())
    assert (heads[2], heads[4]) == (b'<row r="2" ht="9">', b'<row r="4" hidden="1">')
    assert b'ht="7"' in heads[5].partition(b">")[0]


@pytest.mark.parametrize("numbers", [(0, 1), (3, 3), (4, 2)])
def test_rows_whose_numbers_do_not_ascend_are_refused(numbers: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=str(numbers[1] if numbers[0] else 0)):
        SheetRows(b'<row r="%d"><c r="A1"/></row><row r="%d"/>' % numbers)


def test_rows_inserted_and_taken_back_leave_the_bytes_as_they_were() -> None:
    rows = SheetRows(ROWS)
    rows.shift(AreaShift(sheet="S", axis="row", at=10, count=3))
    assert rows.numbers[8:11] == [13, 14, 15]
    rows.shift(AreaShift(sheet="S", axis="row", at=10, count=-3))
    assert joined(rows) == ROWS


@pytest.mark.parametrize("sizes", [(1, 2), (0, 3_000_000, 5), (700_000, 700_000, 700_000, 1), ()])
def test_windows_are_bounded_and_together_the_whole(sizes: tuple[int, ...]) -> None:
    pieces = Pieces(tuple(bytes([65 + at]) * size for at, size in enumerate(sizes)))
    windows = [bytes(window) for window in pieces.windows()]
    assert b"".join(windows) == pieces.joined()
    assert max(map(len, windows)) <= 2 * 1024**2
    assert pieces.same(pieces.joined())
    assert not pieces.same(pieces.joined() + b"x")


def test_a_large_part_in_pieces_is_written_and_read_back(tmp_path: Path) -> None:
    path, target = tmp_path / "a.zip", tmp_path / "b.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("big.xml", BIG)
        archive.writestr("sm\u00e4ll.xml", b"<s/>")
    found = Archive(path, "a.zip")
    assert [found.mentions("big.xml", mark) for mark in (b"</r>", b"<x/>", b"</r>")] == [True, False, True]
    found["big.xml"] = Pieces((memoryview(BIG)[:-4], b"<x/>", b"</r>"))
    found["new.xml"] = b"<n/>"
    assert (found.mentions("big.xml", b"<x/>"), found.mentions("big.xml", b"<y/>")) == (True, False)
    found.write(target)
    with zipfile.ZipFile(target) as written:
        assert written.testzip() is None
        assert written.read("big.xml") == BIG[:-4] + b"<x/></r>"
        assert [written.read(name) for name in ("sm\u00e4ll.xml", "new.xml")] == [b"<s/>", b"<n/>"]


def test_a_member_that_is_not_as_long_as_its_entry_says_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xml", b"<a/>" * 1_000)
    data = path.read_bytes()
    path.write_bytes(data.replace((4_000).to_bytes(4, "little"), (400).to_bytes(4, "little")))
    with pytest.raises(FileUnreadable):
        Archive(path, "a.zip")["a.xml"]
