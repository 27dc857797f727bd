"""The workbook as the planner sees it: the tables on its sheets, with facts to which words can be linked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from tablewright.analyst.grammar.scene import Scene as Linked
from tablewright.analyst.linking.text import compact, fold
from tablewright.domain.dataset import ColumnFacts, ColumnKind, DatasetFacts, ReadOptions
from tablewright.domain.language import Language
from tablewright.domain.outline import ColumnOutline, RegionOutline, SheetOutline, WorkbookOutline
from tablewright.domain.table import Table
from tablewright.workbook.areas import Area, AreaShift, column_number, letters, parse_area

_NUMBERS = frozenset({"number", "integer"})
DATES = frozenset({"date", "datetime"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A table on a sheet. `facts` name its columns by header, or by letters if there is none; `letters` maps these
    names to column letters."""

    sheet: str
    region: RegionOutline
    facts: DatasetFacts
    letters: dict[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in table order."""
        return tuple(column.name for column in self.facts.columns)

    @property
    def rows(self) -> tuple[int, int]:
        """The first and the last row of the data."""
        area = self.area
        return self.region.data_rows or (area.first_row, area.last_row)

    @property
    def area(self) -> Area:
        """The area of the table."""
        return parse_area(self.region.range)[1]

    @property
    def header_range(self) -> str | None:
        """The range of the header, or None."""
        if self.region.header_rows is None:
            return None
        first, last = self.region.header_rows
        return Area(first, self.area.first_column, last, self.area.last_column).text

    def fact(self, name: str) -> ColumnFacts:
        """Return the facts of a column, which must exist."""
        return next(column for column in self.facts.columns if column.name == name)

    def numeric(self, name: str) -> bool:
        """Return whether a column holds numbers."""
        return self.fact(name).kind in _NUMBERS

    def dated(self, name: str) -> bool:
        """Return whether a column holds dates."""
        return self.fact(name).kind in DATES

    def by_letters(self, wanted: str) -> str | None:
        """Return the name of the column with these letters, or None."""
        return next((name for name, found in self.letters.items() if found == wanted.upper()), None)

    def span(self, name: str, *, header: bool = False) -> str:
        """Return the range of a column's data, with the header if `header`."""
        first, last = self.rows
        if header and self.region.header_rows is not None:
            first = self.region.header_rows[1]
        found = self.letters.get(name, name)
        return f"{found}{first}:{found}{last}"

    def fixed(self, name: str) -> str:
        """Return the range of a column's data as an absolute reference."""
        first, last = self.rows
        return f"${self.letters[name]}${first}:${self.letters[name]}${last}"

    def with_column(self, name: str, kind: ColumnKind = "number", *, after: str | None = None) -> Place:
        """Return the table after a column is added at its right end, or right of the column `after`."""
        before = column_number(self.letters[after]) if after in self.letters else self.area.last_column
        moved = self.with_blank(before + 1, 1)
        columns = (*moved.facts.columns, ColumnFacts(name=name, kind=kind))
        places = {**moved.letters, name: letters(before + 1)}
        return replace(moved, facts=replace(moved.facts, columns=columns), letters=places)

    def with_moved(self, moved: Sequence[str], *, before: str | None, after: str | None) -> Place:
        """Return the table with columns moved before or after another."""
        beside = before or after
        if beside not in self.letters or not all(name in self.letters for name in moved):
            return self
        names = sorted(self.letters, key=lambda name: column_number(self.letters[name]))
        rest = [name for name in names if name not in moved]
        at = rest.index(beside) + (before is None) if beside in rest else len(rest)
        order = [*rest[:at], *moved, *rest[at:]]
        places = dict(zip(order, (self.letters[name] for name in names), strict=True))
        columns = sorted(
            self.facts.columns, key=lambda one: order.index(one.name) if one.name in places else len(order)
        )
        return replace(self, facts=replace(self.facts, columns=tuple(columns)), letters=places)

    def with_blank(self, at: int, count: int) -> Place:
        """Return the table after `count` columns are inserted before column number `at`, or deleted from there on if
        `count` is negative."""
        places = {
            name: letters(number + count if number >= at else number)
            for name, found in self.letters.items()
            if (number := column_number(found)) < at or number >= at - min(count, 0)
        }
        area = self.area
        wider = Area(area.first_row, area.first_column, area.last_row, area.last_column + count)
        return replace(self, letters=places, region=replace(self.region, range=wider.text))

    def with_rows(self, at: int, count: int) -> Place:
        """Return the table after `count` rows are inserted before row `at`, or deleted from there on if `count` is
        negative; the same table if nothing of it would be left."""
        shift = AreaShift(sheet=self.sheet, axis="row", at=at, count=count)
        area, header, totals = shift.area(self.area), self.region.header_rows, self.region.totals_row
        data = shift.span(*self.rows)
        if area is None or data is None:
            return self
        region = replace(
            self.region,
            range=area.text,
            header_rows=header and shift.span(*header),
            data_rows=data if self.region.data_rows else None,
            totals_row=totals and shift.place(totals),
        )
        return replace(self, region=region)

    def without(self, gone: Sequence[str]) -> Place:
        """Return the table after columns are deleted."""
        place = self
        for name in gone:
            if name in place.letters:
                place = place.with_blank(column_number(place.letters[name]), -1)
        columns = tuple(column for column in place.facts.columns if column.name not in gone)
        return replace(place, facts=replace(place.facts, columns=columns))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """All sheets and their tables."""

    outline: WorkbookOutline
    places: tuple[Place, ...]
    language: Language
    linked: dict[tuple[str, int], tuple[DatasetFacts, Linked]] = field(
        default_factory=dict[tuple[str, int], tuple[DatasetFacts, Linked]], compare=False, repr=False
    )
    """What has been linked already, by the words and the identity of a table's facts."""

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of the sheets."""
        return tuple(sheet.name for sheet in self.outline.sheets)

    def sheet(self, name: str) -> SheetOutline:
        """Return the outline of a sheet, which must exist."""
        return next(sheet for sheet in self.outline.sheets if sheet.name == name)

    def free_sheet(self, wanted: str) -> str:
        """Return a name that no sheet has: the wanted one, or that and a number."""
        name, number = wanted, 1
        while name in self.sheets:
            number += 1
            name = f"{wanted} {number}"
        return name

    def on(self, sheet: str) -> Place | None:
        """Return the largest table of a sheet, preferably one with a header, or None."""
        return next((place for place in self.places if place.sheet == sheet), None)

    def said_sheets(self, text: str) -> list[str]:
        """Return the sheets that a text names, in order. A name that is one common word counts only beside a word
        for a sheet."""
        folded = fold(text)
        found: list[tuple[int, str]] = []
        for sheet in sorted(self.sheets, key=len, reverse=True):
            at = _stands(folded, fold(sheet))
            if at is not None and not any(fold(sheet) in fold(other) and at >= start for start, other in found):
                found.append((at, sheet))
        return [sheet for _, sheet in sorted(found)]


def _stands(text: str, name: str) -> int | None:
    """Return the offset at which a name occurs in a text as separate words, or None."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        before, after = text[start - 1 : start], text[end : end + 1]
        latin = name[0].isascii() and name[0].isalnum()
        if not (latin and (before.isascii() and before.isalnum())) and not (
            name[-1].isascii() and after.isascii() and after.isalnum()
        ):
            return start
        start = text.find(name, start + 1)
    return None


def scene_of(outline: WorkbookOutline, datasets: Sequence[DatasetFacts], language: Language) -> Scene:
    """Return the scene of a workbook; facts of data sets that are the same tables complete the outline."""
    places = [
        _place(sheet, region, _same(sheet, region, outline, datasets))
        for sheet in outline.sheets
        for region in sorted(sheet.regions, key=lambda found: found.header_rows is None)
        if region.columns
    ]
    tabled = {place.sheet for place in places}
    places += [_bare(sheet) for sheet in outline.sheets if sheet.name not in tabled and sheet.kind == "worksheet"]
    return Scene(outline=outline, places=tuple(places), language=language)


def _bare(sheet: SheetOutline) -> Place:
    """Return a sheet without a table, such as a form, whose cells can still be named."""
    region = RegionOutline(range=sheet.used or "A1", header_rows=None, data_rows=None, columns=())
    return _place(sheet, region, None)


def _same(
    sheet: SheetOutline, region: RegionOutline, outline: WorkbookOutline, datasets: Sequence[DatasetFacts]
) -> DatasetFacts | None:
    headers = {compact(column.header or "") for column in region.columns}
    for facts in datasets:
        if facts.read.sheet != sheet.name and not (facts.read.sheet is None and len(outline.sheets) == 1):
            continue
        common = headers & {compact(column.name) for column in facts.columns}
        if len(common) * 2 >= len(headers):
            return facts
    return None


def _place(sheet: SheetOutline, region: RegionOutline, known: DatasetFacts | None) -> Place:
    by_name = {compact(column.name): column for column in known.columns} if known else {}
    first, last = region.data_rows or (1, 0)
    columns: list[ColumnFacts] = []
    places: dict[str, str] = {}
    for column in region.columns:
        name = column.header or column.letters
        if name in places:
            name = column.letters
        places[name] = column.letters
        columns.append(_facts(name, column, by_name.get(compact(name)), last - first + 1))
    facts = DatasetFacts(
        id=known.id if known else sheet.name, name=sheet.name, file_name=known.file_name if known else "", path="",
        read=known.read if known else ReadOptions(kind="xlsx", sheet=sheet.name), rows=last - first + 1,
        columns=tuple(columns), sample=Table(columns=(), rows=(), total_rows=0),
        profile_ref=known.profile_ref if known else "",
    )  # fmt: skip
    return Place(sheet=sheet.name, region=region, facts=facts, letters=places)


def _facts(name: str, column: ColumnOutline, known: ColumnFacts | None, rows: int) -> ColumnFacts:
    """Return the facts of a column: those of the file if the outline still agrees with their kind, else those of the
    outline."""
    if known is not None and (known.kind == column.kind or {known.kind, column.kind} <= (_NUMBERS | {"mixed"})):
        return replace(known, name=name)
    if known is not None and known.kind in DATES and column.kind in {"text", "date"}:
        return replace(known, name=name)
    distinct = len(set(column.samples)) if rows <= len(column.samples) else None
    return ColumnFacts(
        name=name, kind=column.kind, samples=column.samples, missing=max(rows - column.filled, 0), distinct=distinct
    )


def columns_between(first: str, last: str) -> list[str]:
    """Return the letters of all columns from one to another, in sheet order."""
    low, high = sorted((column_number(first), column_number(last)))
    return [letters(number) for number in range(low, high + 1)]
