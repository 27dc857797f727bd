"""Pictures that are the values of cells. Files keep them as rich values: the cell names one, which names a picture of
the package, or an address that nothing is loaded from here; programs that know neither show `#VALUE!`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from tablewright.workbook.areas import cell_name, column_number
from tablewright.workbook.package import relations
from tablewright.workbook.package.archive import Archive
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.xml import RELATIONS, Element, child, children, local, parse
from tablewright.workbook.views import SheetImage

IMAGES = frozenset({"png", "jpg", "jpeg", "gif", "bmp", "webp"})
"""Kinds of pictures that pages show."""
_FOLDER = "xl/richData/"
_CELL = re.compile(rb'<c r="([A-Z]+)\d+"[^>]*?\bvm="(\d+)"')
_LOCAL, _WEB = "_rvRel:LocalImageIdentifier", "WebImageIdentifier"
_MOST = 500


def cell_pictures(archive: Archive, sheet: WorkbookSheet) -> Iterator[SheetImage]:
    """Yield the pictures in the cells of a sheet. One that is not in the package, or of a kind that pages do not show,
    has no `image`."""
    if _FOLDER + "rdrichvalue.xml" in archive and "xl/metadata.xml" in archive:
        try:
            pictures = _pictures(archive)
        except (etree.XMLSyntaxError, ValueError, IndexError, KeyError):
            return
        yield from islice(_placed(sheet, pictures), _MOST)


def _placed(sheet: WorkbookSheet, pictures: dict[int, tuple[str, str]]) -> Iterator[SheetImage]:
    for number in sheet.rows.numbers if pictures else ():
        for column, value in _CELL.findall(sheet.rows.raw(number)):
            if (found := pictures.get(int(value))) is not None:
                at = cell_name(number, column_number(column.decode()))
                yield SheetImage(name=found[0], range=at, image=found[1], in_cell=True)


def _pictures(archive: Archive) -> dict[int, tuple[str, str]]:
    """Return, by the number that cells name, the alternative text and the file of each picture."""
    metadata = parse(archive["xl/metadata.xml"])
    listed = [block for block in metadata if local(block) == "futureMetadata" and block.get("name") == "XLRICHVALUE"]
    values = [int(entry.get("i", "0")) for block in listed for entry in block.iter() if local(entry) == "rvb"]
    rich = [_picture(archive, keys, value) for keys, value in _rich_values(archive)]
    found: dict[int, tuple[str, str]] = {}
    blocks = child(metadata, "valueMetadata")
    for number, block in enumerate(blocks if blocks is not None else (), start=1):
        record = child(block, "rc")
        picture = rich[values[int(record.get("v", "0"))]] if record is not None and values else None
        if picture is not None:
            found[number] = picture
    return found


def _rich_values(archive: Archive) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the keys and the values of each rich value."""
    kinds = children(parse(archive[_FOLDER + "rdrichvaluestructure.xml"]), "s")
    keys = [[key.get("n", "") for key in children(kind, "k")] for kind in kinds]
    for value in children(parse(archive[_FOLDER + "rdrichvalue.xml"]), "rv"):
        yield keys[int(value.get("s", "0"))], [entry.text or "" for entry in children(value, "v")]


def _picture(archive: Archive, keys: list[str], values: list[str]) -> tuple[str, str] | None:
    told = dict(zip(keys, values, strict=False))
    if _LOCAL not in told:
        return (told.get("Text", "")[:200], "") if _WEB in told else None
    part = _target(archive, int(told[_LOCAL]))
    shown = part in archive and part.rpartition(".")[2].lower() in IMAGES
    return told.get("Text", "")[:200], part.rpartition("/")[2] if shown else ""


def _target(archive: Archive, number: int) -> str:
    part = _FOLDER + "richValueRel.xml"
    entries: list[Element] = children(parse(archive[part]), "rel")
    wanted = entries[number].get(f"{{{RELATIONS}}}id", "")
    return next((entry.target for entry in relations.relations(archive, part) if entry.id == wanted), "")
