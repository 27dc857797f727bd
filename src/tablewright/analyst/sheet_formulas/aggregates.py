"""Aggregates of a table: of all rows, of those where a condition holds, of the group that cells name."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.plan import Col, Condition, Expr, Measure, Statistic
from tablewright.analyst.sheet_formulas.base import (
    ADDED,
    ATOM,
    MULTIPLIED,
    NoFormula,
    Operands,
    SheetColumn,
    SheetTable,
    Value,
    ValueKind,
    value_kind,
)
from tablewright.analyst.sheet_formulas.criteria import Criterion, criteria, equal
from tablewright.analyst.sheet_formulas.literals import number

_WHOLE = {
    "sum": "SUM({r})",
    "mean": "AVERAGE({r})",
    "median": "MEDIAN({r})",
    "min": "MIN({r})",
    "max": "MAX({r})",
    "range": "MAX({r})-MIN({r})",
    "skew": "SKEW({r})",
    "kurtosis": "KURT({r})",
}
_CONDITIONAL = frozenset({"count", "sum", "mean", "min", "max", "range", "missing", "missing_percent"})
_MAY_FAIL = frozenset({"mean", "median", "std", "var", "skew", "kurtosis", "quantile", "min", "max", "range"})
_UNBIASED = frozenset({"skew", "kurtosis"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A column whose cells are equal to another cell, by its reference: the key of a row of a summary."""

    column: str
    cell: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregates:
    """Writes aggregates of `table`; `many` writes expressions over all of its rows."""

    table: SheetTable
    many: Operands

    def write(self, measure: Measure | Statistic, groups: tuple[Group, ...] = ()) -> Value:
        """Return the aggregate of the rows that are in all `groups`. Errors: `NoFormula`."""
        name = measure.function if isinstance(measure, Measure) else measure.name
        pairs = self._pairs(measure.where, groups)
        if pairs == []:
            return self._whole(name, measure.of, measure.argument)
        if name not in _CONDITIONAL:
            raise NoFormula(f"{name} of some rows")
        if name == "range":
            high, low = (self._selected(one, measure, groups, pairs) for one in ("max", "min"))
            return Value(code=f"{high.code}-{low.code}", kind=high.kind, level=3, fails=True)
        return self._selected(name, measure, groups, pairs)

    def _pairs(self, where: Condition | None, groups: tuple[Group, ...]) -> list[Criterion] | None:
        """Return the criteria, or None if there are conditions that criteria cannot say."""
        found = [equal(self._of(group.column), self.table, group.cell) for group in groups]
        if where is None:
            return found
        try:
            return [*found, *criteria(where, self.table)]
        except NoFormula:
            return None

    def _of(self, name: str) -> SheetColumn:
        column = self.table.column(name)
        if not isinstance(column, SheetColumn):
            raise NoFormula("aggregates of looked up values")
        return column

    def _column(self, of: Expr | None) -> SheetColumn | None:
        return self._of(of.name) if isinstance(of, Col) else None

    @property
    def _rows(self) -> int:
        return self.table.last_row - self.table.first_row + 1

    # ---- all rows -------------------------------------------------------------------------------------------------

    def _whole(self, name: str, of: Expr | None, argument: float | None) -> Value:
        if of is None:
            if name != "count":
                raise NoFormula(f"{name} of rows")
            return Value(code=f"ROWS({self._any_area()})", kind="number")
        column = self._column(of)
        if column is None:
            return self._computed(name, of)
        area = self.table.area(column)
        if name in {"count", "missing", "missing_percent", "count_distinct", "first", "last"}:
            return self._cells(name, column, area)
        kind = _measured(name, column)
        code = _WHOLE[name].format(r=area) if name in _WHOLE else _spread(name, area, argument)
        if name in _UNBIASED and argument is not None:
            raise NoFormula(f"{name} of a population")
        level = ADDED if name == "range" else ATOM
        return Value(code=code, kind=kind, level=level, fails=name in _MAY_FAIL and column.missing)

    def _any_area(self) -> str:
        return self.table.area(next(one for one in self.table.columns.values() if isinstance(one, SheetColumn)))

    def _cells(self, name: str, column: SheetColumn, area: str) -> Value:
        if name in {"first", "last"}:
            if column.missing:
                raise NoFormula(f"{name} of cells that may be empty")
            place = 1 if name == "first" else self._rows
            return Value(code=f"INDEX({area},{place})", kind=value_kind(column))
        if name == "count_distinct":
            if column.kind not in {"number", "integer", "date", "datetime"}:
                raise NoFormula("distinct texts")
            return Value(code=f"SUMPRODUCT(--(FREQUENCY({area},{area})>0))", kind="number")
        empty = f"COUNTBLANK({area})"
        if name == "count":
            numeric = value_kind(column) in {"number", "date", "datetime"}
            code = f"COUNT({area})" if numeric else f"ROWS({area})-{empty}"
            return Value(code=code, kind="number", level=ATOM if numeric else ADDED)
        if name == "missing_percent":
            return Value(code=f"{empty}/ROWS({area})*100", kind="number", level=MULTIPLIED)
        return Value(code=empty, kind="number")

    def _computed(self, name: str, of: Expr) -> Value:
        value = self.many.write(of)
        if value.kind != "number" or value.zeros or value.fails:
            raise NoFormula("aggregates of these values")
        return self._product(name, value, [f'({one}<>"")' for one in value.missing])

    # ---- some rows ------------------------------------------------------------------------------------------------

    def _selected(
        self, name: str, measure: Measure | Statistic, groups: tuple[Group, ...], pairs: list[Criterion] | None
    ) -> Value:
        of, column = measure.of, self._column(measure.of)
        if pairs is None or (of is not None and column is None) or name in {"min", "max"}:
            return self._factored(name, measure, groups)
        listed = ",".join(part for pair in pairs for part in pair)
        if of is None or column is None:
            if name != "count":
                raise NoFormula(f"{name} of rows")
            return Value(code=f"COUNTIFS({listed})", kind="number")
        area = self.table.area(column)
        if name in {"count", "missing", "missing_percent"}:
            return _counted(name, area, listed, column)
        kind = _measured(name, column)
        if name == "sum":
            return Value(code=f"SUMIFS({area},{listed})", kind=kind)
        return Value(code=f"AVERAGEIFS({area},{listed})", kind=kind, fails=True)

    def _factored(self, name: str, measure: Measure | Statistic, groups: tuple[Group, ...]) -> Value:
        factors = []
        for group in groups:
            column = self._of(group.column)
            factors.append(f"({self.table.area(column)}={group.cell})")
        if measure.where is not None:
            factors.append(self.many.test(measure.where))
        if measure.of is None:
            if name != "count":
                raise NoFormula(f"{name} of rows")
            return self._product(name, Value(code="1", kind="number"), factors)
        value = self.many.write(measure.of)
        if name == "count":
            return self._product(name, value, [*factors, *(f'({one}<>"")' for one in value.missing)])
        if value.kind != "number" and not (value.kind in {"date", "datetime"} and name in {"min", "max"}):
            raise NoFormula("aggregates of these values")
        if value.zeros or value.fails:
            raise NoFormula("quotients over many rows")
        return self._product(name, value, [*factors, *(f'({one}<>"")' for one in value.missing)])

    def _product(self, name: str, value: Value, factors: list[str]) -> Value:
        mask, code = "*".join(factors), value.at(MULTIPLIED + 1)
        counted = f"SUMPRODUCT({mask}*1)" if factors else str(self._rows)
        summed = f"SUMPRODUCT({mask}*{code})" if factors else f"SUMPRODUCT({value.code})"
        match name:
            case "count":
                return Value(code=counted, kind="number")
            case "sum":
                return Value(
                    code=f"SUMPRODUCT({mask}*{code})" if factors else f"SUMPRODUCT({value.code})", kind="number"
                )
            case "mean":
                return Value(code=f"{summed}/{counted}", kind="number", level=MULTIPLIED, fails=True)
            case "min" | "max":
                return self._extreme(name, value, mask, counted)
            case _:
                raise NoFormula(f"{name} of computed values")

    def _extreme(self, name: str, value: Value, mask: str, counted: str) -> Value:
        call = name.upper()
        if not mask:
            return Value(code=f"SUMPRODUCT({call}({value.code}))", kind=value.kind)
        sign = "+" if name == "min" else "-"
        picked = f"SUMPRODUCT({call}({mask}*{value.at(MULTIPLIED + 1)}{sign}(1-{mask})*1E+99))"
        return Value(code=f'IF({counted}=0,"",{picked})', kind=value.kind, unsure=True)


