"""From filled slots to operations that compute: columns and cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablewright.analyst.operating.instructing.building import Slots, builds, first, gaps, op, torn, where_of
from tablewright.analyst.operating.instructing.clause import SURE, Clause
from tablewright.analyst.operating.instructing.filters import in_code
from tablewright.analyst.operating.instructing.joints import looked_up_in
from tablewright.analyst.operating.instructing.parts import links_of
from tablewright.analyst.operating.op import Op
from tablewright.texts.catalogue import text
from tablewright.workbook.areas import letters


def added(clause: Clause, slots: Slots, formula: str, name: str) -> list[Op] | None:
    """Return the step that adds a column, where it is wanted, and the one that formats it."""
    where, beside = first(slots, "place", ("last", None))
    names = list(clause.place.names)
    after = beside if where == "after" else None
    if where == "before" and names.index(beside) > 0:
        after = names[names.index(beside) - 1]
    if gaps(clause):
        return None
    if clause.place.facts.read.blank_rows:
        formula = f'IF([{names[0]}]="","",{formula})'
    header = name
    while header in names:
        header += " 2"
    given = {"after": after} if after and after != names[-1] else {}
    done = [op(clause, "add_column", header=header, formula=f"={formula}", **given)]
    code = first(slots, "format") or ("0.0%" if "%" in header and "/" in formula else None)
    if code:
        place = clause.place.with_column(header, after=after)
        done.append(op(clause, "set_number_format", range=place.span(header), format=code))
    return done


def _plain_name(clause: Clause, formula: str) -> str:
    """Return a formula as a header; what is looked up is called like its column."""
    for place, _ in clause.others.values():
        for name in place.names:
            start = formula.find(looked_up_in(place, name))
            while start >= 0:
                end = formula.index(",0))", start) + len(",0))")
                formula = f"{formula[:start]}{name}{formula[end:]}"
                start = formula.find(looked_up_in(place, name))
    return formula.replace("[", "").replace("]", "").replace("IFERROR(", "").replace(',"")', "")


@builds("add_formula")
def _formula(clause: Clause, slots: Slots) -> list[Op] | None:
    formula = slots["formula"][0]
    if slots.get("name", [None])[0] in clause.place.names:
        return None
    return added(clause, slots, formula, first(slots, "name") or _plain_name(clause, formula))


@builds("fill_column")
def _fill_column(clause: Clause, slots: Slots) -> list[Op] | None:
    """Write a formula into every row of a column that is there and empty."""
    column, formula, place = slots["column"][0], slots["formula"][0], clause.place
    if f"[{column}]" in formula or place.fact(column).missing < place.facts.rows:
        return None
    for name, letter in place.letters.items():
        formula = formula.replace(f"[{name}]", f"{letter}{place.rows[0]}")
    return [op(clause, "set_formula", range=place.span(column), formula=f"={formula}")]


@builds("add_case")
def _case(clause: Clause, slots: Slots) -> list[Op] | None:
    return added(
        clause, slots, slots["case"][0], first(slots, "name") or text("operating.label", clause.scene.language)
    )


@builds("add_rank")
def _rank(clause: Clause, slots: Slots) -> list[Op] | None:
    column, smallest = slots["key"][0]
    ranked = f"RANK([{column}],[[{column}]]{',1' if smallest else ''})"
    gaps_in = column not in clause.place.names or clause.place.fact(column).missing
    formula = f'IF(ISNUMBER([{column}]),{ranked},"")' if gaps_in else ranked
    said = first(slots, "name") or clause.said(clause.of("act:ranking")[0].start, clause.of("act:ranking")[0].end)
    return added(clause, slots, formula, said)


@builds("add_lookup")
def _lookup(clause: Clause, slots: Slots) -> list[Op] | None:
    sheet, other, key, columns = slots["found"][0]
    columns = tuple(name for found in slots["found"] for name in found[3])
    where, beside = first(slots, "place", ("last", None))
    if where in {"before", "first"} or slots.get("format") or len({found[:3] for found in slots["found"]}) > 1:
        return None
    name = first(slots, "name") or _quoted_around(clause, columns)
    more: dict[str, Any] = {"after": beside} if where == "after" else {}
    if name and name != columns[0] and len(columns) == 1 and name not in clause.place.names:
        more["headers"] = [name]
    return [op(clause, "lookup_join", key=key, from_sheet=sheet, from_key=other, columns=list(columns), **more)]


def _quoted_around(clause: Clause, columns: Sequence[str]) -> str | None:
    """Return what stands in quotation marks around the name of the only column, such as a new name for it."""
    said = [clause.said(*quoted) for quoted in clause.linked.quoted]
    return next((one for one in said if len(columns) == 1 and columns[0] in one != columns[0]), None)


_BETWEEN = ("-", ", ", "/", "_", " ")
_ADDED_UP = frozenset({"salary"})
"""What is no amount of one thing, and yet is added up below a table."""


def _adding(clause: Clause) -> list[str]:
    """Return the columns whose sum says something; where none is known to, the numbers that may."""
    known = [one for one in clause.linked.columns if one.role == "number" and one.name in clause.place.letters]
    sure = [one.name for one in known if one.adds or one.concepts & _ADDED_UP]
    return sure or [one.name for one in known if one.adds is not False and not one.identifies]


@builds("totals")
def _totals(clause: Clause, slots: Slots) -> list[Op] | None:
    place = clause.place
    if place.region.totals_row is not None or gaps(clause):
        return None
    top, bottom = place.rows
    done = []
    named = False
    adding = _adding(clause)
    for name in slots.get("columns") or ([clause.memory.added] if clause.memory.added in place.names else adding):
        column = place.letters[name]
        named = named or column == letters(place.area.first_column)
        done.append(
            op(clause, "set_formula", range=f"{column}{bottom + 1}", formula=f"=SUM({column}{top}:{column}{bottom})")
        )
    if not named:
        label = text("operating.total", clause.scene.language)
        cell = f"{letters(place.area.first_column)}{bottom + 1}"
        done.insert(0, op(clause, "set_values", range=cell, values=[[label]]))
    if clause.of("act:bold"):
        row = f"{letters(place.area.first_column)}{bottom + 1}:{letters(place.area.last_column)}{bottom + 1}"
        done.append(op(clause, "set_font", range=row, bold=True))
    return done if len(done) > 1 else None


def _numbered(column: str, cells: list[str], sign: str | None) -> list[str]:
    """Return headers for the parts of cells that nobody named."""
    parts = max((cell.count(sign) + 1 for cell in cells), default=2) if sign else 2
    return [f"{column} {number}" for number in range(1, min(parts, 6) + 1)]


@builds("remove_text")
def _remove_text(clause: Clause, slots: Slots) -> list[Op] | None:
    """Take texts out of cells that hold more than them."""
    steps = [_without_text(clause, str(found), first(slots, "column")) for found in slots["found"]]
    done = [step for step in steps if step is not None]
    return done if len(done) == len(steps) else None


def _without_text(clause: Clause, found: str, column: str | None) -> Op | None:
    seen = {name: [*cells, *map(str, clause.place.fact(name).samples)] for name, cells in clause.linked.known.items()}
    held = [name for name, cells in seen.items() if any(found in cell != found for cell in cells)]
    signs = {word.meaning for word in clause.of("mark")}
    if column not in held and (found not in signs if column else not held):
        return None
    if column is None and len(held) > 1:
        return op(clause, "find_replace", find=found, replace="") if found in signs else None
    return op(clause, "find_replace", find=found, replace="", column=column or held[0])


def _between(cells: list[str]) -> str | None:
    """Return the sign that stands between the parts of all cells: one of the usual ones, else any mark."""
    marks = [sign for sign in cells[0] if not sign.isalnum()] if cells else []
    return next((sign for sign in (*_BETWEEN, *marks) if cells and all(sign in cell for cell in cells)), None)


@builds("split")
def _split(clause: Clause, slots: Slots) -> list[Op] | None:
    column, names = slots["column"][0], first(slots, "names")
    cells = [str(cell) for cell in clause.place.fact(column).samples if cell is not None]
    sign = first(slots, "separator")
    sign = sign or _between(cells)
    names = names or _numbered(column, cells, sign)
    if sign is None or (cells and not any(sign in cell for cell in cells)) or set(names) & set(clause.place.names):
        return None
    return [op(clause, "split_column", column=column, separator=sign, headers=names)]


@builds("join")
def _join(clause: Clause, slots: Slots) -> list[Op] | None:
    name = first(slots, "name") or "+".join(slots["columns"])
    if len(slots["columns"]) < 2 or name in clause.place.names:
        return None
    sign = first(slots, "separator", "" if clause.scene.language == "zh" else " ")
    sign = ", " if sign == "," else sign
    where, beside = first(slots, "place", ("last", None))
    if where in {"before", "first"}:
        return None
    more = {"after": beside} if where == "after" else {}
    return [op(clause, "join_columns", columns=slots["columns"], separator=sign, header=name, **more)]


@builds("fill_blank")
def _fill(clause: Clause, slots: Slots) -> list[Op]:
    return [op(clause, "fill_missing", column=slots["where"][0], how="constant", value=slots["value"][0])]


@builds("fill_how")
def _fill_how(clause: Clause, slots: Slots) -> list[Op]:
    return [op(clause, "fill_missing", column=slots["where"][0], how=slots["how"][0])]


@builds("replace")
def _replace(clause: Clause, slots: Slots) -> list[Op] | None:
    old, new = str(slots["found"][0]), str(slots["value"][0])
    turned = bool(new) and 0 <= clause.text.find(new) < clause.text.find(old) and not clause.of("inplace")
    if clause.of("blank") or turned or not old:
        return None
    held = [name for name, cells in clause.linked.known.items() if any(old in cell for cell in cells)]
    column = first(slots, "column")
    if column is None and held and (_spoken(clause) - set(held) or (new.isdecimal() and _tell_apart(clause, held))):
        return None
    if old == new or (column is None and not held) or (column is not None and held and column not in held):
        return None
    if not held and not any(clause.said(*quoted) == old for quoted in clause.linked.quoted):
        return None
    given = {"column": column or held[0]} if column or len(held) == 1 else {}
    return [op(clause, "find_replace", find=old, replace=new, **given)]


def _spoken(clause: Clause) -> set[str]:
    return {link.column.name for link in links_of(clause) if link.score >= SURE}


def _tell_apart(clause: Clause, names: Sequence[str]) -> bool:
    """Return whether columns tell the rows apart: their cells choose rows, and are hardly to become a number."""
    return all(one.distinct == clause.linked.facts.rows for one in clause.linked.facts.columns if one.name in names)


def _ahead_of_verbs(clause: Clause, value: str) -> bool:
    """Return whether a value is said before every verb for writing: `Y should read Paid` writes no `Y`."""
    verbs = [word.start for word in (*clause.of("act:fill"), *clause.of("act:replace"))]
    at = clause.text.find(value)
    return bool(verbs) and 0 <= at < min(clause.tokens[start].start for start in verbs)


@builds("set_where")
def _set_where(clause: Clause, slots: Slots) -> list[Op] | None:
    where, column = where_of(clause, slots), slots["column"][0]
    if where is None or any(test["column"] == column and test["op"] == "missing" for test in where["tests"]):
        return None
    if clause.scene.language == "en" and _ahead_of_verbs(clause, str(slots["value"][0])):
        return None
    return [op(clause, "set_values", range=clause.place.span(column), values=[[slots["value"][0]]], where=where)]


def table_range(clause: Clause) -> str:
    """Return the range of the table, from its header to its last row of data."""
    rows, place = clause.place.region.header_rows, clause.place
    top = rows[1] if rows else place.rows[0]
    return f"{letters(place.area.first_column)}{top}:{letters(place.area.last_column)}{place.rows[1]}"


def _column_code(clause: Clause, column: str, code: str) -> Op:
    target = clause.place.span(column, header=True)
    return op(clause, "run_python", code=code, range=table_range(clause), target=target)


@builds("clean")
def _clean(clause: Clause, slots: Slots) -> list[Op] | None:
    change = ""
    if clause.of("act:trim"):
        change += ".str.split().str.join(' ')"
    for act, method in (("proper", ".str.title()"), ("upper", ".str.upper()"), ("lower", ".str.lower()")):
        if clause.of(f"act:{act}") and ".str.title()" not in change:
            change += method
    if any(clause.place.numeric(name) for name in slots["columns"]) or torn(clause):
        return None
    return [
        _column_code(
            clause, name,
            f"texts = df[{name!r}]\nresult = texts.where(texts.isna(), texts.astype(str){change}).to_frame()",
        )
        for name in slots["columns"]
    ]  # fmt: skip


@builds("scale")
def _scale(clause: Clause, slots: Slots) -> list[Op] | None:
    column, (size, percent) = slots["column"][0], slots["number"][0]
    where = where_of(clause, slots)
    if not clause.place.numeric(column) or torn(clause) or (slots.get("where") and where is None):
        return None
    sign = -1 if clause.of("act:cutby") and not clause.of("act:raise") else 1
    change = f" * {1 + sign * size / 100:g}" if percent else f" {'+' if sign > 0 else '-'} {size}"
    rounded = ".round(2)" if percent else ""
    rows = in_code(where) if where else "df.index == df.index"
    code = f"cells = df[{column!r}]\nrows = {rows}\nresult = cells.where(~rows, (cells{change}){rounded}).to_frame()"
    return [_column_code(clause, column, code)]
