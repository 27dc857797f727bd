"""The list of sheets: add, remove, rename, copy and move entries, and update everything that depends on their order."""

from __future__ import annotations

from lxml import etree

from tablewright.errors import InvalidInput
from tablewright.workbook.formulas import renamed
from tablewright.workbook.package import relations, tables
from tablewright.workbook.package.book import Book, Tab
from tablewright.workbook.package.references import everywhere, in_chart
from tablewright.workbook.package.xml import (
    MAIN,
    RELATIONS,
    child,
    children,
    local,
    main,
    needed,
    parse,
    serialized,
)

_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
_EMPTY = (
    f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="{MAIN}" '
    f'xmlns:r="{RELATIONS}"><sheetData/></worksheet>'
)
_COPIED_KINDS = frozenset(
    {
        "drawing",
        "vmlDrawing",
        "comments",
        "image",
        "chart",
        "hyperlink",
        "printerSettings",
        "chartStyle",
        "chartColorStyle",
        "chartUserShapes",
        "table",
    }
)
_LEFT_OUT = frozenset({"oleObjects", "controls"})


def add(book: Book, name: str, before: str | None = None, part_bytes: bytes | None = None) -> str:
    """Add a sheet at the end or before another, and return its part."""
    part = relations.free_part(book.archive, f"{book.folder}/worksheets/sheet{{}}.xml".lstrip("/"))
    book.archive[part] = part_bytes or _EMPTY.encode()
    relations.declare(book.archive, part, _TYPE)
    link = relations.relate(book.archive, book.part, "worksheet", part)
    entries = needed(book.root, "sheets")
    number = max([int(entry.get("sheetId", "0")) for entry in entries], default=0) + 1
    made = etree.SubElement(entries, main("sheet"), name=name, sheetId=str(number))
    made.set(f"{{{RELATIONS}}}id", link)
    book.root_changed = True
    if before is not None:
        _reorder(book, name, [tab.name for tab in book.tabs].index(before))
    return part


def remove(book: Book, tab: Tab) -> None:
    """Remove a sheet and the parts that only it used. Errors: `InvalidInput` when no visible sheet would be left."""
    if not any(other.state == "visible" and other.name != tab.name for other in book.tabs):
        raise InvalidInput("last_visible_sheet", sheet=tab.name)
    index = [other.name for other in book.tabs].index(tab.name)
    everywhere(book, lambda formula, _home: renamed(formula, tab.name, None), tab.name)
    book.flush()
    book.close(tab.name)
    _reindex(book, [at if at < index else at - 1 for at in range(len(book.tabs)) if at != index], index)
    entries = needed(book.root, "sheets")
    for entry in list(entries):
        if entry.get("name") == tab.name:
            entries.remove(entry)
    book.root_changed = True
    own = _reachable(book, tab.part)
    relations.unrelate(book.archive, book.part, tab.part)
    others = {part for other in book.tabs for part in _reachable(book, other.part)}
    for part in own - others:
        relations.remove(book.archive, part)
    book.shared.formulas_changed = True
    book.forget()


def rename(book: Book, tab: Tab, name: str) -> None:
    """Rename a sheet and update every reference to it."""
    everywhere(book, lambda formula, _home: renamed(formula, tab.name, name), tab.name)
    for part in book.related("pivotCacheDefinition"):
        root = parse(book.archive[part])
        for source in root.iter():
            if local(source) == "worksheetSource" and source.get("sheet") == tab.name:
                source.set("sheet", name)
        book.archive[part] = serialized(root)
    for entry in children(needed(book.root, "sheets"), "sheet"):
        if entry.get("name") == tab.name:
            entry.set("name", name)
    book.root_changed = True
    book.forget()


