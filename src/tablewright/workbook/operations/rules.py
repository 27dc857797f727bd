"""Rules that depend on values (conditional formats, data validation), and notes on cells."""

from __future__ import annotations

from lxml import etree

from tablewright.domain.operations.formats import AddComment, ConditionalFormat, SetDataValidation
from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area, cell_name
from tablewright.workbook.operations.conditions import matching_rows
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.operations.formats import color_of
from tablewright.workbook.package.comments import add_note
from tablewright.workbook.package.shared import Shared
from tablewright.workbook.package.sheet import ORDER
from tablewright.workbook.package.xml import Element, coded, insert_ordered, local, main, placed
from tablewright.workbook.values import number_text, serial

_OPERATORS = {
    "=": "equal", "!=": "notEqual", "<": "lessThan", "<=": "lessThanOrEqual", ">": "greaterThan",
    ">=": "greaterThanOrEqual",
}  # fmt: skip
_TEXT_RULES = {
    "contains": ("containsText", "containsText", "NOT(ISERROR(SEARCH({value},{cell})))"),
    "starts": ("beginsWith", "beginsWith", "LEFT({cell},LEN({value}))={value}"),
    "ends": ("endsWith", "endsWith", "RIGHT({cell},LEN({value}))={value}"),
}
_SCALE = ["F8696B", "FFEB84", "63BE7B"]
_DEFAULT_FILL = "FFC7CE"


def conditional_format(step: OperationContext, operation: ConditionalFormat) -> None:
    """Add a conditional format to a range; existing rules are kept and have lower priority."""
    sheet, area = step.area(operation, operation.range)
    colors = [color_of(color, "colors") for color in operation.colors]
    holder = sheet.frame.makeelement(main("conditionalFormatting"), {"sqref": area.text})
    rule = etree.SubElement(holder, main("cfRule"))
    makers = {
        "color_scale": _color_scale, "data_bar": _data_bar, "icon_set": _icon_set, "duplicates": _duplicates,
        "top": _top,
        "rule": _comparison,
    }  # fmt: skip
    makers[operation.kind](step, rule, operation, colors, cell_name(area.first_row, area.first_column))
    for other in sheet.frame.iter():
        if local(other) == "cfRule" and other.get("priority"):
            other.set("priority", str(int(other.get("priority")) + 1))
    rule.set("priority", "1")
    insert_ordered(sheet.frame, holder, ORDER)
    sheet.changed = True
    step.touch(sheet.name, area)


def set_data_validation(step: OperationContext, operation: SetDataValidation) -> None:
    """Restrict what may be typed into a range; an existing restriction of exactly that range is replaced."""
    sheet, area = step.area(operation, operation.range)
    validations = placed(sheet.frame, "dataValidations", ORDER)
    for old in list(validations):
        if old.get("sqref") == area.text:
            validations.remove(old)
    kind = {"text_length": "textLength"}.get(operation.kind, operation.kind)
    made = etree.SubElement(
        validations, main("dataValidation"), type=kind, allowBlank="1", showInputMessage="1", showErrorMessage="1"
    )
    if operation.kind == "list":
        etree.SubElement(made, main("formula1")).text = _list_formula(operation)
    else:
        _bounds(made, operation, step.book.shared)
    if operation.message:
        made.set("prompt", coded(operation.message[:255]))
        made.set("error", coded(operation.message[:255]))
    made.set("sqref", area.text)
    validations.set("count", str(len(validations)))
    sheet.changed = True
    step.touch(sheet.name, area)


def add_comment(step: OperationContext, operation: AddComment) -> None:
    """Attach a note to a cell, or to those of its column in rows that match, replacing existing ones."""
    sheet, area = step.area(operation, operation.cell, "cell")
    if not area.one_cell:
        raise InvalidInput("one_cell_needed", field="cell", range=area.text)
    rows = [area.first_row]
    if operation.where is not None:
        rows = matching_rows(step.table(sheet, [test.column for test in operation.where.tests]), operation.where)
    for row in rows:
        add_note(step.book, sheet, row, area.first_column, operation.text, operation.author)
        step.touch(sheet.name, Area(row, area.first_column, row, area.first_column))


HANDLERS: dict[str, Handler] = {
    "conditional_format": conditional_format, "set_data_validation": set_data_validation, "add_comment": add_comment,
}  # fmt: skip


