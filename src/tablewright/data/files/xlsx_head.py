"""The first rows of a sheet whose XML is too large to be read completely, read as a stream."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any

from lxml import etree

STREAMED_BYTES = 64 * 1024**2
"""For previews, sheets with larger XML are not read completely."""
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_DIMENSION = "dimension"
_SMALL_PART_BYTES = 32 * 1024**2
_DATE_FORMATS = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_FROM_1900 = datetime(1899, 12, 30)  # noqa: DTZ001  # serial dates have no zone
_FROM_1904 = datetime(1904, 1, 1)  # noqa: DTZ001  # as above


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The first rows of a sheet, and its total number of rows as declared."""

    rows: list[list[Any]]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dates:
    """The cell styles that display dates, and the workbook's day 0."""

    styles: frozenset[int]
    epoch: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shared:
    """A cell that holds the shared string number `index`."""

    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetMember:
    """A sheet: its name, and the archive member that contains it."""

    name: str
    member: str


def large_sheet(path: Path, wanted: str | int, *, limit_bytes: int = STREAMED_BYTES) -> SheetMember | None:
    """Return the sheet with this name or index if its XML is larger than the limit, else None."""
    with zipfile.ZipFile(path) as archive:
        sheets = _sheets(archive)
        if isinstance(wanted, int):
            found = sheets[wanted] if 0 <= wanted < len(sheets) else None
        else:
            found = next((sheet for sheet in sheets if sheet.name == wanted), None)
        if found is None or archive.getinfo(found.member).file_size <= limit_bytes:
            return None
        return found


def read_head(path: Path, member: str, rows: int) -> Head:
    """Read the first `rows` rows of a sheet."""
    with zipfile.ZipFile(path) as archive:
        dates = _Dates(styles=_date_styles(archive), epoch=_epoch(archive))
        with archive.open(member) as stream:
            told, found = _rows(stream, rows, dates)
        total = max(told or _count_rows(archive, member), len(found))
        wanted = max((cell.index for row in found for cell in row if isinstance(cell, _Shared)), default=-1)
        texts = _shared_texts(archive, wanted)
    width = max((len(row) for row in found), default=0)
    filled = [[_resolved(cell, texts) for cell in row] + [None] * (width - len(row)) for row in found]
    return Head(rows=filled, total=total)


def _sheets(archive: zipfile.ZipFile) -> list[SheetMember]:
    book, names = _small(archive, "xl/workbook.xml"), set(archive.namelist())
    relations = _small(archive, "xl/_rels/workbook.xml.rels")
    if book is None or relations is None:
        return []
    targets = {relation.get("Id"): relation.get("Target", "") for relation in relations}
    sheets: list[SheetMember] = []
    for entry in book.iter(f"{_MAIN}sheet"):
        target = str(targets.get(entry.get(_RELATION), ""))
        member = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
        if member in names and "worksheets/" in member:
            sheets.append(SheetMember(name=str(entry.get("name")), member=member))
    return sheets


def _small(archive: zipfile.ZipFile, member: str) -> Any:
    """Parse a small part; None if it is missing or too large."""
    if member not in archive.namelist() or archive.getinfo(member).file_size > _SMALL_PART_BYTES:
        return None
    return etree.fromstring(archive.read(member), etree.XMLParser(resolve_entities=False, no_network=True))


def _epoch(archive: zipfile.ZipFile) -> datetime:
    book = _small(archive, "xl/workbook.xml")
    properties = None if book is None else book.find(f"{_MAIN}workbookPr")
    from_1904 = properties is not None and properties.get("date1904") in {"1", "true"}
    return _FROM_1904 if from_1904 else _FROM_1900


def _date_styles(archive: zipfile.ZipFile) -> frozenset[int]:
    """Return the cell styles with a date format."""
    styles = _small(archive, "xl/styles.xml")
    if styles is None:
        return frozenset()
    own = {
        int(entry.get("numFmtId", "0")): re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", entry.get("formatCode", ""))
        for entry in styles.iter(f"{_MAIN}numFmt")
    }
    dated = {number for number, code in own.items() if re.search(r"[ymdhs]", code, re.IGNORECASE)} | _DATE_FORMATS
    formats = styles.find(f"{_MAIN}cellXfs")
    if formats is None:
        return frozenset()
    return frozenset(position for position, entry in enumerate(formats) if int(entry.get("numFmtId", "0")) in dated)


def _events(stream: IO[bytes], *tags: str) -> Iterator[Any]:
    """Yield elements as they end; each is discarded when the next is requested."""
    wanted = [f"{_MAIN}{tag}" for tag in tags]
    for _, element in etree.iterparse(stream, events=("end",), tag=wanted, resolve_entities=False, no_network=True):
        yield element
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]


def _rows(stream: IO[bytes], limit: int, dates: _Dates) -> tuple[int, list[list[Any]]]:
    total = 0
    rows: list[list[Any]] = []
    for element in _events(stream, _DIMENSION, "row"):
        if element.tag == f"{_MAIN}{_DIMENSION}":
            last = re.search(r":\$?[A-Z]+\$?(\d+)$", element.get("ref", ""))
            total = int(last.group(1)) if last else 0
            continue
        number = int(element.get("r", len(rows) + 1))
        if number > limit:
            break
        rows.extend([] for _ in range(number - 1 - len(rows)))
        rows.append(_cells(element, dates))
        if len(rows) >= limit:
            break
    return total, rows


def _count_rows(archive: zipfile.ZipFile, member: str) -> int:
    """Count the rows of a sheet that does not declare their number."""
    count, rest = 0, b""
    with archive.open(member) as stream:
        while block := stream.read(1024**2):
            count += (rest + block).count(b"<row ")
            rest = block[-4:]
    return count


def _cells(row: Any, dates: _Dates) -> list[Any]:
    cells: list[Any] = []
    for cell in row.iter(f"{_MAIN}c"):
        letters = re.match(r"[A-Z]+", cell.get("r", ""))
        column = _column(letters.group()) if letters else len(cells)
        if column > 16384:
            break
        cells.extend(None for _ in range(column - len(cells)))
        cells.append(_value(cell, dates))
    return cells


def _column(letters: str) -> int:
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column - 1


def _value(cell: Any, dates: _Dates) -> Any:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return "".join(cell.itertext())
    text = cell.findtext(f"{_MAIN}v")
    if text is None:
        return None
    if kind == "s":
        return _Shared(index=int(text))
    if kind == "b":
        return text == "1"
    if kind != "n":
        return text
    number = float(text)
    if int(cell.get("s", "0")) in dates.styles:
        return dates.epoch + timedelta(days=number)
    return number


def _shared_texts(archive: zipfile.ZipFile, last: int) -> list[str]:
    """Read the workbook's shared strings up to number `last`."""
    if last < 0 or "xl/sharedStrings.xml" not in archive.namelist():
        return []
    texts: list[str] = []
    with archive.open("xl/sharedStrings.xml") as stream:
        for element in _events(stream, "si"):
            texts.append("".join(part.text or "" for part in element.iter(f"{_MAIN}t")))
            if len(texts) > last:
                break
    return texts


def _resolved(cell: Any, texts: list[str]) -> Any:
    if isinstance(cell, _Shared):
        return texts[cell.index] if cell.index < len(texts) else None
    return cell
