"""A workbook's outline in the form that a model reads: sheets, tables, columns; content of cells in separate parts."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.domain.language import Language
from tablewright.domain.message import TextPart
from tablewright.domain.outline import ColumnOutline, RegionOutline, SheetOutline, WorkbookOutline
from tablewright.models.facts import quoted
from tablewright.models.prompt_files import phrase


def outline_parts(outline: WorkbookOutline, language: Language) -> tuple[TextPart, ...]:
    """Return the structure of all sheets, then samples and texts from their cells. Empty parts are left out."""
    structure = [line for sheet in outline.sheets for line in _sheet(sheet, language)]
    structure.extend(f"- {name} = {meaning}" for name, meaning in outline.names)
    if outline.names_left_out:
        structure.append(phrase("outline_names_left_out", language, count=outline.names_left_out))
    samples = [line for sheet in outline.sheets for line in _samples(sheet)]
    parts = [TextPart(text="\n".join(structure) + "\n", origin="schema")]
    if samples:
        lines = (phrase("outline_samples", language), *samples)
        parts.append(TextPart(text="\n".join(lines) + "\n", origin="sample"))
    return tuple(parts)


def _sheet(sheet: SheetOutline, language: Language) -> Iterator[str]:
    about = [phrase("outline_used", language, range=sheet.used) if sheet.used else phrase("outline_empty", language)]
    if sheet.state != "visible":
        about.append(phrase("outline_hidden", language))
    if sheet.kind != "worksheet":
        about.append(sheet.kind)
    about.extend(f"{kind} {count}" for kind, count in sheet.extras.items())
    yield phrase("outline_sheet", language, name=quoted(sheet.name), about=", ".join(about))
    for region in sheet.regions:
        yield from _region(region, language)
    if sheet.regions_left_out:
        yield phrase("outline_regions_left_out", language, count=sheet.regions_left_out)


def _region(region: RegionOutline, language: Language) -> Iterator[str]:
    about: list[str] = []
    if region.header_rows is not None:
        about.append(phrase("outline_header", language, rows=_rows(region.header_rows)))
    if region.data_rows is not None:
        about.append(phrase("outline_data", language, rows=_rows(region.data_rows)))
    if region.totals_row is not None:
        about.append(phrase("outline_totals", language, row=region.totals_row))
    if region.name is not None:
        about.append(phrase("outline_table_name", language, name=quoted(region.name)))
    yield phrase("outline_region", language, range=region.range, about=", ".join(about))
    yield from (_column(column, language) for column in region.columns)
    if region.columns_left_out:
        yield phrase("more_columns", language, count=region.columns_left_out)


def _column(column: ColumnOutline, language: Language) -> str:
    header = "" if column.header is None else f" {quoted(column.header)}"
    about = [column.kind, phrase("outline_filled", language, count=column.filled)]
    if column.formula is not None:
        about.append(phrase("outline_formula", language, formula=quoted(column.formula)))
    return f"  - {column.letters}{header}: {', '.join(about)}"


def _samples(sheet: SheetOutline) -> Iterator[str]:
    lines = [
        f"{column.letters}: {', '.join(quoted(value) for value in column.samples)}"
        for region in sheet.regions
        for column in region.columns
        if column.samples
    ]
    lines.extend(f"{ref}: {quoted(content)}" for ref, content in sheet.texts)
    if lines:
        yield quoted(sheet.name)
        yield from lines


def _rows(rows: tuple[int, int]) -> str:
    first, last = rows
    return str(first) if first == last else f"{first}-{last}"
