"""Descriptions of steps in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from tablewright.analyst.operating.color_names import color_name
from tablewright.analyst.operating.op import Op
from tablewright.analyst.operating.sheet_words import pages_set_up, protection, tab_colored
from tablewright.domain.language import Language
from tablewright.domain.operations.aliases import translated
from tablewright.domain.operations.decoding import decode, parameters_of
from tablewright.texts.catalogue import text

_ARROWS = {"find_replace": ("find", "replace"), "rename_sheet": ("sheet", "name"), "copy_sheet": ("sheet", "name"),
           "move_sheet": ("sheet", "position"), "set_formula": ("formula", "range"), "define_name": ("name", "range"),
           "transpose": ("range", "target"), "add_comment": ("cell", "text")}  # fmt: skip
_LISTED = (
    "header", "formula", "columns", "column", "key", "groups", "measures", "across", "aggregation", "how", "value",
    "type",
    "category", "values", "range", "data_range", "row", "rows", "before", "after", "cell", "name", "title", "kind",
    "format",
    "bold", "color", "options", "minimum", "maximum", "width", "height", "count", "from_sheet", "target_sheet",
    "x_title", "y_title", "legend", "target", "text",
)  # fmt: skip


_FEW_CELLS = 4
_MANY = 6
_LOOKS = ("bold", "italic", "underline", "strike")


def described(op: Op, language: Language) -> str:
    """Return the description of a step; one that is no operation has only its function's name.

    The sentences read all parameters of the operation, what it takes for granted included, so that a step is described
    whoever wrote it and whatever it leaves out.
    """
    operation, _ = decode(op.function, op.parameters)
    if operation is None:
        return text("rounds.step_unnamed", language, function=op.function)
    whole = parameters_of(operation)
    function, given = translated(op.function, op.parameters)
    sentence = _SENTENCES.get(function)
    said = sentence(whole, language) if sentence is not None else None
    return said or text(f"operating.do.{function}", language, what=_what(function, whole, given, language))


def _chart(given: Mapping[str, Any], language: Language) -> str | None:
    kind = text(f"operating.chart.{given['type']}", language)
    values, category = _shown(given["values"], language), given["category"]
    of = values or given["data_range"] or given["sheet"] or text("operating.whole_table", language)
    code = "operating.chart_by" if category else "operating.chart_of"
    return text(code, language, kind=kind, values=of, category=category)


def _looked_up(given: Mapping[str, Any], language: Language) -> str | None:
    columns = _shown(given["columns"], language)
    return text("operating.looked_up", language, columns=columns, sheet=given["from_sheet"], key=given["key"])


def _summed_up(given: Mapping[str, Any], language: Language) -> str | None:
    keys = [*given["groups"], *([given["across"]] if given.get("across") else [])]
    measures = [
        text(f"operating.how.{one['aggregation']}", language, column=one.get("column") or "")
        for one in given["measures"]
    ]
    return text(
        "operating.summed_up", language, measures=_shown(measures, language), groups=_shown(keys, language),
        sheet=given.get("target_sheet") or text("operating.new_sheet", language),
    )  # fmt: skip


def _many_cells(given: Mapping[str, Any], language: Language) -> str | None:
    count = sum(len(row) for row in given["values"])
    return text("operating.many_cells", language, count=count, range=given["range"]) if count > _FEW_CELLS else None


def _font(given: Mapping[str, Any], language: Language) -> str | None:
    looks = [text(f"operating.look.{look}", language) for look in _LOOKS if given.get(look)]
    looks += [color_name(given["color"], language)] if given.get("color") else []
    looks += [str(given[name]) for name in ("size", "name") if given.get(name)]
    if not looks or isinstance(given.get("where"), Mapping):
        return None
    return text("operating.font", language, range=given["range"], looks=_shown(looks, language))


def _code(given: Mapping[str, Any], language: Language) -> str | None:
    return text("operating.code_into", language, target=given["target"]) if given.get("target") else None


def _rows_inserted(given: Mapping[str, Any], language: Language) -> str:
    count = given["count"]
    code = "operating.row_inserted" if count == 1 else "operating.rows_inserted"
    return text(code, language, row=given["row"], count=count)


def _columns_inserted(given: Mapping[str, Any], language: Language) -> str:
    count = given["count"]
    code = "operating.column_inserted" if count == 1 else "operating.columns_inserted"
    return text(code, language, before=given["before"], count=count)


def _columns_moved(given: Mapping[str, Any], language: Language) -> str | None:
    beside = given["before"] or given["after"]
    if beside is None:
        return None
    code = "operating.column_before" if given["before"] else "operating.column_after"
    what = text(code, language, columns=_shown(given["columns"], language), beside=beside)
    return text("operating.do.move_columns", language, what=what)


def _numbered_rows(given: Mapping[str, Any], language: Language) -> str:
    first, count = given["row"], given["count"]
    code = "operating.row_numbered" if count == 1 else "operating.rows_numbered"
    return text(code, language, row=first, last=first + count - 1)


def _rows_deleted(given: Mapping[str, Any], language: Language) -> str | None:
    if given.get("row") is None:
        return None
    return text("operating.do.delete_rows", language, what=_numbered_rows(given, language))


def _row_height(given: Mapping[str, Any], language: Language) -> str:
    what = text(
        "operating.to", language, source=_numbered_rows(given, language), target=_shown(given["height"], language)
    )
    return text("operating.do.set_row_height", language, what=what)


_SENTENCES: dict[str, Callable[[Mapping[str, Any], Language], str | None]] = {
    "create_chart": _chart,
    "lookup_join": _looked_up,
    "summarize": _summed_up,
    "set_values": _many_cells,
    "set_font": _font,
    "run_python": _code,
    "insert_rows": _rows_inserted,
    "delete_rows": _rows_deleted,
    "insert_columns": _columns_inserted,
    "move_columns": _columns_moved,
    "set_row_height": _row_height,
    "set_tab_color": tab_colored,
    "set_page_setup": pages_set_up,
    "protect_sheet": protection,
}
"""Functions whose steps have a sentence of their own instead of the general description."""


def _what(function: str, whole: Mapping[str, Any], given: Container[str], language: Language) -> str:
    if function in {"add_sheet", "delete_sheet"}:
        return str(whole.get("name") or whole["sheet"] or text("operating.first_sheet", language))
    if function in _ARROWS and not whole.get("where"):
        source, target = (_shown(whole[name], language) for name in _ARROWS[function])
        source = source or text("operating.first_sheet", language)
        return text("operating.to", language, source=source, target=target)
    if function == "sort_rows":
        return ", ".join(_key(key, language) for key in whole["by"])
    rows = isinstance(whole.get("where"), Mapping) or whole.get("top_column") or function == "identify_top"
    parts = [_rows(whole, language)] if rows else []
    skipped = {"column", "count"} if function == "identify_top" else {"count"}
    parts += [_value(name, whole[name], language) for name in _LISTED if name in given and name not in skipped]
    return ", ".join(part for part in parts if part) or str(whole["sheet"] or text("operating.whole_table", language))


def _key(key: Mapping[str, Any], language: Language) -> str:
    direction = text("operating.descending" if key["descending"] else "operating.ascending", language)
    if key["order"]:
        code = "operating.in_reverse" if key["descending"] else "operating.in_order"
        direction = text(code, language, order=_shown(key["order"], language))
    return text("operating.by", language, column=key["column"], direction=direction)


def _rows(given: Mapping[str, Any], language: Language) -> str:
    if isinstance(given.get("where"), Mapping):
        return text("operating.rows_where", language, tests=condition_text(given["where"], language))
    code = "operating.top" if given["largest"] else "operating.bottom"
    highlights = given.get("top_column") is not None
    column, count = ("top_column", "top_count") if highlights else ("column", "count")
    return text(code, language, column=given[column], count=given[count])


def condition_text(where: Mapping[str, Any], language: Language) -> str:
    """Return a filter in words of the given language."""
    joint = text("operating.and" if where["match"] == "all" else "operating.or", language)
    return joint.join(_test(test, language) for test in where["tests"])


def _test(test: Mapping[str, Any], language: Language) -> str:
    op = test["op"]
    shown = op if op in {"=", "!=", "<", "<=", ">", ">="} else text(f"operating.op.{op}", language)
    value = str(test.get("than") or ("" if test.get("value") is None else test["value"]))
    return text("operating.test", language, column=test["column"], op=shown, value=value).strip()


def _value(name: str, value: Any, language: Language) -> str:
    return color_name(value, language) if name == "color" and value else _shown(value, language)


def _shown(value: Any, language: Language) -> str:
    if isinstance(value, Mapping):
        return " ".join(str(part) for part in value.values() if part is not None)
    if isinstance(value, list | tuple):
        listed = [_shown(part, language) for part in value[:_MANY]]
        more = "…" if len(value) > _MANY else ""
        return ("、" if language == "zh" else ", ").join(part for part in listed if part) + more
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value)
