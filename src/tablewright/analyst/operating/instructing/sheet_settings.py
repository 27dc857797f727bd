"""From filled slots to settings of a sheet as a whole: its tab, its printed pages, its protection."""

from __future__ import annotations

from tablewright.analyst.operating.instructing.building import Slots, builds, first, flat
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.op import Op


@builds("tab_color")
def _tab_color(clause: Clause, slots: Slots) -> list[Op]:
    return [Op(function="set_tab_color", parameters={"sheet": _sheet(clause, slots), "color": slots["colour"][0]})]


@builds("page_setup")
def _page_setup(clause: Clause, slots: Slots) -> list[Op] | None:
    """Set up the pages of the sheet whose table is spoken of: which rows its header has is known."""
    rows = clause.place.region.header_rows
    said = {
        **({"orientation": slots["orientation"][0]} if slots.get("orientation") else {}),
        **({"pages_wide": 1} if clause.of("onewide") else {}),
        **({"repeat_rows": f"{rows[0]}:{rows[1]}"} if clause.of("repeated") and rows else {}),
    }
    return [Op(function="set_page_setup", parameters={"sheet": clause.place.sheet, **said})] if said else None


@builds("protect")
def _protect(clause: Clause, slots: Slots) -> list[Op]:
    free = flat(slots.get("columns", []))
    unlocked = {"unlocked": free} if free else {}
    return [Op(function="protect_sheet", parameters={"sheet": _sheet(clause, slots), **unlocked})]


@builds("unprotect")
def _unprotect(clause: Clause, slots: Slots) -> list[Op]:
    return [Op(function="protect_sheet", parameters={"sheet": _sheet(clause, slots), "protected": False})]


def _sheet(clause: Clause, slots: Slots) -> str:
    sheet: str = first(slots, "sheet", clause.place.sheet)
    return sheet
