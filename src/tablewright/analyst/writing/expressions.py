"""Expressions of the plan as pandas code over one DataFrame variable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tablewright.analyst.date_constants import is_date
from tablewright.analyst.plan import Bucket, Case, Col, Cut, Expr, Func, Lit, Math, Statistic
from tablewright.analyst.writing.buckets import bucket
from tablewright.analyst.writing.coded import Coded
from tablewright.analyst.writing.columns import Frame, date_code, seconds_code
from tablewright.analyst.writing.conditions import Conditions
from tablewright.analyst.writing.functions import FIRST_NUMBER, function
from tablewright.analyst.writing.literals import bracketed, call, fitted_line, listed, literal, quoted
from tablewright.analyst.writing.naming import Names, slug
from tablewright.analyst.writing.statistics import statistic
from tablewright.domain.dataset import ColumnKind
from tablewright.domain.language import Language


class Expressions:
    """Writes expressions over `frame`. Long code becomes a variable of its own, written with `emit` before the
    current statement; `known` maps such code to its variable. `conditions` writes conditions over the same table."""

    def __init__(
        self, frame: Frame, *, names: Names, emit: Callable[..., None], known: dict[str, str], language: Language
    ) -> None:
        self.frame = frame
        self.language = language
        self._names = names
        self._emit = emit
        self._known = known
        self.conditions = Conditions(self)

    def write(self, expr: Expr) -> Coded:
        """Return the code of `expr`."""
        match expr:
            case Col():
                return self._column(expr.name)
            case Lit():
                return Coded(code=literal(expr.value), kind=_kind(expr), scalar=True, clean=True, missing=False)
            case Bucket():
                return bucket(self.dates(expr.of), expr.unit, self.language)
            case Math():
                return self._math(expr)
            case Func():
                return function(self, expr)
            case Cut():
                return self._cut(expr)
            case Statistic():
                return self._statistic(expr)
            case Case():
                return self._case(expr)

    def numbers(self, expr: Expr) -> Coded:
        """Return `expr` as numbers: text is parsed, and what cannot be parsed is missing."""
        coded = self.write(expr)
        if coded.is_number or coded.scalar:
            return coded
        if coded.is_date:
            return coded.but(f'{self.dates(expr).code}.astype("int64")', "integer")
        if coded.kind == "time":
            return self.hoisted(replace(coded, unit="s"), seconds_code(coded.code, coded.date_format), "number")
        if coded.kind == "mixed":
            trimmed = f'{coded.bracketed}.astype("str").str.replace(",", "")'
            return self.hoisted(coded, f'pd.to_numeric({trimmed}, errors="coerce")', "number")
        return self.first_number(coded)

    def first_number(self, coded: Coded) -> Coded:
        """Return the first number in each text."""
        if coded.is_number:
            return coded
        found = f'{coded.bracketed}.astype("str").str.extract({FIRST_NUMBER}, expand=False).str.replace(",", "")'
        return self.hoisted(coded, f"pd.to_numeric({found})", "number")

    def dates(self, expr: Expr) -> Coded:
        """Return `expr` as dates: text is parsed by its format, and what cannot be parsed is missing."""
        coded = self.write(expr)
        if coded.is_date and (coded.date_format is None or coded.scalar):
            return coded
        if coded.date_format:
            return self.hoisted(coded, date_code(coded.code, coded.date_format), "datetime", name="dates")
        text = coded.code if not coded.is_number else f'{coded.bracketed}.astype("Int64").astype("str")'
        if coded.kind in {"time", "mixed"}:
            text = f'{coded.bracketed}.astype("str")'
        return self.hoisted(replace(coded, missing=True), date_code(text, ""), "datetime", name="dates")

    def texts(self, expr: Expr) -> Coded:
        """Return `expr` as text."""
        coded = self.write(expr)
        if coded.kind == "text" or coded.scalar:
            return coded
        return coded.but(f'{coded.bracketed}.astype("str")', "text", clean=coded.is_number)

    def series(self, coded: Coded) -> Coded:
        """Return `coded` as a Series; a constant is repeated for each row of the table."""
        if not coded.scalar:
            return coded
        return replace(coded, code=f"pd.Series({coded.code}, index={self.frame.name}.index)", scalar=False, atom=True)

    def hoisted(self, coded: Coded, code: str, kind: ColumnKind, *, name: str = "numbers") -> Coded:
        """Return a variable, as long as the table, that holds `code`; it is written only once."""
        if code not in self._known:
            target = self._names.fresh(slug(coded.source or ""), otherwise=name)
            self._emit(*fitted_line(target, code))
            self._known[code] = target
        return coded.but(self._known[code], kind)

    def _column(self, name: str) -> Coded:
        column = self.frame.column(name)
        return Coded(
            code=f"{self.frame.name}[{quoted(name)}]",
            kind=column.kind,
            unit=column.unit,
            missing=column.missing,
            date_format=column.date_format,
            source=name,
        )

    def _math(self, expr: Math) -> Coded:
        if self.write(expr.left).is_date or self.write(expr.right).is_date:
            return self._date_math(expr)
        left, right = self.numbers(expr.left), self.numbers(expr.right)
        unit = left.unit if expr.op in {"+", "-"} and left.unit == right.unit else None
        scalar = left.scalar and right.scalar
        code = f"{left.bracketed} {expr.op} {right.bracketed}"
        if expr.op in {"/", "%"} and not isinstance(expr.right, Lit):
            if scalar:
                code = f'{code} if {right.bracketed} else float("nan")'
            elif not right.scalar:
                code = f"{left.bracketed} {expr.op} {right.bracketed}.where({right.bracketed} != 0)"
        integer = left.kind == right.kind == "integer" and expr.op not in {"/", "**"}
        return Coded(
            code=code,
            kind="integer" if integer else "number",
            atom=False,
            scalar=scalar,
            clean=True,
            unit=unit,
            missing=left.missing or right.missing or expr.op in {"/", "%"},
        )

    def _date_math(self, expr: Math) -> Coded:
        left = self.dates(expr.left)
        if self.write(expr.right).is_date or (isinstance(expr.right, Lit) and isinstance(expr.right.value, str)):
            right = self.dates(expr.right)
            if right.scalar:
                right = right.but(f"pd.Timestamp({right.code})", "datetime")
            return left.but(f"({left.bracketed} - {right.bracketed}).dt.days", "integer")
        days = self.numbers(expr.right)
        return left.but(f'{left.bracketed} {expr.op} pd.to_timedelta({days.code}, unit="D")', "datetime", atom=False)

    def _cut(self, expr: Cut) -> Coded:
        of = self.series(self.numbers(expr.of))
        code = call("pd.cut", [of.code, f"bins={listed(expr.edges)}", f"labels={listed(expr.labels)}", "right=False"])
        return Coded(code=code, kind="text", clean=True)

    def _statistic(self, expr: Statistic) -> Coded:
        of = self.series(
            self.write(expr.of)
            if expr.name in {"count", "count_distinct", "mode", "missing"}
            else self.measured(expr.of)
        )
        values = of.bracketed
        if expr.where is not None:
            values = f"{values}[{self.conditions.write(expr.where)}]"
        return Coded(
            code=statistic(expr.name, values, expr.argument),
            kind=of.kind if of.is_date or expr.name == "mode" else "number",
            scalar=True,
            clean=True,
            unit=of.unit,
            atom=expr.name != "range",
        )

    def measured(self, expr: Expr) -> Coded:
        """Return `expr` in a form that has a mean and an order: dates stay dates, everything else becomes numbers."""
        return self.dates(expr) if self.write(expr).is_date else self.numbers(expr)

    def _case(self, expr: Case) -> Coded:
        values = [self.write(value) for _, value in expr.branches]
        otherwise = self.write(expr.otherwise)
        tests = [self.conditions.write(condition) for condition, _ in expr.branches]
        kinds = {value.kind for value in [*values, otherwise] if value.code != "None"}
        kind: ColumnKind = kinds.pop() if len(kinds) == 1 else "number" if kinds <= {"number", "integer"} else "mixed"
        if len(tests) == 1:
            code = call("np.where", [tests[0], values[0].code, otherwise.code])
        else:
            code = call(
                "np.select",
                [
                    bracketed(tests),
                    bracketed([value.code for value in values]),
                    f"default={otherwise.code}",
                ],
            )
        return Coded(code=f"pd.Series({code}, index={self.frame.name}.index)", kind=kind, clean=True, array=code)


def _kind(lit: Lit) -> ColumnKind:
    if isinstance(lit.value, bool):
        return "boolean"
    if isinstance(lit.value, int):
        return "integer"
    if isinstance(lit.value, float):
        return "number"
    if isinstance(lit.value, str) and is_date(lit.value):
        return "date"
    return "text"
