"""From filled slots to operations that compute: columns, cells, summaries, charts, sheets made of rows."""

from __future__ import annotations

from typing import Any

from tablewright.analyst.operating.instructing.building import Slots, builds, first, gaps, op, torn, where_of
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.filters import in_code, others
from tablewright.analyst.operating.op import Op
from tablewright.texts.catalogue import Language, text
from tablewright.workbook.areas import letters

_MOST_SHEETS = 40
_PERIODS = {"month": "%Y-%m", "year": "%Y", "day": "%Y-%m-%d"}
_PANDAS = {"count_distinct": "nunique", "count": "size"}


def _added(clause: Clause, slots: Slots, formula: str, name: str) -> list[Op] | None:
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


def _plain_name(formula: str) -> str:
    return formula.replace("[", "").replace("]", "").replace("IFERROR(", "").replace(',"")', "")


@builds("add_formula")
def _formula(clause: Clause, slots: Slots) -> list[Op] | None:
    formula = slots["formula"][0]
    if slots.get("name", [None])[0] in clause.place.names:
        return None
    return _added(clause, slots, formula, first(slots, "name") or _plain_name(formula))


@builds("add_case")
def _case(clause: Clause, slots: Slots) -> list[Op] | None:
    return _added(
        clause, slots, slots["case"][0], first(slots, "name") or text("operating.label", clause.scene.language)
    )


@builds("add_rank")
def _rank(clause: Clause, slots: Slots) -> list[Op] | None:
    column, smallest = slots["key"][0]
    ranked = f"RANK([{column}],[[{column}]]{',1' if smallest else ''})"
    formula = f'IF(ISNUMBER([{column}]),{ranked},"")'
    said = first(slots, "name") or clause.said(clause.of("act:ranking")[0].start, clause.of("act:ranking")[0].end)
    return _added(clause, slots, formula, said)


@builds("add_lookup")
def _lookup(clause: Clause, slots: Slots) -> list[Op] | None:
    sheet, other, key, columns = slots["found"][0]
    where, _ = first(slots, "place", ("last", None))
    if where in {"before", "first"} or slots.get("format"):
        return None
    done = [op(clause, "lookup_join", key=key, from_sheet=sheet, from_key=other, columns=list(columns))]
    name = first(slots, "name")
    if name and name != columns[0] and clause.place.region.header_rows:
        cell = f"{letters(clause.place.area.last_column + 1)}{clause.place.region.header_rows[1]}"
        done.append(op(clause, "set_values", range=cell, values=[[name]]))
    return done


@builds("totals")
def _totals(clause: Clause, slots: Slots) -> list[Op] | None:
    place = clause.place
    if place.region.totals_row is not None or torn(clause):
        return None
    top, bottom = place.rows
    done = []
    named = False
    adding = [one.name for one in clause.linked.columns if one.adds and one.name in place.letters]
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


@builds("split")
def _split(clause: Clause, slots: Slots) -> list[Op] | None:
    column, names = slots["column"][0], slots["names"][0]
    cells = [str(cell) for cell in clause.place.fact(column).samples if cell is not None]
    sign = first(slots, "separator")
    if sign is None:
        sign = next(
            (sign for sign in ("-", ", ", "/", "_", " ") if cells and all(sign in cell for cell in cells)), None
        )
    if sign is None or (cells and not any(sign in cell for cell in cells)) or set(names) & set(clause.place.names):
        return None
    return [op(clause, "split_column", column=column, separator=sign, headers=names)]


@builds("join")
def _join(clause: Clause, slots: Slots) -> list[Op] | None:
    if len(slots["columns"]) < 2 or slots["name"][0] in clause.place.names:
        return None
    sign = first(slots, "separator", "" if clause.scene.language == "zh" else " ")
    sign = ", " if sign == "," else sign
    return [op(clause, "join_columns", columns=slots["columns"], separator=sign, header=slots["name"][0])]


@builds("fill_blank")
def _fill(clause: Clause, slots: Slots) -> list[Op]:
    return [op(clause, "fill_missing", column=slots["where"][0], how="constant", value=slots["value"][0])]


@builds("fill_how")
def _fill_how(clause: Clause, slots: Slots) -> list[Op]:
    return [op(clause, "fill_missing", column=slots["where"][0], how=slots["how"][0])]


