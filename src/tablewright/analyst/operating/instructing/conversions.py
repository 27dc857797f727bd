"""From filled slots to operations that turn the texts of a column into the dates or numbers they stand for."""

from __future__ import annotations

from tablewright.analyst.operating.instructing.building import Slots, builds, first, op, torn
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.making import table_range
from tablewright.analyst.operating.op import Op

_SHOWN = "yyyy-mm-dd"
_TEXT = "@"
_NUMBER = """import pandas as pd
def number(cell):
    if not isinstance(cell, str):
        return cell
    signs = "".join(sign for sign in cell if sign in "0123456789.-")
    found = pd.to_numeric(signs, errors="coerce")
    return cell if pd.isna(found) else float(found)"""
_DATE = """import pandas as pd
def date(cell):
    if not isinstance(cell, str):
        return cell
    said = cell.strip()
    for sign in "年月/.":
        said = said.replace(sign, "-")
    year_first = said.split("-")[0].isdecimal() and len(said.split("-")[0]) == 4
    found = pd.to_datetime(said.replace("日", ""), dayfirst=DAY and not year_first, errors="coerce")
    return cell if pd.isna(found) else found"""


@builds("to_numbers")
def _numbers(clause: Clause, slots: Slots) -> list[Op] | None:
    if torn(clause) or any(clause.place.dated(name) for name in slots["columns"]):
        return None
    done = [_converted(clause, name, _NUMBER, "number") for name in slots["columns"]]
    code = first(slots, "format")
    return done + _shown(clause, slots, None if code == _TEXT else code)


@builds("to_dates")
def to_dates(clause: Clause, slots: Slots) -> list[Op] | None:
    """Turn the texts of `columns` into dates that are shown in the `format`."""
    if torn(clause) or any(clause.place.numeric(name) for name in slots["columns"]):
        return None
    shown = str(first(slots, "format", _SHOWN))
    done: list[Op] = []
    for name in slots["columns"]:
        code = _DATE.replace("DAY", str(_day_first(clause, name, shown)))
        done.append(_converted(clause, name, code, "date"))
    return done + _shown(clause, slots, shown)


def _day_first(clause: Clause, column: str, shown: str) -> bool:
    """Return whether the day stands before the month in a column's texts: as its cells tell, else as is wanted."""
    firsts, seconds = [0], [0]
    for cell in (*clause.linked.known.get(column, ()), *clause.place.fact(column).samples):
        parts = str(cell).replace("/", "-").replace(".", "-").split("-")
        if len(parts) > 2 and parts[0].isdecimal() and parts[1].isdecimal() and len(parts[0]) <= 2:
            firsts.append(int(parts[0]))
            seconds.append(int(parts[1]))
    return max(firsts) > 12 or (max(seconds) <= 12 and shown.startswith("d"))


def _converted(clause: Clause, column: str, code: str, name: str) -> Op:
    code = f"{code}\nresult = df[{column!r}].map({name}).to_frame()"
    target = clause.place.span(column, header=True)
    return op(clause, "run_python", code=code, range=table_range(clause), target=target)


def _shown(clause: Clause, slots: Slots, code: str | None) -> list[Op]:
    spans = [clause.place.span(name) for name in slots["columns"]]
    return [op(clause, "set_number_format", range=span, format=code) for span in spans] if code else []
