"""Named functions of one value: those that a plan may name.

On numbers: abs, exp, square, sign, floor, ceil, log (natural, or to the base `argument`), log1p, log10, log2, sqrt,
cbrt, round (to `argument` decimals), zscore (by the population deviation if `argument` is 0), minmax, center (minus the
mean), rank (1 is the highest), rank_ascending, percentile, fill (missing cells become `argument`), rolling_mean (over
`argument` rows, the last of them the current one).

Of the difference of two dates or moments (`Math` with `-`): hours, minutes, seconds, with their fractions. Missing
where one of the two is.

On text: length, letters (length without blanks), words (number of words), lower, upper, strip, first_word,
last_word, initial, first_number, last_number, number (the whole cell as a number), extract (`argument`: a regular
expression with one group), codes (0, 1, … in the order of the sorted values), title (Mr., Mrs., … before a period).
"""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.plan import Func, Math
from tablewright.analyst.writing.coded import Coded
from tablewright.analyst.writing.literals import literal
from tablewright.analyst.writing.operands import Operands
from tablewright.domain.dataset import ColumnKind

FIRST_NUMBER = r'r"(-?\d[\d,]*\.?\d*)"'

NUMERIC: dict[str, tuple[str, bool]] = {
    "abs": ("{x}.abs()", True),
    "exp": ("np.exp({x})", True),
    "square": ("{x} ** 2", False),
    "sign": ("np.sign({x})", True),
    "floor": ("np.floor({x})", True),
    "ceil": ("np.ceil({x})", True),
    "log": ("np.log({x}.where({x} > 0))", True),
    "log10": ("np.log10({x}.where({x} > 0))", True),
    "log2": ("np.log2({x}.where({x} > 0))", True),
    "log1p": ("np.log1p({x})", True),
    "sqrt": ("np.sqrt({x}.where({x} >= 0))", True),
    "cbrt": ("np.cbrt({x})", True),
    "round": ("{x}.round({n})", True),
    "zscore": ("({x} - {x}.mean()) / {x}.std({ddof})", False),
    "minmax": ("({x} - {x}.min()) / ({x}.max() - {x}.min())", False),
    "center": ("{x} - {x}.mean()", False),
    "rank": ('{x}.rank(ascending=False, method="min")', True),
    "rank_ascending": ('{x}.rank(method="min")', True),
    "percentile": ("{x}.rank(pct=True)", True),
    "fill": ("{x}.fillna({n})", True),
    "rolling_mean": ("{x}.rolling({n}).mean()", True),
}
"""Code over the Series `{x}`, and whether it needs no brackets as an operand."""

SCALAR = {
    "abs": "abs({x})",
    "round": "round({x}, {n})",
    "sqrt": "np.sqrt({x})",
    "log": "np.log({x})",
    "exp": "np.exp({x})",
    "square": "{x} ** 2",
    "log1p": "np.log1p({x})",
    "floor": "np.floor({x})",
    "ceil": "np.ceil({x})",
}

TEXTUAL: dict[str, tuple[str, ColumnKind]] = {
    "length": ("{t}.str.len()", "integer"),
    "letters": (r'{t}.str.count(r"\S")', "integer"),
    "words": (r'{t}.str.count(r"\S+")', "integer"),
    "lower": ("{t}.str.lower()", "text"),
    "upper": ("{t}.str.upper()", "text"),
    "strip": ("{t}.str.strip()", "text"),
    "first_word": (r'{t}.str.extract(r"(\S+)", expand=False)', "text"),
    "last_word": (r'{t}.str.extract(r"(\S+)\s*$", expand=False)', "text"),
    "initial": ("{t}.str.strip().str[0]", "text"),
    "extract": ("{t}.str.extract({n}, expand=False)", "text"),
    "title": (r'{t}.str.extract(r"([A-Za-z]+\.)", expand=False)', "text"),
}

SECONDS = {"hours": 3600, "minutes": 60, "seconds": 1}
"""How many seconds the units have in which the time between two moments is told."""


def function(operands: Operands, expr: Func) -> Coded:
    """Return the code of a named function. Raises KeyError for an unknown name, which is a bug in the plan."""
    if expr.name in SECONDS and isinstance(expr.of, Math):
        return _elapsed(operands, expr.of, SECONDS[expr.name])
    if expr.name in TEXTUAL:
        text = operands.series(operands.texts(expr.of))
        template, kind = TEXTUAL[expr.name]
        return text.but(template.format(t=text.bracketed, n=literal(expr.argument)), kind)
    if expr.name in {"first_number", "last_number", "number", "codes"}:
        return _reading(operands, expr)
    x = operands.numbers(expr.of)
    places = literal(expr.argument if expr.argument is not None else 0)
    if x.scalar and expr.name in SCALAR:
        return x.but(SCALAR[expr.name].format(x=x.bracketed, n=places), "number", atom=expr.name != "square")
    x = operands.series(x)
    template, atom = NUMERIC[expr.name]
    ddof = "ddof=0" if expr.argument == 0 and expr.argument is not None else ""
    code = template.format(x=x.bracketed, n=places, ddof=ddof)
    kind = x.kind if expr.name in {"abs", "square", "fill"} else "number"
    coded = x.but(code, kind, atom=atom)
    if expr.name == "log" and expr.argument is not None:
        return coded.but(f"{code} / np.log({places})", atom=False)
    return coded


def _elapsed(operands: Operands, between: Math, size: int) -> Coded:
    """Return the time between two moments, in units of so many seconds."""
    left, right = operands.dates(between.left), operands.dates(between.right)
    code = f"({left.bracketed} - {right.bracketed}).dt.total_seconds()"
    whole = left.but(code if size == 1 else f"{code} / {size}", "number", atom=size == 1)
    return replace(whole, unit=None, missing=True)


def _reading(operands: Operands, expr: Func) -> Coded:
    coded = operands.series(operands.write(expr.of))
    if expr.name == "codes":
        return coded.but(f'{coded.bracketed}.astype("category").cat.codes', "integer")
    if coded.is_number:
        return coded
    if expr.name == "first_number":
        return operands.first_number(coded)
    text = f'{coded.bracketed}.astype("str")'
    if expr.name == "number":
        trimmed = f'{text}.str.replace(",", "")'
        return operands.hoisted(coded, f'pd.to_numeric({trimmed}, errors="coerce")', "number")
    found = f'{text}.str.extract(r"(-?\\d[\\d,]*\\.?\\d*)\\D*$", expand=False).str.replace(",", "")'
    return operands.hoisted(coded, f"pd.to_numeric({found})", "number")
