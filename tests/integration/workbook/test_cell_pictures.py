"""Pictures that are the values of cells, as a viewer of sheets shows them."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path

import pytest
import xlsxwriter
from tests.support.workbooks import InlineWorker

from tablewright.workbook.package.viewer import PackageViewer


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\0\xff\0\0"))
    + _chunk(b"IEND", b"")
)


@pytest.fixture
def viewer() -> PackageViewer:
    return PackageViewer(InlineWorker())


async def test_a_picture_in_a_cell_is_the_value_of_that_cell(viewer: PackageViewer, tmp_path: Path) -> None:
    with xlsxwriter.Workbook(str(tmp_path / "pictured.xlsx")) as made:
        plain, sheet = made.add_worksheet(), made.add_worksheet()
        plain.write("A1", 1)
        sheet.write("A1", "tea")
        for cell, name, data in (("B2", "A leaf", PNG), ("C4", "A leaf", PNG), ("B5", "Another", PNG + b"else")):
            (tmp_path / f"{cell}.png").write_bytes(data)
            sheet.embed_image(cell, tmp_path / f"{cell}.png", {"description": name})
    layout = await viewer.layout(tmp_path / "pictured.xlsx", "Sheet2")
    assert [(one.range, one.name, one.in_cell) for one in layout.images] == [
        ("B2", "A leaf", True),
        ("C4", "A leaf", True),
        ("B5", "Another", True),
    ]
    first, second, third = (one.image for one in layout.images)
    assert first == second != third
    assert await viewer.image(tmp_path / "pictured.xlsx", third) == PNG + b"else"
    assert (await viewer.layout(tmp_path / "pictured.xlsx", "Sheet1")).images == ()


async def test_a_picture_of_a_cell_that_is_not_in_the_file_is_said_to_be_one(
    viewer: PackageViewer, tmp_path: Path
) -> None:
    (tmp_path / "leaf.png").write_bytes(PNG)
    with xlsxwriter.Workbook(str(tmp_path / "local.xlsx")) as made:
        made.add_worksheet().embed_image("B2", tmp_path / "leaf.png", {"description": "A leaf"})
    with zipfile.ZipFile(tmp_path / "local.xlsx") as source, zipfile.ZipFile(tmp_path / "web.xlsx", "w") as target:
        for name in source.namelist():
            data = source.read(name).replace(b"_rvRel:LocalImageIdentifier", b"WebImageIdentifier")
            target.writestr(name, data)
    found = (await viewer.layout(tmp_path / "web.xlsx", "Sheet1")).images
    assert [(one.range, one.name, one.image) for one in found] == [("B2", "A leaf", "")]
