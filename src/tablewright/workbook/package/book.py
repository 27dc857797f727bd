"""A workbook as stored in its package: sheets, names, formats, texts, and the archive that contains them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from tablewright.domain.outline import SheetState
from tablewright.domain.sheet_names import sheet_named
from tablewright.errors import FileUnreadable, InvalidInput
from tablewright.workbook.package import relations
from tablewright.workbook.package.archive import Archive
from tablewright.workbook.package.journal import Journal
from tablewright.workbook.package.pieces import Pieces
from tablewright.workbook.package.shared import Shared
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.strings import SharedStrings
from tablewright.workbook.package.styles import Styles
from tablewright.workbook.package.xml import RELATIONS, Element, child, children, needed, parse, serialized

STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"
_CELLS_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """An entry in the workbook's list of sheets.

    `kind` is worksheet, chartsheet, dialogsheet, …; `state` is visible, hidden or veryHidden.
    """

    name: str
    number: int
    relation: str
    part: str
    kind: str
    state: str

    @property
    def visibility(self) -> SheetState:
        """The state; what is no state is visible."""
        return "hidden" if self.state == "hidden" else "veryHidden" if self.state == "veryHidden" else "visible"


@dataclass(frozen=True, slots=True)
class Moment:
    """A saved state for `Book.restore`."""

    parts: dict[str, bytes | Pieces | None]
    formulas_changed: bool


class Book:
    """An open workbook.

    Opening it may raise `FileUnreadable`; the detail `workbook_unusual` asks for the fallback.
    """

    def __init__(self, path: Path, name: str) -> None:
        self.name = name
        self.archive = Archive(path, name)
        self.stale = True
        self.part = self._workbook_part()
        self.folder = self.part.rpartition("/")[0]
        self.root: Element = None
        self.root_changed = False
        self.shared = Shared(
            workbook=name, strings=SharedStrings(b""), styles=Styles(None), journal=Journal(_CELLS_SHOWN)
        )
        self._sheets: dict[str, WorkbookSheet] = {}
        self._open()

    @property
    def tabs(self) -> list[Tab]:
        """The sheets in order, including those without cells."""
        found = {relation.id: relation for relation in relations.relations(self.archive, self.part)}
        entries = child(self.root, "sheets")
        return [
            Tab(
                name=entry.get("name", ""), number=int(entry.get("sheetId", "0")),
                relation=entry.get(f"{{{RELATIONS}}}id", ""),
                part=relation.target, kind=relation.kind, state=entry.get("state", "visible"),
            )
            for entry in (children(entries, "sheet") if entries is not None else [])
            if (relation := found.get(entry.get(f"{{{RELATIONS}}}id", ""))) and relation.target in self.archive
        ]  # fmt: skip

    def worksheets(self) -> list[Tab]:
        """Return the sheets that have cells."""
        return [tab for tab in self.tabs if tab.kind == "worksheet"]

    def sheet(self, name: str | None = None) -> WorkbookSheet:
        """Return the sheet that a name means, or the first visible one if None. Errors: `InvalidInput`."""
        tabs = self.worksheets()
        if name is None:
            found = next((tab for tab in tabs if tab.state == "visible"), tabs[0] if tabs else None)
        else:
            wanted = sheet_named(name, [tab.name for tab in tabs])
            found = next((tab for tab in tabs if tab.name == wanted), None)
        if found is None:
            raise InvalidInput("sheet_missing", field="sheet", id=name or "", known=", ".join(tab.name for tab in tabs))
        if found.name not in self._sheets:
            formulas = self.archive.mentions(found.part, b"<f")
            self._sheets[found.name] = WorkbookSheet(
                self.shared, found.name, found.part, self.archive[found.part], formulas=formulas
            )
        return self._sheets[found.name]

    def sheet_is_open(self, part: str) -> bool:
        """Whether a sheet has changes that have not been written to its part."""
        return any(sheet.part == part and sheet.changed for sheet in self._sheets.values())

    def tab(self, name: str | None) -> Tab:
        """Return the entry of the sheet of any kind that a name means; None means the first visible one.

        Errors: `InvalidInput`.
        """
        tabs = self.tabs
        wanted = None if name is None else sheet_named(name, [tab.name for tab in tabs])
        found = [tab for tab in tabs if name is None or tab.name == wanted]
        if not found:
            raise InvalidInput("sheet_missing", field="sheet", id=name or "", known=", ".join(tab.name for tab in tabs))
        return next((tab for tab in found if tab.state == "visible"), found[0])

    def close(self, name: str) -> None:
        """Discard what was read of a sheet."""
        self._sheets.pop(name, None)

    def checkpoint(self) -> Moment:
        """Write open sheets back to the parts and return the state for `restore`."""
        self.flush()
        return Moment(self.archive.state(), self.shared.formulas_changed)

    def restore(self, moment: Moment) -> None:
        """Restore a state that `checkpoint` returned."""
        self.archive.restore(moment.parts)
        self.shared.formulas_changed = moment.formulas_changed
        self._open()

    def flush(self) -> None:
        """Write every change back to the parts."""
        for sheet in self._sheets.values():
            if sheet.changed:
                self.archive[sheet.part] = sheet.pieces()
                sheet.changed = False
        if self.shared.styles.changed:
            self._flush_styles()
        if self.root_changed:
            self.archive[self.part] = serialized(self.root)
            self.root_changed = False

    def reread(self) -> None:
        """Discard everything that was parsed so that it is read again on demand; unflushed changes are lost."""
        self._open()

    def forget(self) -> None:
        """Flush, then discard everything parsed. Call it after parts were changed without going through the sheets."""
        self.flush()
        self.reread()

    def save(self, target: Path) -> None:
        """Write the workbook. If formulas were added or removed, the stored calculation order is dropped."""
        self.flush()
        if self.shared.formulas_changed:
            for chain in relations.related(self.archive, self.part, "calcChain"):
                relations.unrelate(self.archive, self.part, chain)
                relations.remove(self.archive, chain)
        self.archive.write(target)

    def set_state(self, name: str, state: str) -> None:
        """Show or hide a sheet. Errors: `InvalidInput` when it is the last visible one."""
        others = [tab for tab in self.tabs if tab.state == "visible" and tab.name != name]
        if state != "visible" and not others:
            raise InvalidInput("last_visible_sheet", sheet=name)
        for entry in children(needed(self.root, "sheets"), "sheet"):
            if entry.get("name") == name:
                entry.set("state", state)
                if state == "visible":
                    del entry.attrib["state"]
        self.root_changed = True

    def related(self, kind: str) -> list[str]:
        """Return the parts that the workbook has a relationship of type `kind` to."""
        return relations.related(self.archive, self.part, kind)

    def _open(self) -> None:
        try:
            self.root = parse(self.archive[self.part])
        except etree.XMLSyntaxError as error:
            raise FileUnreadable("file_damaged", name=self.name) from error
        self.root_changed = False
        self._sheets = {}
        strings, styles = self.related("sharedStrings"), self.related("styles")
        self.shared.strings = SharedStrings(self.archive[strings[0]] if strings else b"")
        try:
            self.shared.styles = Styles(self.archive[styles[0]] if styles else None)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise FileUnreadable("file_damaged", name=self.name) from error
        self.shared.styles.changed = False
        properties = child(self.root, "workbookPr")
        self.shared.counts_from_1904 = properties is not None and properties.get("date1904", "0") in {"1", "true"}

    def _flush_styles(self) -> None:
        found = self.related("styles")
        if not found:
            part = f"{self.folder}/styles.xml".lstrip("/")
            relations.declare(
                self.archive, part, "application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"
            )
            relations.relate(self.archive, self.part, "styles", part)
            found = [part]
        self.archive[found[0]] = self.shared.styles.xml()
        self.shared.styles.changed = False

    def _workbook_part(self) -> str:
        try:
            found = relations.related(self.archive, "", "officeDocument")
        except etree.XMLSyntaxError as error:
            raise FileUnreadable("file_damaged", name=self.name) from error
        if not found:
            raise FileUnreadable("file_damaged", name=self.name)
        if STRICT in self.archive[found[0]] or b"<workbook" not in self.archive[found[0]]:
            raise FileUnreadable("workbook_unusual", name=self.name)
        return found[0]
