"""Native charts: drawn beside the data, titled, styled."""

from __future__ import annotations

import math
from itertools import pairwise

from tablewright.domain.operations.charts import CreateChart, SetChartAxes, SetChartStyle, SetChartTitle
from tablewright.errors import InvalidInput
from tablewright.texts.catalogue import text
from tablewright.workbook.areas import MOST_ROWS, Area, cell_name, letters
from tablewright.workbook.formulas import sheet_prefix
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.operations.formats import number_of
from tablewright.workbook.operations.summaries import language_of_headers
from tablewright.workbook.package.chart_editing import set_axes, set_style, set_title
from tablewright.workbook.package.chart_xml import Series, chart_xml
from tablewright.workbook.package.drawings import PlacedChart, charts_of, covered_areas, place_chart, resize, usual_area
from tablewright.workbook.package.kinds import column_kinds
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.table_view import TableView
from tablewright.workbook.package.xml import Element, parse, serialized

_MOST_SERIES = 12
_MOST_BINS = 20


def create_chart(step: OperationContext, operation: CreateChart) -> None:
    """Create a chart from columns of a table.

    By default, plots the number columns against the first column of texts or dates.
    """
    sheet, within = (
        step.area(operation, operation.data_range, "data_range")
        if operation.data_range
        else (step.sheet(operation), None)
    )
    named = [*([operation.category] if operation.category else []), *operation.values, *operation.line_values]
    view = step.table(sheet, named, within)
    if operation.type == "histogram":
        series = [_bins(view, _value_columns(view, operation, None)[0])]
    else:
        series = _series(view, operation)
    title = operation.title
    category = operation.category if operation.type == "scatter" else None
    xml = chart_xml(operation.type, series, title=title, x_title=category, stacked=operation.stacked)
    home = step.book.sheet(sheet.name)
    area, exact = _anchor(step, home, operation, view)
    name = operation.name or _free_name(step, home, view)
    place_chart(step.book, home, xml, name, area, exact=exact)
    step.touch(home.name, area)
    step.note("chart_placed", name=name, cell=cell_name(area.first_row, area.first_column))


def set_chart_title(step: OperationContext, operation: SetChartTitle) -> None:
    """Set a chart's title."""
    chart, root, sheet = _found(step, operation)
    set_title(root, operation.title)
    _kept(step, sheet, chart, root)


def set_chart_axes(step: OperationContext, operation: SetChartAxes) -> None:
    """Set the titles and bounds of a chart's axes."""
    chart, root, sheet = _found(step, operation)
    if not set_axes(root, operation.x_title, operation.y_title, operation.y_minimum, operation.y_maximum):
        raise InvalidInput("chart_without_axes", name=chart.name)
    _kept(step, sheet, chart, root)


def set_chart_style(step: OperationContext, operation: SetChartStyle) -> None:
    """Set a chart's style, legend, labels and size."""
    chart, root, sheet = _found(step, operation)
    set_style(root, operation.style, operation.legend, labels=operation.data_labels)
    _kept(step, sheet, chart, root)
    if operation.width_cm is not None or operation.height_cm is not None:
        resize(step.book, sheet, chart, operation.width_cm, operation.height_cm)


HANDLERS: dict[str, Handler] = {
    "create_chart": create_chart, "set_chart_title": set_chart_title, "set_chart_axes": set_chart_axes,
    "set_chart_style": set_chart_style,
}  # fmt: skip


def _series(view: TableView, operation: CreateChart) -> list[Series]:
    category = _category(view, operation)
    columns = _value_columns(view, operation, category)
    lines = [view.column(name, "line_values") for name in operation.line_values]
    if operation.type == "combo" and not lines and len(columns) > 1:
        lines = columns[1:]
    columns = [column for column in columns if column not in lines]
    if operation.type in {"pie", "doughnut"}:
        columns = columns[:1]
    kinds = column_kinds(view)
    prefix = sheet_prefix(view.sheet.name)
    header = view.region.header
    return [
        Series(
            name=f"{prefix}${letters(column)}${header[1]}" if header else None,
            categories=prefix + view.span(category) if category is not None else None,
            categories_are_numbers=category is not None and kinds.get(category) in {"number", "date"},
            values=prefix + view.span(column), line=column in lines,
        )
        for column in [*columns, *lines]
    ]  # fmt: skip


def _category(view: TableView, operation: CreateChart) -> int | None:
    if operation.category:
        return view.column(operation.category, "category")
    kinds = column_kinds(view)
    taken = {view.column(name, "values") for name in (*operation.values, *operation.line_values)}
    free = [column for column in kinds if column not in taken]
    if operation.type == "scatter":
        return next((column for column in free if kinds[column] in {"number", "date"}), None)
    found = next((column for column in free if kinds[column] in {"text", "date", "mixed"}), None)
    numbers = [column for column in free if kinds[column] == "number"]
    return found if found is not None or len(numbers) < 2 or taken else numbers[0]