@builds("replace")
def _replace(clause: Clause, slots: Slots) -> list[Op] | None:
    old, new = str(slots["found"][0]), str(slots["value"][0])
    held = [name for name, cells in clause.linked.known.items() if any(old in cell for cell in cells)]
    column = first(slots, "column")
    if old == new or (column is None and not held) or (column is not None and held and column not in held):
        return None
    given = {"column": column or held[0]} if column or len(held) == 1 else {}
    return [op(clause, "find_replace", find=old, replace=new, **given)]


@builds("set_where")
def _set_where(clause: Clause, slots: Slots) -> list[Op] | None:
    where, column = where_of(slots), slots["column"][0]
    if where is None or any(test["column"] == column and test["op"] == "missing" for test in where["tests"]):
        return None
    return [op(clause, "set_values", range=clause.place.span(column), values=[[slots["value"][0]]], where=where)]


def _whole(clause: Clause) -> str:
    """Return the range of the table, from its header to its last row of data."""
    rows, place = clause.place.region.header_rows, clause.place
    top = rows[1] if rows else place.rows[0]
    return f"{letters(place.area.first_column)}{top}:{letters(place.area.last_column)}{place.rows[1]}"


def _column_code(clause: Clause, column: str, code: str) -> Op:
    target = clause.place.span(column, header=True)
    return op(clause, "run_python", code=code, range=_whole(clause), target=target)


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
    where = where_of(slots)
    if not clause.place.numeric(column) or torn(clause) or (slots.get("where") and where is None):
        return None
    sign = -1 if clause.of("act:cutby") and not clause.of("act:raise") else 1
    change = f" * {1 + sign * size / 100:g}" if percent else f" {'+' if sign > 0 else '-'} {size}"
    rounded = ".round(2)" if percent else ""
    rows = in_code(where) if where else "df.index == df.index"
    code = f"cells = df[{column!r}]\nrows = {rows}\nresult = cells.where(~rows, (cells{change}){rounded}).to_frame()"
    return [_column_code(clause, column, code)]


@builds("separate")
def _separate(clause: Clause, slots: Slots) -> list[Op] | None:
    """Copy the sheet once for each value and delete the other rows of each copy."""
    column = slots["key"][0]
    values = clause.linked.known.get(column, ())
    if not 1 < len(values) <= _MOST_SHEETS or clause.place.fact(column).missing:
        return None
    done: list[Op] = []
    for value in values:
        name = "".join("-" if sign in "[]:*?/\\" else sign for sign in value)[:31]
        if name in clause.scene.sheets:
            return None
        done.append(op(clause, "copy_sheet", name=name))
        where = {"tests": [{"column": column, "op": "!=", "value": value}], "match": "all"}
        done.append(Op(function="delete_rows", parameters={"sheet": name, "where": where}))
    return done


@builds("extract")
def _extract(clause: Clause, slots: Slots) -> list[Op] | None:
    """Copy the sheet, delete the other rows of the copy, and the columns that are not wanted."""
    where = where_of(slots)
    rest = others(where) if where else None
    if rest is None:
        return None
    name = _new_sheet(clause, slots)
    done = [op(clause, "copy_sheet", name=name), Op(function="delete_rows", parameters={"sheet": name, "where": rest})]
    wanted = slots.get("columns", [])
    if len(wanted) > 1:
        gone = [one for one in clause.place.names if one not in wanted]
        done.append(Op(function="delete_columns", parameters={"sheet": name, "columns": gone}))
    return done


def _new_sheet(clause: Clause, slots: Slots) -> str:
    said = first(slots, "sheet") or text("operating.new_sheet", clause.scene.language)
    name, number = said, 1
    while name in clause.scene.sheets:
        number += 1
        name = f"{said} {number}"
    return name


@builds("summarise")
def _summarise(clause: Clause, slots: Slots) -> list[Op] | None:
    across = first(slots, "across")
    groups = [key for key in slots["groups"] if key != across]
    keys = [column for column, _ in [*groups, *([across] if across else [])]]
    measures = [one for one in slots["measures"] if one[1] not in keys]
    if slots.get("where") or not groups or not measures or len(set(keys)) < len(keys):
        return None
    units = {unit for _, unit in [*groups, *([across] if across else [])] if unit is not None}
    made = [{"aggregation": how, **({"column": column} if column else {})} for how, column in measures]
    sheet = _new_sheet(clause, slots)
    if units:
        return _by_period(clause, groups, across, made, sheet)
    more = {"across": across[0]} if across else {}
    return [op(clause, "summarize", groups=[column for column, _ in groups], measures=made, target_sheet=sheet, **more)]


