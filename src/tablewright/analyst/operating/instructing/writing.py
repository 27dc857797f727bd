"""From filled slots to operations on single cells and ranges: their contents, comments, names and places."""

from __future__ import annotations

from typing import Any

from tablewright.analyst.operating.instructing.aggregating import cell_formula
from tablewright.analyst.operating.instructing.building import Slots, builds, first, op, where_of
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.op import Op
from tablewright.workbook.areas import Area, letters, parse_area


def ranges_of(value: Any) -> list[str]:
    """Return the ranges of an area: one, or one of each column."""
    return [value] if isinstance(value, str) else list(value)


@builds("put_value")
def _put(clause: Clause, slots: Slots) -> list[Op] | None:
    cells, texts = slots["area"], slots["value"]
    if len(cells) != len(texts):
        return None
    done: list[Op] = []
    for cell, value in zip(cells, texts, strict=True):
        area = parse_area(cell)[1]
        done.append(op(clause, "set_values", range=cell, values=[[value] * area.width] * area.height))
    return done


@builds("put_formula")
def _put_formula(clause: Clause, slots: Slots) -> list[Op]:
    return [op(clause, "set_formula", range=slots["area"][0], formula=slots["formula"][0])]


@builds("put_total")
def _put_total(clause: Clause, slots: Slots) -> list[Op] | None:
    """Write the total, average … of a column, of the rows that are meant, into a cell."""
    where = where_of(clause, slots)
    if slots.get("where") and where is None:
        return None
    done: list[Op] = []
    if len(slots["cell"]) != len(slots["measure"]):
        return None
    for cell, (how, column) in zip(slots["cell"], slots["measure"], strict=True):
        formula = cell_formula(clause, how, column, where)
        if formula is None:
            return None
        done.append(op(clause, "set_formula", range=cell, formula=formula))
    return done


_ADDED = {"sum": "SUM", "mean": "AVERAGE", "max": "MAX", "min": "MIN", "count": "COUNT", "median": "MEDIAN"}


@builds("total_of_range")
def _total_of_range(clause: Clause, slots: Slots) -> list[Op] | None:
    how = _ADDED.get(slots["how"][0])
    area = parse_area(slots["area"][0])[1]
    cell = parse_area(slots["cell"][0])[1]
    if how is None or area.one_cell or not cell.one_cell:
        return None
    return [op(clause, "set_formula", range=slots["cell"][0], formula=f"={how}({slots['area'][0]})")]


@builds("clear_area")
def _clear(clause: Clause, slots: Slots) -> list[Op]:
    what = "formats" if clause.of("noun:looks") else "contents"
    return [op(clause, "clear", range=area, what=what) for found in slots["area"] for area in ranges_of(found)]


@builds("fill_down")
def _fill_down(clause: Clause, slots: Slots) -> list[Op] | None:
    found = slots["area"]
    if len(found) == 1 and isinstance(found[0], str) and not parse_area(found[0])[1].one_cell:
        return [op(clause, "fill_down", range=found[0])]
    if len(found) != 2:
        return None
    top, bottom = (parse_area(cell)[1] for cell in found)
    area = Area(top.first_row, top.first_column, bottom.last_row, bottom.last_column)
    return [op(clause, "fill_down", range=area.text)] if area.first_row < area.last_row else None


@builds("merge_area")
def _merge(clause: Clause, slots: Slots) -> list[Op] | None:
    area = _one(slots["area"])
    if area is None:
        return None
    done = [op(clause, "merge_cells", range=area)]
    if clause.of("halign:center"):
        done.append(op(clause, "set_alignment", range=area, horizontal="center"))
    return done


def _one(found: list[Any]) -> str | None:
    """Return one range of several cells: said as one, or as its two corners."""
    cells = [area for one in found for area in ranges_of(one)]
    if len(cells) == 2 and all(parse_area(cell)[1].one_cell for cell in cells):
        first_cell, last_cell = (parse_area(cell)[1] for cell in cells)
        return Area(
            first_cell.first_row, first_cell.first_column, last_cell.last_row, last_cell.last_column
        ).text  # fmt: skip
    return cells[0] if len(cells) == 1 and not parse_area(cells[0])[1].one_cell else None


@builds("unmerge_area")
def _unmerge(clause: Clause, slots: Slots) -> list[Op] | None:
    area = _one(slots["area"])
    return [op(clause, "unmerge_cells", range=area)] if area else None


@builds("transpose")
def _transpose(clause: Clause, slots: Slots) -> list[Op] | None:
    found = slots.get("area")
    given = ranges_of(found[0])[0] if found else clause.place.area.text
    area = parse_area(given)[1]
    if area.one_cell:
        return None
    target = first(slots, "cell")
    if target is None:
        target = f"{letters(clause.place.area.last_column + 2)}{area.first_row}"
    elif not parse_area(target)[1].one_cell:
        return None
    return [op(clause, "transpose", range=given, target=target)]


@builds("comment")
def _comment(clause: Clause, slots: Slots) -> list[Op]:
    return [op(clause, "add_comment", cell=slots["cell"][0], text=str(slots["text"][0]))]


@builds("comment_row")
def _comment_row(clause: Clause, slots: Slots) -> list[Op] | None:
    """Comment on the cell of a column in the rows that have a value."""
    where, column = where_of(clause, slots), slots["column"][0]
    if where is None or any(test["op"] != "=" or test["column"] == column for test in where["tests"]):
        return None
    cell = f"{clause.place.letters[column]}{clause.place.rows[0]}"
    return [op(clause, "add_comment", cell=cell, text=str(slots["text"][0]), where=where)]


@builds("define_name")
def _define(clause: Clause, slots: Slots) -> list[Op] | None:
    name = slots["name"][0]
    area = ranges_of(slots["area"][0])
    if len(area) != 1 or not name.replace(".", "_").isidentifier():
        return None
    return [op(clause, "define_name", name=name, range=area[0])]


@builds("copy_column")
def _copy_column(clause: Clause, slots: Slots) -> list[Op] | None:
    """Copy a column's cells, its header too, to a column beside the table."""
    column, letter = slots["column"][0], slots["target"][0]
    rows = clause.place.region.header_rows
    if rows is None:
        return None
    source = clause.place.span(column, header=True)
    area = parse_area(source)[1]
    target = f"{letter}{area.first_row}:{letter}{area.last_row}"
    return [op(clause, "run_python", code="result = df", range=source, target=target)]


@builds("title_row")
def _title_row(clause: Clause, slots: Slots) -> list[Op]:
    """Put a row with a title above the table."""
    area = clause.place.area
    row, left = area.first_row, letters(area.first_column)
    done = [
        op(clause, "insert_rows", row=row),
        op(clause, "set_values", range=f"{left}{row}", values=[[slots["name"][0]]]),
    ]
    whole = f"{left}{row}:{letters(area.last_column)}{row}"
    if clause.of("act:merge_cells"):
        done.append(op(clause, "merge_cells", range=whole))
    if clause.of("halign:center"):
        done.append(op(clause, "set_alignment", range=whole, horizontal="center"))
    if clause.of("act:bold"):
        done.append(op(clause, "set_font", range=whole, bold=True))
    return done


@builds("replace_cell")
def _replace_cell(clause: Clause, slots: Slots) -> list[Op] | None:
    found, value = sorted((slots["found"][0], slots["value"][0]), key=lambda said: clause.text.find(str(said)))
    if found == value or not parse_area(slots["cell"][0])[1].one_cell:
        return None
    return [op(clause, "set_values", range=slots["cell"][0], values=[[value]])]
