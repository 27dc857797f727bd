"""Damaged, disguised and hostile files are refused with an error that says why."""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest
import xlsxwriter
from msoffcrypto.format.ooxml import OOXMLFile

from tablewright.data.base import OpenLimits
from tablewright.data.files.tables import FileTables
from tablewright.errors import (
    FileEmpty,
    FileEncrypted,
    FileTooLarge,
    FileUnreadable,
    FormatUnsupported,
    TablewrightError,
)
from tablewright.texts.catalogue import text

pytestmark = pytest.mark.asyncio(loop_scope="module")

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" * 20
PDF = b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"


def xlsx() -> bytes:
    memory = io.BytesIO()
    with xlsxwriter.Workbook(memory, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for number in range(200):
            sheet.write_row(number, 0, [f"row {number}", number, number * 1.5])
    return memory.getvalue()


def zipped(**members: bytes) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return memory.getvalue()


def encrypted(plain: bytes) -> bytes:
    memory = io.BytesIO()
    OOXMLFile(io.BytesIO(plain)).encrypt("secret", memory)
    return memory.getvalue()


def random_bytes(count: int) -> bytes:
    return random.Random(7).randbytes(count)


def ods_with_password() -> bytes:
    manifest = (
        b"<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>"
    )
    return zipped(
        mimetype=b"application/vnd.oasis.opendocument.spreadsheet",
        content_dot_xml=b"\x00",
        **{"META-INF__manifest_dot_xml": manifest},
    )


CASES: list[tuple[str, bytes, type[TablewrightError]]] = [
    ("empty.csv", b"", FileEmpty),
    ("blank.csv", b" \n\n \r\n", FileEmpty),
    ("mark-only.csv", b"\xef\xbb\xbf", FileEmpty),
    ("picture.csv", PNG, FileUnreadable),
    ("picture.xlsx", PNG, FileUnreadable),
    ("picture.png", PNG, FormatUnsupported),
    ("paper.pdf", PDF, FormatUnsupported),
    ("paper.csv", PDF, FormatUnsupported),
    ("page.xls", b"<html><body><table><tr><td>1</td></tr></table></body></html>", FormatUnsupported),
    ("noise.csv", random_bytes(5000), FileUnreadable),
    ("noise.xlsx", b"PK\x03\x04" + random_bytes(5000), FileUnreadable),
    ("noise.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + random_bytes(5000), FileUnreadable),
    ("noise.parquet", b"PAR1" + random_bytes(5000) + b"PAR1", FileUnreadable),
    ("noise.json", random_bytes(500), FileUnreadable),
    ("nulls.csv", b"\0" * 4000, FileUnreadable),
    ("nulls-within.csv", b"a,b\n1,2\n3\0,4\n", FileUnreadable),
    ("cut.xlsx", xlsx()[:3000], FileUnreadable),
    ("holed.xlsx", xlsx()[:1500] + b"\0" * 500 + xlsx()[2000:], FileUnreadable),
    ("letter.docx", zipped(word__document_dot_xml=b"<w/>", Content=b"x"), FormatUnsupported),
    ("archive.zip", zipped(a_dot_txt=b"hello"), FormatUnsupported),
    ("hollow.xlsx", zipped(xl__workbook_dot_xml=b"<workbook/>"), FileUnreadable),
    ("locked.xlsx", encrypted(xlsx()), FileEncrypted),
    ("locked.ods", ods_with_password(), FileEncrypted),
]


@pytest.mark.requirement("data-hostile-files-refused")
@pytest.mark.parametrize(("name", "content", "error"), CASES, ids=[case[0] for case in CASES])
async def test_a_bad_file_is_refused_by_kind(
    tables: FileTables, tmp_path: Path, name: str, content: bytes, error: type[TablewrightError]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    for opening in (tables.profile(path, name), tables.preview(path, name)):
        with pytest.raises(TablewrightError) as refused:
            await opening
        assert type(refused.value) is error, str(refused.value)
        assert refused.value.params["name"] == name
        if refused.value.detail:
            assert text(refused.value.detail, "zh") != text(refused.value.detail, "en")


async def test_a_file_larger_than_the_limit_is_refused_before_it_is_opened(tables: FileTables, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 1000)
    with pytest.raises(FileTooLarge) as refused:
        await tables.profile(path, "large.csv", OpenLimits(size_bytes=1000))
    assert refused.value.params["limit_bytes"] == 1000


async def test_a_file_that_unpacks_to_far_more_is_refused(tables: FileTables, tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as member,
    ):
        for _ in range(300):
            member.write(b"\0" * 1024**2)
    with pytest.raises(FileUnreadable) as refused:
        await tables.profile(path, "bomb.xlsx")
    assert refused.value.detail in {"file_bomb", "file_damaged"}


async def test_entities_in_a_workbook_are_not_expanded(tables: FileTables, tmp_path: Path) -> None:
    lol = b'<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><workbook>&b;</workbook>'
    path = tmp_path / "laugh.xlsx"
    path.write_bytes(zipped(xl__workbook_dot_xml=lol))
    with pytest.raises(FileUnreadable):
        await tables.profile(path, "laugh.xlsx")


async def test_after_a_bad_file_the_next_one_is_read(tables: FileTables, tmp_path: Path) -> None:
    for name, content, _ in CASES[:4]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FileUnreadable):
            await tables.profile(tmp_path / name, name)
    (tmp_path / "good.csv").write_text("a,b\n1,2\n")
    assert (await tables.profile(tmp_path / "good.csv", "good.csv")).datasets[0].facts.rows == 1


async def test_a_workbook_cut_anywhere_is_opened_or_refused(tables: FileTables, tmp_path: Path) -> None:
    whole, path = xlsx(), tmp_path / "cut.xlsx"
    for cut in range(0, len(whole), max(1, len(whole) // 40)):
        path.write_bytes(whole[:cut])
        with pytest.raises(FileUnreadable):
            await tables.profile(path, "cut.xlsx")


async def test_a_workbook_with_any_byte_broken_is_opened_or_refused(tables: FileTables, tmp_path: Path) -> None:
    whole, path, chance = xlsx(), tmp_path / "broken.xlsx", random.Random(11)
    outcomes = set()
    for _ in range(60):
        broken = bytearray(whole)
        for _ in range(5):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        path.write_bytes(broken)
        try:
            await tables.profile(path, "broken.xlsx")
            outcomes.add("opened")
        except FileUnreadable as refused:
            outcomes.add(refused.detail)
    assert outcomes <= {"opened", "file_damaged", ""}