def _by_period(
    clause: Clause, groups: list[Any], across: Any, made: list[dict[str, Any]], sheet: str
) -> list[Op] | None:
    """Return the step that computes a summary by months or years on a new sheet."""
    lines, names = [], {}
    for key in [*groups, *([across] if across else [])]:
        column, unit = key
        names[key] = column
        if unit is not None:
            if unit not in _PERIODS or not clause.place.dated(column):
                return None
            names[key] = text(f"operating.{unit}", clause.scene.language)
            lines.append(f"df[{names[key]!r}] = pd.to_datetime(df[{column!r}]).dt.strftime({_PERIODS[unit]!r})")
    keys = [names[key] for key in groups]
    headers = measure_names(clause, {"measures": made})
    shown = ", ".join(
        f"{header!r}: ({one.get('column', keys[0])!r}, {_PANDAS.get(one['aggregation'], one['aggregation'])!r})"
        for header, one in zip(headers, made, strict=True)
    )
    whole = [*keys, *([names[across]] if across else [])]
    lines.append(f"result = df.groupby({whole!r}).agg(**{{{shown}}}).reset_index()")
    if across:
        if len(made) != 1:
            return None
        spread = f"index={keys!r}, columns={names[across]!r}, values={headers[0]!r}"
        lines.append(f"result = result.pivot({spread}).fillna(0).reset_index()")
        lines.append("result.columns = [str(name) for name in result.columns]")
    code = "\n".join(["import pandas as pd", *lines])
    given = {"target": "A1", "target_sheet": sheet, "range": _whole(clause)}
    return [op(clause, "run_python", code=code, **given)]


def measure_names(clause: Clause, given: dict[str, Any]) -> tuple[str, ...]:
    """Return the headers of a summary's measures."""
    headers = " ".join(clause.place.names)
    language: Language = "zh" if any("\u4e00" <= sign <= "\u9fff" for sign in headers) else "en"
    return tuple(
        text(f"summary_{one['aggregation']}", language, column=one["column"])
        if one.get("column")
        else text("summary_rows", language)
        for one in given["measures"]
    )


@builds("sort_summary")
def _sort_summary(clause: Clause, slots: Slots) -> list[Op] | None:
    memory = clause.memory
    if memory.target is None or not memory.measures:
        return None
    column = first(slots, "column")
    by = memory.measures[-1]
    if column is not None:
        by = column if column in memory.keys else next((one for one in memory.measures if column in one), "")
    sized = clause.of("direction") or clause.of("size")
    down = not sized or sized[0].meaning == "desc"
    keys = [{"column": by, "descending": down}]
    return [Op(function="sort_rows", parameters={"sheet": memory.target, "by": keys})] if by else None


@builds("chart")
def _chart(clause: Clause, slots: Slots) -> list[Op] | None:
    made = _summarise(clause, slots)
    kind = first(slots, "type", "column")
    if made is None:
        return None
    given = made[-1].parameters
    if made[-1].function != "summarize":
        return _period_chart(clause, slots, made, kind)
    values = list(measure_names(clause, given))
    sheet, category = given["target_sheet"], given["groups"][0]
    drawn = {"sheet": sheet, "type": kind, "category": category, "values": values}
    unique = clause.place.fact(category).distinct if category in clause.place.names else None
    if unique is not None and unique == clause.place.facts.rows and len(made) == 1:
        columns = [one["column"] for one in given["measures"] if one.get("column")]
        if columns:
            return [op(clause, "create_chart", type=kind, category=category, values=columns)]
    return [*made, Op(function="create_chart", parameters=drawn)]


def _period_chart(clause: Clause, slots: Slots, made: list[Op], kind: str) -> list[Op] | None:
    if slots.get("across") or len(slots["groups"]) != 1:
        return None
    category = text(f"operating.{slots['groups'][0][1]}", clause.scene.language)
    measures = [{"aggregation": how, "column": column} for how, column in slots["measures"]]
    drawn = {"category": category, "values": list(measure_names(clause, {"measures": measures}))}
    sheet = made[-1].parameters["target_sheet"]
    return [*made, Op(function="create_chart", parameters={"sheet": sheet, "type": kind, **drawn})]


@builds("chart_made")
def _chart_made(clause: Clause, slots: Slots) -> list[Op] | None:
    memory = clause.memory
    if memory.target is None or not memory.measures or not memory.keys:
        return None
    given = {"type": first(slots, "type", "column"), "category": memory.keys[0], "values": list(memory.measures)}
    return [Op(function="create_chart", parameters={"sheet": memory.target, **given})]