def _color_scale(
    step: OperationContext, rule: Element, operation: ConditionalFormat, colors: list[str], cell: str
) -> None:
    del step, operation, cell
    shades = colors if len(colors) in {2, 3} else _SCALE
    rule.set("type", "colorScale")
    scale = etree.SubElement(rule, main("colorScale"))
    ends = [("min", None), ("percentile", "50"), ("max", None)] if len(shades) == 3 else [("min", None), ("max", None)]
    for kind, value in ends:
        bound = etree.SubElement(scale, main("cfvo"), type=kind)
        if value:
            bound.set("val", value)
    for shade in shades:
        etree.SubElement(scale, main("color"), rgb=f"FF{shade}")


def _data_bar(
    step: OperationContext, rule: Element, operation: ConditionalFormat, colors: list[str], cell: str
) -> None:
    del step, operation, cell
    rule.set("type", "dataBar")
    bar = etree.SubElement(rule, main("dataBar"))
    etree.SubElement(bar, main("cfvo"), type="min")
    etree.SubElement(bar, main("cfvo"), type="max")
    etree.SubElement(bar, main("color"), rgb=f"FF{colors[0] if colors else '638EC6'}")


def _icon_set(
    step: OperationContext, rule: Element, operation: ConditionalFormat, colors: list[str], cell: str
) -> None:
    del step, operation, colors, cell
    rule.set("type", "iconSet")
    icons = etree.SubElement(rule, main("iconSet"), iconSet="3TrafficLights1")
    for bound in ("0", "33", "67"):
        etree.SubElement(icons, main("cfvo"), type="percent", val=bound)


def _fill(step: OperationContext, rule: Element, colors: list[str]) -> None:
    rule.set("dxfId", str(step.book.shared.styles.differential(colors[0] if colors else _DEFAULT_FILL)))


def _duplicates(
    step: OperationContext, rule: Element, operation: ConditionalFormat, colors: list[str], cell: str
) -> None:
    del operation, cell
    rule.set("type", "duplicateValues")
    _fill(step, rule, colors)


def _top(step: OperationContext, rule: Element, operation: ConditionalFormat, colors: list[str], cell: str) -> None:
    del cell
    rule.set("type", "top10")
    rule.set("rank", str(operation.count))
    _fill(step, rule, colors)


def _comparison(
    step: OperationContext, rule: Element, operation: ConditionalFormat, colors: list[str], cell: str
) -> None:
    op = operation.op
    if op is None or (operation.value is None and op not in {"missing", "present"}):
        raise InvalidInput("rule_incomplete", field="op")
    _fill(step, rule, colors)
    value = _literal(operation.value, step.book.shared)
    if op in _OPERATORS:
        rule.set("type", "cellIs")
        rule.set("operator", _OPERATORS[op])
        etree.SubElement(rule, main("formula")).text = value
    elif op in _TEXT_RULES:
        kind, operator, formula = _TEXT_RULES[op]
        rule.set("type", kind)
        rule.set("operator", operator)
        rule.set("text", coded(str(operation.value)))
        etree.SubElement(rule, main("formula")).text = formula.format(value=_quoted(str(operation.value)), cell=cell)
    else:
        rule.set("type", "containsBlanks" if op == "missing" else "notContainsBlanks")
        etree.SubElement(rule, main("formula")).text = f"LEN(TRIM({cell})){'=' if op == 'missing' else '>'}0"


def _literal(value: Cell, shared: Shared) -> str:
    if isinstance(value, str):
        if value.startswith("="):
            return value[1:]
        day = serial(value)
        return number_text(shared.day(day)) if day is not None else _quoted(value)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return number_text(value) if value is not None else ""


def _quoted(text: str) -> str:
    return '"' + coded(text).replace('"', '""') + '"'


def _list_formula(operation: SetDataValidation) -> str:
    if not operation.options:
        raise InvalidInput("options_missing", field="options")
    if len(operation.options) == 1 and operation.options[0].startswith("="):
        return operation.options[0][1:]
    text = ",".join(operation.options)
    if len(text) > 255 or any("," in option for option in operation.options):
        raise InvalidInput("options_too_long", field="options")
    return _quoted(text)


def _bounds(made: Element, operation: SetDataValidation, shared: Shared) -> None:
    low, high = operation.minimum, operation.maximum
    if low is None and high is None:
        raise InvalidInput("bounds_missing", field="minimum")
    operator = (
        "between"
        if low is not None and high is not None
        else "greaterThanOrEqual"
        if low is not None
        else "lessThanOrEqual"
    )
    made.set("operator", operator)
    given = [bound for bound in (low, high) if bound is not None]
    for number, bound in enumerate(given, 1):
        etree.SubElement(made, main(f"formula{number}")).text = _literal(bound, shared)