def _value_columns(view: TableView, operation: CreateChart, category: int | None) -> list[int]:
    if operation.values:
        return [view.column(name, "values") for name in operation.values]
    kinds = column_kinds(view)
    found = [column for column, kind in kinds.items() if kind == "number" and column != category]
    if not found and not operation.line_values:
        raise InvalidInput("no_number_columns", field="values", sheet=view.sheet.name)
    return found[:_MOST_SERIES]


def _bins(view: TableView, column: int) -> Series:
    """Write the frequencies per class as formulas to the right of the used area, and return them as a series."""
    first, last = view.rows
    scanned = view.sheet.scan(Area(first, column, last, column))
    numbers = [number for _, cells in scanned if column in cells and (number := number_of(cells[column])) is not None]
    if not numbers:
        raise InvalidInput("no_numbers", field="values", column=view.header(column))
    bounds = _bounds(min(numbers), max(numbers), len(numbers))
    sheet, header = view.sheet, view.region.header or (first, first)
    used = sheet.used() or view.region.area
    at, top = used.last_column + 2, header[1]
    language = language_of_headers(view.header(column))
    span = view.span(column)
    sheet.write(top, at, text("bins_from", language, column=view.header(column)))
    sheet.write(top, at + 1, text("bins_to", language))
    sheet.write(top, at + 2, text("bins_count", language))
    for row, (low, high) in enumerate(pairwise(bounds), top + 1):
        ends = "<=" if high == bounds[-1] else "<"
        sheet.write(row, at, low)
        sheet.write(row, at + 1, high)
        lower, upper = f"${letters(at)}{row}", f"${letters(at + 1)}{row}"
        sheet.write(row, at + 2, f'=COUNTIFS({span},">="&{lower},{span},"{ends}"&{upper})')
    prefix, end = sheet_prefix(sheet.name), top + len(bounds) - 1
    return Series(
        name=prefix + Area(top, at + 2, top, at + 2).fixed, categories=prefix + Area(top + 1, at, end, at).fixed,
        categories_are_numbers=True, values=prefix + Area(top + 1, at + 2, end, at + 2).fixed,
    )  # fmt: skip


def _bounds(low: float, high: float, count: int) -> list[float]:
    """Return round class limits that cover all values; their number follows Sturges' rule approximately."""
    if low == high:
        return [low - 0.5, high + 0.5]
    wanted = (high - low) / min(max(math.ceil(math.log2(count) + 1), 4), _MOST_BINS)
    scale = 10 ** math.floor(math.log10(wanted))
    width = next(step * scale for step in (1, 2, 2.5, 5, 10) if step * scale >= wanted)
    start = math.floor(low / width)
    classes = math.floor((high - start * width) / width) + 1
    return [round((start + at) * width, 10) for at in range(classes + 1)]


def _anchor(step: OperationContext, sheet: WorkbookSheet, operation: CreateChart, view: TableView) -> tuple[Area, bool]:
    """Return where the chart goes.

    That is the requested place if it holds no data, else to the right of all data and below other floating objects.
    """
    taken = covered_areas(step.book, sheet)
    if operation.anchor:
        _, area = step.area(operation, operation.anchor, "anchor")
        wanted = usual_area(area.first_row, area.first_column) if area.one_cell else area
        if not any(cells for _, cells in sheet.scan(wanted)):
            return wanted, not area.one_cell
        step.note("chart_moved", cell=cell_name(area.first_row, area.first_column))
    used = sheet.used() or Area(1, 1, 1, 1)
    place = usual_area(view.region.area.first_row, used.last_column + 2)
    while (blocking := next((other for other in taken if other.meets(place)), None)) is not None:
        below = blocking.last_row + 2
        if below + place.height > MOST_ROWS:
            break
        place = usual_area(below, place.first_column)
    return place, False


def _free_name(step: OperationContext, sheet: WorkbookSheet, view: TableView) -> str:
    base = text("chart_name", language_of_headers(" ".join(view.headers)))
    taken = {chart.name for chart in charts_of(step.book, sheet)}
    number = len(taken) + 1
    while f"{base} {number}" in taken:
        number += 1
    return f"{base} {number}"


def _found(
    step: OperationContext, operation: SetChartTitle | SetChartAxes | SetChartStyle
) -> tuple[PlacedChart, Element, WorkbookSheet]:
    sheet = step.sheet(operation)
    charts = charts_of(step.book, sheet)
    if operation.sheet is None and not charts:
        for tab in step.book.worksheets():
            if found := charts_of(step.book, step.book.sheet(tab.name)):
                sheet, charts = step.book.sheet(tab.name), found
    if operation.name:
        charts = [chart for chart in charts if chart.name.casefold() == operation.name.strip().casefold()]
    if not charts:
        raise InvalidInput("chart_missing", field="name", name=operation.name or "", sheet=sheet.name)
    return charts[-1], parse(step.book.archive[charts[-1].part]), sheet


def _kept(step: OperationContext, sheet: WorkbookSheet, chart: PlacedChart, root: Element) -> None:
    step.book.archive[chart.part] = serialized(root)
    step.touch(sheet.name, chart.area)
