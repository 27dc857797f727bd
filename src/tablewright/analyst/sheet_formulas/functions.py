"""The named functions of a plan as formulas."""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.plan import Func
from tablewright.analyst.sheet_formulas.base import ADDED, ATOM, MULTIPLIED, RAISED, NoFormula, Operands, Value, any_of
from tablewright.analyst.sheet_formulas.literals import literal, number

_PLAIN = {
    "abs": "ABS({x})",
    "exp": "EXP({x})",
    "sign": "SIGN({x})",
    "floor": "INT({x})",
    "cbrt": "SIGN({x})*ABS({x})^(1/3)",
    "ceil": "-INT(-{b})",
}
_PARTIAL = {
    "log": "LN({x})",
    "log10": "LOG10({x})",
    "log2": "LOG({x},2)",
    "log1p": "LN(1+{b})",
    "sqrt": "SQRT({x})",
}
"""Functions that are errors outside of their domain, where the plan's are missing."""
_OF_COLUMN = {
    "zscore": "({b}-AVERAGE({r}))/{std}({r})",
    "minmax": "({b}-MIN({r}))/(MAX({r})-MIN({r}))",
    "center": "{b}-AVERAGE({r})",
    "rank": "RANK({x},{r})",
    "rank_ascending": "RANK({x},{r},1)",
    "percentile": '(COUNTIF({r},"<"&{b})+(COUNTIF({r},{x})+1)/2)/COUNT({r})',
}
_TEXTUAL = {
    "length": "LEN({x})",
    "letters": 'LEN(SUBSTITUTE({x}," ",""))',
    "words": 'IF(TRIM({x})="",0,LEN(TRIM({x}))-LEN(SUBSTITUTE(TRIM({x})," ",""))+1)',
    "lower": "LOWER({x})",
    "upper": "UPPER({x})",
    "strip": "TRIM({x})",
    "initial": "LEFT(TRIM({x}),1)",
    "first_word": 'LEFT(TRIM({x}),FIND(" ",TRIM({x})&" ")-1)',
    "last_word": 'TRIM(RIGHT(SUBSTITUTE(TRIM({x})," ",REPT(" ",LEN({x})+1)),LEN({x})+1))',
}
_COUNTING = frozenset({"length", "letters", "words"})


def function(operands: Operands, expr: Func, row: int) -> Value:
    """Return a named function of a value in `row`. Errors: `NoFormula` for those that no formula says."""
    if operands.many:
        if expr.name == "square":
            return _square(operands.write(expr.of))
        raise NoFormula(f"{expr.name} of many rows")
    if expr.name in _TEXTUAL:
        return _textual(operands, expr)
    value = operands.write(expr.of)
    if expr.name in {"first_number", "last_number", "number"} and value.kind == "number":
        return value
    if value.kind != "number":
        raise NoFormula(f"{expr.name} of other values than numbers")
    if expr.name in _OF_COLUMN or expr.name == "rolling_mean":
        return _of_column(operands, expr, value, row)
    return _of_number(expr, value)


def _textual(operands: Operands, expr: Func) -> Value:
    value = operands.write(expr.of)
    if value.kind != "text":
        raise NoFormula(f"{expr.name} of other values than texts")
    return value.made(_TEXTUAL[expr.name].format(x=value.code), "number" if expr.name in _COUNTING else "text")


def _of_number(expr: Func, value: Value) -> Value:
    names = {"x": value.code, "b": value.at(ATOM)}
    if expr.name in _PLAIN:
        level = {"cbrt": MULTIPLIED, "ceil": ADDED}.get(expr.name, ATOM)
        return value.made(_PLAIN[expr.name].format(**names), "number", level)
    if expr.name in _PARTIAL:
        code = _PARTIAL[expr.name].format(**names)
        if expr.name == "log" and expr.argument is not None:
            code = f"LOG({value.code},{_number(expr)})"
        return _failing(value.made(code, "number"))
    match expr.name:
        case "square":
            return _square(value)
        case "round":
            return value.made(f"ROUND({value.code},{_number(expr)})", "number")
        case "fill":
            return _filled(expr, value)
        case _:
            raise NoFormula(expr.name)


def _square(value: Value) -> Value:
    return value.made(f"{value.at(ATOM)}^2", "number", RAISED)


def _number(expr: Func) -> str:
    if expr.argument is None:
        return "0"
    if isinstance(expr.argument, str):
        raise NoFormula(f"{expr.name} with a text")
    return number(expr.argument)


def _failing(value: Value) -> Value:
    return replace(value, fails=True)


def _filled(expr: Func, value: Value) -> Value:
    if not value.may_be_missing:
        return value
    other = literal(0 if expr.argument is None else expr.argument)
    if other.kind != "number":
        raise NoFormula("numbers filled with text")
    code = f"IFERROR({value.code},{other.code})" if value.fails else value.code
    if value.absent:
        code = f"IF({any_of(value.absent)},{other.code},{code})"
    return Value(code=code, kind="number")


def _of_column(operands: Operands, expr: Func, value: Value, row: int) -> Value:
    column = operands.column(expr.of)
    if column is None:
        raise NoFormula(f"{expr.name} of computed values")
    if expr.name == "rolling_mean":
        return _rolling(operands, expr, row)
    population = expr.argument == 0 and expr.argument is not None
    code = _OF_COLUMN[expr.name].format(
        x=value.code, b=value.at(ATOM), r=operands.area(expr.of), std="STDEVP" if population else "STDEV"
    )
    level = {"zscore": MULTIPLIED, "minmax": MULTIPLIED, "percentile": MULTIPLIED, "center": ADDED}.get(expr.name, ATOM)
    found = value.made(code, "number", level)
    return _failing(found) if expr.name in {"zscore", "minmax"} else found


def _rolling(operands: Operands, expr: Func, row: int) -> Value:
    column, width = operands.column(expr.of), expr.argument
    if column is None or not isinstance(width, int) or isinstance(width, bool) or width < 1:
        raise NoFormula("rolling_mean")
    first = row - width + 1
    if first < operands.table.first_row:
        return Value(code='""', kind="number", unsure=True)
    window = f"{operands.table.cell(column, first)}:{column.letters}{row}"
    if not column.missing:
        return Value(code=f"AVERAGE({window})", kind="number")
    return Value(code=f'IF(COUNT({window})<{width},"",AVERAGE({window}))', kind="number", unsure=True)