def copy(book: Book, tab: Tab, name: str) -> list[str]:
    """Copy a sheet to the end, and return the kinds of objects that cannot be copied."""
    book.flush()
    root = parse(book.archive[tab.part])
    left = [local(element) for element in root if local(element) in _LEFT_OUT]
    for element in [element for element in root if local(element) in _LEFT_OUT]:
        root.remove(element)
    for view in root.iter(main("sheetView")):
        view.attrib.pop("tabSelected", None)
    part = add(book, name, None, serialized(root))
    _copy_relations(book, tab.part, part)
    tables.make_own(book, part)
    left += sorted({found.kind for found in relations.relations(book.archive, tab.part)} & {"pivotTable", "slicer"})
    for copied in _reachable(book, part):
        if "/charts/" in copied:
            book.archive[copied] = _renamed_in_chart(book.archive[copied], tab.name, name)
    book.shared.formulas_changed = True
    book.forget()
    return left


def move(book: Book, tab: Tab, position: int) -> None:
    """Move a sheet to a position counted from 1."""
    _reorder(book, tab.name, position - 1)


def _reorder(book: Book, name: str, to: int) -> None:
    entries = needed(book.root, "sheets")
    names = [entry.get("name") for entry in entries]
    at = names.index(name)
    order = [index for index in range(len(names)) if index != at]
    order.insert(to, at)
    places = [order.index(index) for index in range(len(names))]
    listed = list(entries)
    for entry in listed:
        entries.remove(entry)
    for index in order:
        entries.append(listed[index])
    _reindex(book, places, None)
    book.root_changed = True


def _reindex(book: Book, places: list[int], gone: int | None) -> None:
    """Update what refers to sheets by index. `places` gives the new indexes of the kept sheets, in their old order."""
    kept = [index for index in range(len(places) + (gone is not None)) if index != gone]
    new = dict(zip(kept, places, strict=True))
    names = child(book.root, "definedNames")
    for entry in list(names) if names is not None else []:
        if (scope := entry.get("localSheetId")) is None:
            continue
        if int(scope) == gone:
            entry.getparent().remove(entry)
        else:
            entry.set("localSheetId", str(new.get(int(scope), int(scope))))
    views = child(book.root, "bookViews")
    for view in views if views is not None else []:
        for attribute in ("activeTab", "firstSheet"):
            if (text := view.get(attribute)) is not None:
                view.set(attribute, str(new.get(int(text), 0)))


def _reachable(book: Book, part: str) -> set[str]:
    found, waiting = set[str](), [part]
    while waiting:
        at = waiting.pop()
        if at not in found and at in book.archive:
            found.add(at)
            waiting += [
                entry.target
                for entry in relations.relations(book.archive, at)
                if not entry.outside and entry.kind != "pivotCacheDefinition"
            ]
    return found


def _copy_relations(book: Book, source: str, target: str) -> None:
    """Copy what a part refers to and relate the copied part to it under the same ids."""
    archive = book.archive
    name = relations.relations_name(source)
    if name not in archive:
        return
    root = parse(archive[name])
    found = {entry.id: entry for entry in relations.relations(archive, source)}
    for entry in list(root):
        relation = found[entry.get("Id", "")]
        if relation.outside or relation.kind == "image":
            continue
        if relation.kind not in _COPIED_KINDS or relation.target not in archive:
            root.remove(entry)
            continue
        copied = _copy_part(book, relation.target)
        entry.set("Target", "/" + copied)
    archive[relations.relations_name(target)] = serialized(root)


def _copy_part(book: Book, part: str) -> str:
    stem, _, suffix = part.rpartition(".")
    copied = relations.free_part(book.archive, f"{stem.rstrip('0123456789')}{{}}.{suffix}")
    book.archive[copied] = book.archive[part]
    types = parse(book.archive[relations.CONTENT_TYPES])
    for entry in children(types, "Override"):
        if entry.get("PartName") == f"/{part}":
            relations.declare(book.archive, copied, entry.get("ContentType", ""))
    _copy_relations(book, part, copied)
    return copied


def _renamed_in_chart(part: bytes, old: str, new: str) -> bytes:
    return in_chart(part, lambda formula, _home: renamed(formula, old, new))
