"""From filled slots to operations that make sheets: one for each value, of chosen rows, of a summary; and charts."""

from __future__ import annotations

from typing import Any

from tablewright.analyst.operating.instructing.building import Slots, builds, first, op, torn, where_of
from tablewright.analyst.operating.instructing.clause import Clause
from tablewright.analyst.operating.instructing.filters import Filter, in_code, others
from tablewright.analyst.operating.instructing.making import table_range
from tablewright.analyst.operating.op import Op
from tablewright.texts.catalogue import Language, text

_MOST_SHEETS = 40
_PERIODS = {"month": "%Y-%m", "year": "%Y", "day": "%Y-%m-%d"}
_PANDAS = {"count_distinct": "nunique", "count": "size"}


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
    where = where_of(clause, slots)
    rest = others(where) if where else None
    if rest is None:
        return None
    name = _new_sheet(clause, slots, _value_of(where))
    done = [op(clause, "copy_sheet", name=name), Op(function="delete_rows", parameters={"sheet": name, "where": rest})]
    moved = [op(clause, "delete_rows", where=where)] if _moves(clause) else []
    return [*done, *_without_others(clause, slots, name), *moved]


def _without_others(clause: Clause, slots: Slots, sheet: str) -> list[Op]:
    """Return the step that leaves only the columns that are wanted, if several are named."""
    wanted = slots.get("columns", [])
    gone = [one for one in clause.place.names if one not in wanted] if len(wanted) > 1 else []
    return [Op(function="delete_columns", parameters={"sheet": sheet, "columns": gone})] if gone else []


def _moves(clause: Clause) -> bool:
    """Return whether a word says that rows go elsewhere that cannot mean a copy of them."""
    copied = 0
    for word in (*clause.of("act:extract"), *clause.of("act:copy")):
        copied |= word.mask
    return any(word.mask & ~copied for word in clause.of("act:move")) and not copied


@builds("extract_top")
def _extract_top(clause: Clause, slots: Slots) -> list[Op] | None:
    """Copy the sheet, sort the copy, and delete the rows behind the ones that are wanted."""
    column, count, largest, *place = slots["top"][0]
    first_row, last_row = clause.place.rows
    if place or torn(clause) or not 0 < count <= last_row - first_row:
        return None
    name = _new_sheet(clause, slots)
    rest = {"row": first_row + count, "count": last_row - first_row + 1 - count}
    done = [
        op(clause, "copy_sheet", name=name),
        Op(function="sort_rows", parameters={"sheet": name, "by": [{"column": column, "descending": largest}]}),
        Op(function="delete_rows", parameters={"sheet": name, **rest}),
    ]
    return [*done, *_without_others(clause, slots, name)]


def _value_of(where: Filter | None) -> str | None:
    """Return the one text that rows are chosen by."""
    tests = where["tests"] if where else []
    value = tests[0].get("value") if len(tests) == 1 and tests[0]["op"] == "=" else None
    return value[:31] if isinstance(value, str) and not set(value) & set("[]:*?/\\") else None


def _new_sheet(clause: Clause, slots: Slots, otherwise: str | None = None) -> str:
    said = first(slots, "sheet") or otherwise or text("operating.new_sheet", clause.scene.language)
    return clause.scene.free_sheet(said)


@builds("summarise")
def _summarise(clause: Clause, slots: Slots) -> list[Op] | None:
    if clause.text.endswith(("?", "？")) and not (clause.of("act:add") or clause.of("noun:newsheet")):
        return None
    across = first(slots, "across")
    groups = [key for key in slots["groups"] if key != across]
    keys = [column for column, _ in [*groups, *([across] if across else [])]]
    measures = [one for one in slots["measures"] if one[1] not in keys]
    where = where_of(clause, slots)
    if (slots.get("where") and where is None) or not groups or not measures or len(set(keys)) < len(keys):
        return None
    if _meant_elsewhere(clause):
        return None
    units = {unit for _, unit in [*groups, *([across] if across else [])] if unit is not None}
    made = [{"aggregation": how, **({"column": column} if column else {})} for how, column in measures]
    sheet = _new_sheet(clause, slots)
    if units or where:
        return _by_code(clause, groups, across, made, sheet, where)
    more = {"across": across[0]} if across else {}
    return [op(clause, "summarize", groups=[column for column, _ in groups], measures=made, target_sheet=sheet, **more)]


def _meant_elsewhere(clause: Clause) -> bool:
    """Return whether a sheet that is there already, and is not the one summarised, is spoken of as a sheet: what is to
    be written there does not go to a new one."""
    nouns = clause.of("noun:sheet")
    elsewhere = [mask for name, mask in clause.sheets if name != clause.place.sheet]
    return any(mask & noun.mask for mask in elsewhere for noun in nouns)


def _by_code(
    clause: Clause, groups: list[Any], across: Any, made: list[dict[str, Any]], sheet: str, where: Filter | None
) -> list[Op] | None:
    """Return the step that computes a summary by months or years, or of some rows, on a new sheet."""
    lines, names = ([f"df = df[{in_code(where)}].copy()"] if where else []), {}
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
    given = {"target": "A1", "target_sheet": sheet, "range": table_range(clause)}
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


def _kind(clause: Clause, slots: Slots) -> str:
    said = clause.of("charttype")
    return str(first(slots, "type") or (said[0].meaning if said else "column"))


@builds("chart")
def _chart(clause: Clause, slots: Slots) -> list[Op] | None:
    made = _summarise(clause, slots)
    kind = _kind(clause, slots)
    if made is None:
        return None
    given = made[-1].parameters
    if made[-1].function != "summarize":
        return _period_chart(clause, slots, made, kind)
    values = list(measure_names(clause, given))
    sheet, category = given["target_sheet"], given["groups"][0]
    title = {"title": slots["title"][0]} if slots.get("title") else {}
    drawn = {"sheet": sheet, "type": kind, "category": category, "values": values, **title}
    unique = clause.place.fact(category).distinct if category in clause.place.names else None
    if unique is not None and unique == clause.place.facts.rows and len(made) == 1:
        columns = [one["column"] for one in given["measures"] if one.get("column")]
        if columns:
            return [op(clause, "create_chart", type=kind, category=category, values=columns, **title)]
    return [*made, Op(function="create_chart", parameters=drawn)]


def _period_chart(clause: Clause, slots: Slots, made: list[Op], kind: str) -> list[Op] | None:
    if slots.get("across") or len(slots["groups"]) != 1:
        return None
    column, unit = slots["groups"][0]
    category = text(f"operating.{unit}", clause.scene.language) if unit else column
    measures = [{"aggregation": how, "column": column} for how, column in slots["measures"]]
    drawn = {"category": category, "values": list(measure_names(clause, {"measures": measures}))}
    sheet = made[-1].parameters["target_sheet"]
    return [*made, Op(function="create_chart", parameters={"sheet": sheet, "type": kind, **drawn})]


@builds("chart_made")
def _chart_made(clause: Clause, slots: Slots) -> list[Op] | None:
    memory = clause.memory
    if memory.target is None or not memory.measures or not memory.keys:
        return None
    given = {"type": _kind(clause, slots), "category": memory.keys[0], "values": list(memory.measures)}
    return [Op(function="create_chart", parameters={"sheet": memory.target, **given})]
