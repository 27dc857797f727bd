"""Rows copied or moved to a sheet of their own."""

from __future__ import annotations

import re

from tablewright.analyst.operating.cells_said import named, quoted
from tablewright.analyst.operating.filters import others, where
from tablewright.analyst.operating.wish import Op, Read, Wish
from tablewright.analyst.operating.words import aggregation

_COPIES = re.compile(
    r"\b(?P<en>copy|put|extract|move)\b[^.]*\b(?P<to>(?:to|into|in|on|onto)\s+(?:an?|another|its own"
    r"|their own)?\s*(?:new|separate|own|another)?\s*(?:work)?sheet)\b"
    r"|(?P<zh>复制|拷贝|提取|摘|放|移动?|剪切)[到至入]?(?:一?[个张])?(?:新|另一|单独)的?[^，。]{0,3}(?:工作表|sheet"
    r"|表)",
    re.IGNORECASE,
)
_MOVES = frozenset({"move", "移", "移动", "剪切"})


def copied(wish: Wish) -> Read:
    """Read rows put on a new sheet: `copy the pending orders to a new sheet`, `把华东的订单复制到新工作表`.

    The sheet is copied and the other rows are deleted from the copy, so that formulas, formats and widths stay.
    """
    match = _COPIES.search(wish.text)
    alone = [place for place in wish.scene.places if place.sheet == wish.place.sheet]
    if match is None or len(alone) != 1 or not wish.place.names or aggregation(wish.low) is not None:
        return None
    found = where(wish, 0, match.start("to") if match["to"] else match.start("zh"))
    rest = others(found) if found else None
    if found is None or rest is None:
        return None
    name = _name(wish, str(found["tests"][0].get("value") or wish.place.sheet))
    steps = [
        wish.op("copy_sheet", name=name),
        Op(function="delete_rows", parameters={"sheet": name, "where": rest}),
    ]
    if (match["en"] or match["zh"]).lower() in _MOVES:
        steps.append(wish.op("delete_rows", where=found))
    wish.memory.new_sheets.append(name)
    return steps


def _name(wish: Wish, value: str) -> str:
    """Return the name given to the sheet, or else the value that its rows have, if it is free."""
    said = named(wish.text) or next(iter(quoted(wish.text)), None)
    base = re.sub(r"[\[\]:*?/\\]", " ", said or value).strip("' ")[:28]
    taken = {name.lower() for name in (*wish.scene.sheets, *wish.memory.new_sheets)}
    name, at = base, 2
    while name.lower() in taken:
        name, at = f"{base} {at}", at + 1
    return name
