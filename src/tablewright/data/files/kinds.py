"""Detect the real format of a file from its content; the name only decides between kinds of text."""

from __future__ import annotations

import contextlib
import zipfile
from pathlib import Path
from typing import Literal

from msoffcrypto import OfficeFile
from olefile import OleFileIO

from tablewright.errors import FileEmpty, FileEncrypted, FileUnreadable, FormatUnsupported

Format = Literal["text", "json", "xlsx", "xlsb", "xls", "ods", "parquet"]

SUPPORTED = "csv, tsv, txt, xlsx, xlsm, xlsb, xls, ods, json, jsonl, parquet"
MOST_UNPACKED_BYTES = 4 * 1024**3
MOST_TIMES_LARGER = 2_000
_HEAD_BYTES = 8192
_TEXT_SUFFIXES = frozenset({".csv", ".tsv", ".txt", ".tab", ".dat", ".xls", ""})
_JSON_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson"})
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIPS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLD_EXCEL = (b"\x09\x00", b"\x09\x02", b"\x09\x04")
"""Excel 2 to 4 wrote sheets without a container file."""
_ENCRYPTED_ODS = b"manifest:encryption-data"


def identify(path: Path, name: str) -> Format:
    """Detect the format of a file. Errors: `FileEmpty`, `FileEncrypted`, `FormatUnsupported`, `FileUnreadable`."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    suffix = Path(name).suffix.lower()
    if not head:
        raise FileEmpty(name=name)
    return _by_mark(path, name, head, suffix)


def _by_mark(path: Path, name: str, head: bytes, suffix: str) -> Format:
    if head.startswith(_ZIPS):
        return _in_zip(path, name)
    if head.startswith(_OLE):
        return _in_ole(path, name)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head[:2] in _OLD_EXCEL and suffix == ".xls":
        raise _unsupported(name)
    if head.startswith(b"PARE"):
        raise FileEncrypted(name=name)
    return _text(name, head, suffix)


def _text(name: str, head: bytes, suffix: str) -> Format:
    if suffix not in _TEXT_SUFFIXES | _JSON_SUFFIXES:
        known = suffix in {".xlsx", ".xlsm", ".xlsb", ".ods", ".parquet"}
        raise FileUnreadable("file_not_as_named", name=name) if known else _unsupported(name)
    if not head.strip(b"\0"):
        raise FileUnreadable("file_damaged", name=name)
    wide = head[:2] in {b"\xff\xfe", b"\xfe\xff"} or _alternating(head)
    controls = sum(1 for byte in head if byte < 32 and byte not in {9, 10, 12, 13, 27})
    if not wide and (controls > len(head) * 0.02 or b"\0" in head):
        raise FileUnreadable("file_not_as_named", name=name)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith((b"<!doctype", b"<html", b"<?xml", b"%pdf", b"{\\rtf")):
        raise _unsupported(name)
    return "json" if suffix in _JSON_SUFFIXES else "text"


def _alternating(head: bytes) -> bool:
    even, odd = head[0::2].count(0), head[1::2].count(0)
    return max(even, odd) > 0.4 * len(head) / 2 and min(even, odd) < 0.05 * len(head) / 2


def _in_zip(path: Path, name: str) -> Format:
    try:
        with zipfile.ZipFile(path) as archive:
            members = {member.filename: member for member in archive.infolist()}
            _refuse_bomb(list(members.values()), path.stat().st_size, name)
            if "xl/workbook.bin" in members:
                return "xlsb"
            if any(member.startswith("xl/") for member in members):
                return "xlsx"
            if "content.xml" in members:
                return _in_ods(archive, members, name)
            if "[Content_Types].xml" in members and _holds_workbook(archive, members["[Content_Types].xml"]):
                return "xlsx"
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise FileUnreadable("file_damaged", name=name) from error
    raise _unsupported(name)


def _holds_workbook(archive: zipfile.ZipFile, types: zipfile.ZipInfo) -> bool:
    return types.file_size < 1024**2 and b"spreadsheetml" in archive.read(types)


def _in_ods(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], name: str) -> Format:
    manifest = members.get("META-INF/manifest.xml")
    if manifest is not None and manifest.file_size < 16 * 1024**2 and _ENCRYPTED_ODS in archive.read(manifest):
        raise FileEncrypted(name=name)
    mimetype = members.get("mimetype")
    if mimetype is not None and mimetype.file_size < 1024 and b"spreadsheet" not in archive.read(mimetype):
        raise _unsupported(name)
    return "ods"


def _refuse_bomb(members: list[zipfile.ZipInfo], size_bytes: int, name: str) -> None:
    unpacked = sum(member.file_size for member in members)
    if unpacked > MOST_UNPACKED_BYTES or (unpacked > 256 * 1024**2 and unpacked > MOST_TIMES_LARGER * size_bytes):
        raise FileUnreadable("file_bomb", name=name)


def _in_ole(path: Path, name: str) -> Format:
    try:
        with OleFileIO(path) as container:
            streams = {entry[0].lower() for entry in container.listdir()}
    except Exception as error:  # a damaged container can fail in as many ways as it has fields
        raise FileUnreadable("file_damaged", name=name) from error
    if "encryptedpackage" in streams:
        raise FileEncrypted(name=name)
    if not streams & {"workbook", "book"}:
        raise _unsupported(name)
    if _has_password(path):
        raise FileEncrypted(name=name)
    return "xls"


def _has_password(path: Path) -> bool:
    with path.open("rb") as file, contextlib.suppress(Exception):  # the reader reports what is missed here
        return bool(OfficeFile(file).is_encrypted())
    return False


def _unsupported(name: str) -> FormatUnsupported:
    return FormatUnsupported(name=name, supported=SUPPORTED)
