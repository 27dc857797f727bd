"""Open a user's file as a book: detect its format, refuse what is unsafe, convert what needs it."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from tablewright.domain.notice import Notice
from tablewright.errors import FileEmpty, FileEncrypted, FileUnreadable, FormatUnsupported
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.conversion import convert
from tablewright.workbook.package.fallback import rewritten

SUPPORTED = "xlsx, xlsm, csv, xls, xlsb, ods"
MOST_UNPACKED_BYTES = 4 * 1024**3
MOST_TIMES_LARGER = 2_000
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TEXT_SUFFIXES = frozenset({".csv", ".tsv", ".txt"})


@dataclass(frozen=True, slots=True)
class Opened:
    """A book, and what was lost or changed by opening it."""

    book: Book
    losses: tuple[Notice, ...]


@contextmanager
def opened(path: Path, name: str) -> Iterator[Opened]:
    """Open a workbook as a context manager.

    A file that is not xlsx is converted in a temporary folder that exists for as long as the context. Errors:
    `FileUnreadable` or a subclass.
    """
    with tempfile.TemporaryDirectory() as folder:
        kind = kind_of(path, name)
        if kind != "xlsx":
            target = Path(folder) / "converted.xlsx"
            losses = convert(path, target, kind, name)
            yield Opened(Book(target, name), losses)
            return
        try:
            book = Book(path, name)
            for tab in book.worksheets():
                book.sheet(tab.name)
        except FileUnreadable as error:
            if error.detail != "workbook_unusual":
                raise
            target = Path(folder) / "rewritten.xlsx"
            losses = rewritten_or_converted(path, target, name)
            yield Opened(Book(target, name), losses)
            return
        yield Opened(book, package_losses(book))


def rewritten_or_converted(path: Path, target: Path, name: str) -> tuple[Notice, ...]:
    """Rewrite an unusual file: completely if possible, else only its values."""
    try:
        return rewritten(path, target, name)
    except FileUnreadable as error:
        if error.detail == "file_bomb":
            raise
        return convert(path, target, "xlsx", name)


def kind_of(path: Path, name: str) -> str:
    """Detect the format of a file from its content: xlsx, xlsb, ods, xls or text.

    Errors: `FileUnreadable` or a subclass.
    """
    try:
        with path.open("rb") as file:
            head = file.read(8)
            rest = file.read(1024**2) if head == _OLE else b""
    except OSError as error:
        raise FileUnreadable("file_missing", name=name) from error
    if not head:
        raise FileEmpty(name=name)
    if head.startswith(b"PK"):
        return _in_zip(path, name)
    if head == _OLE:
        if "EncryptedPackage".encode("utf-16-le") in rest or _protected(path):
            raise FileEncrypted(name=name)
        return "xls"
    if Path(name).suffix.lower() in _TEXT_SUFFIXES and b"\0" not in head.removeprefix(b"\xff\xfe"):
        return "text"
    raise FormatUnsupported(name=name, supported=SUPPORTED)


def package_losses(book: Book) -> tuple[Notice, ...]:
    """Return what any edit of this workbook invalidates, such as signatures."""
    signed = any(part.startswith("_xmlsignatures/") for part in book.archive.names())
    return (Notice(code="loss_signature", params={}),) if signed else ()


def _protected(path: Path) -> bool:
    """Whether a legacy workbook's stream is encrypted: its first record after the start is FILEPASS."""
    data = path.read_bytes()[: 64 * 1024**2]
    for start in (b"\x09\x08\x10\x00\x00\x06\x05\x00", b"\x09\x08\x08\x00\x00\x05\x05\x00"):
        at = data.find(start)
        if at >= 0 and data[at + 4 + data[at + 2] :][:2] == b"\x2f\x00":
            return True
    return False


def _in_zip(path: Path, name: str) -> str:
    try:
        with ZipFile(path) as archive:
            members = {member.filename: member for member in archive.infolist()}
            size = sum(member.file_size for member in members.values())
            if size > MOST_UNPACKED_BYTES or (size > 256 * 1024**2 and size > MOST_TIMES_LARGER * path.stat().st_size):
                raise FileUnreadable("file_bomb", name=name)
            return _by_members(archive, members.keys(), name)
    except (BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
        raise FileUnreadable("file_damaged", name=name) from error


def _by_members(archive: ZipFile, names: Collection[str], name: str) -> str:
    if any(member.endswith("workbook.bin") for member in names):
        return "xlsb"
    if "content.xml" in names:
        manifest = archive.read("META-INF/manifest.xml") if "META-INF/manifest.xml" in names else b""
        if b"manifest:encryption-data" in manifest:
            raise FileEncrypted(name=name)
        return "ods"
    if "[Content_Types].xml" in names:
        return "xlsx"
    raise FormatUnsupported(name=name, supported=SUPPORTED)