def _counted(name: str, area: str, listed: str, column: SheetColumn) -> Value:
    """Return how many of the selected cells are filled or empty."""
    if name == "count":
        code = f'COUNTIFS({listed},{area},"<>")' if column.missing else f"COUNTIFS({listed})"
        return Value(code=code, kind="number")
    code = f'COUNTIFS({listed},{area},"")'
    if name == "missing_percent":
        return Value(code=f"{code}/COUNTIFS({listed})*100", kind="number", level=MULTIPLIED, fails=True)
    return Value(code=code, kind="number")


def _measured(name: str, column: SheetColumn) -> ValueKind:
    """Return the kind of an aggregate of a column. Errors: `NoFormula` if its values have none."""
    kind = value_kind(column)
    if kind == "number" or (kind in {"date", "datetime"} and name in {"min", "max", "mean", "median"}):
        return kind
    raise NoFormula(f"{name} of other values than numbers")


def _spread(name: str, area: str, argument: float | None) -> str:
    population = argument == 0 and argument is not None
    match name:
        case "std":
            return f"{'STDEVP' if population else 'STDEV'}({area})"
        case "var":
            return f"{'VARP' if population else 'VAR'}({area})"
        case "quantile":
            return f"PERCENTILE({area},{number(0.5 if argument is None else argument)})"
        case _:
            raise NoFormula(name)
