"""How conditional formats make the cells of a window look: colours, scales, bars and icons, by rank of the rules."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tablewright.domain.table import Cell
from tablewright.workbook.areas import Area
from tablewright.workbook.package.cell_rules import CellRule, rules_of
from tablewright.workbook.package.looks import Looks
from tablewright.workbook.package.rule_values import RuleValues, computed, folded, is_number, values_of
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.views import RuleLook

Place = tuple[int, int]
_SHADES = 64
"""In how many steps a scale of colours is told."""
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "equal": operator.eq, "notEqual": operator.ne, "lessThan": operator.lt, "lessThanOrEqual": operator.le,
    "greaterThan": operator.gt, "greaterThanOrEqual": operator.ge,
}  # fmt: skip
_TEXTS: dict[str, Callable[[str, str], bool]] = {
    "containsText": lambda text, part: part in text,
    "notContainsText": lambda text, part: part not in text,
    "beginsWith": lambda text, part: text.startswith(part),
    "endsWith": lambda text, part: text.endswith(part),
}
_FILLED = {"containsBlanks": False, "notContainsBlanks": True}
_ERRORS = {"containsErrors": True, "notContainsErrors": False}


@dataclass(slots=True)
class SheetRules:
    """The rules of a sheet with the values that they compare with, read once."""

    sheet: WorkbookSheet
    rules: list[CellRule]
    used: Area
    _values: dict[tuple[Area, ...], RuleValues] = field(default_factory=dict[tuple[Area, ...], RuleValues])

    def values(self, rule: CellRule) -> RuleValues:
        """Return the values that a rule looks at."""
        if rule.areas not in self._values:
            self._values[rule.areas] = values_of(self.sheet, rule.areas, self.used)
        return self._values[rule.areas]

    def looks(self, cells: Mapping[Place, Cell]) -> tuple[dict[Place, RuleLook], int]:
        """Return how rules make cells look, and how many rules cannot be told here."""
        found: dict[Place, RuleLook] = {}
        stopped: set[Place] = set()
        left_out = 0
        for rule in self.rules:
            here = [place for place in cells if place not in stopped and rule.holds(*place)]
            met = self._met(rule, {place: cells[place] for place in here}) if here else {}
            if met is None:
                left_out += 1
                continue
            for place, look in met.items():
                found[place] = _over(found[place], look) if place in found else look
            stopped |= set(met) if rule.stops else set()
        return found, left_out

    def _met(self, rule: CellRule, cells: Mapping[Place, Cell]) -> dict[Place, RuleLook] | None:
        if rule.kind in _SCALES:
            looked = {place: _SCALES[rule.kind](rule, value, self.values(rule)) for place, value in cells.items()}
            return {place: look for place, look in looked.items() if look is not None}
        test = self._test(rule)
        if test is not None:
            return {place: rule.look for place, value in cells.items() if test(value)}
        return self._by_formula(rule, cells)

    def _test(self, rule: CellRule) -> Callable[[Cell], bool] | None:
        """Return what a rule asks of a value; None where it takes formulas."""
        kind = rule.kind
        if kind in _TEXTS and rule.text:
            return lambda value: _TEXTS[kind](str("" if value is None else value).casefold(), rule.text.casefold())
        if kind in _FILLED:
            return lambda value: (value is not None and str(value).strip() != "") == _FILLED[kind]
        if kind in _ERRORS:
            return lambda value: (isinstance(value, str) and value.startswith("#")) == _ERRORS[kind]
        if kind in {"duplicateValues", "uniqueValues"}:
            counts = self.values(rule).counts
            return lambda value: value not in {None, ""} and (counts[folded(value)] > 1) == (kind == "duplicateValues")
        if kind == "top10":
            return _ranked(rule, self.values(rule))
        return _averaged(rule, self.values(rule)) if kind == "aboveAverage" else None

    def _by_formula(self, rule: CellRule, cells: Mapping[Place, Cell]) -> dict[Place, RuleLook] | None:
        if rule.kind not in {"cellIs", "expression"} or not rule.formulas:
            return None
        first = rule.areas[0]
        home, places = (first.first_row, first.first_column), sorted(cells)
        columns: list[Sequence[Any]] = []
        for formula in rule.formulas:
            constant = _constant(formula)
            found = [constant] * len(places) if constant is not None else computed(
                self.sheet, formula, home, places, self.used
            )  # fmt: skip
            if found is None:
                return None
            columns.append(found)
        operands = zip(*columns, strict=True)
        met = (
            _is_true(values[0]) if rule.kind == "expression" else _compares(rule.operator, cells[place], values)
            for place, values in zip(places, operands, strict=True)
        )
        return {place: rule.look for place, is_met in zip(places, met, strict=True) if is_met}


def sheet_rules(sheet: WorkbookSheet, looks: Looks, used: Area) -> SheetRules:
    """Return the rules of a sheet."""
    return SheetRules(sheet, rules_of(sheet, looks), used)


def _over(first: RuleLook, second: RuleLook) -> RuleLook:
    """Add what a rule of lower rank sets and the others do not."""
    usual = RuleLook()
    wanted = {
        entry.name: getattr(second, entry.name)
        for entry in fields(RuleLook)
        if getattr(first, entry.name) == getattr(usual, entry.name)
    }
    return replace(first, **wanted)


def _ranked(rule: CellRule, values: RuleValues) -> Callable[[Cell], bool]:
    limit = values.rank(rule)
    compared = operator.le if rule.bottom else operator.ge
    return lambda value: limit is not None and is_number(value) and compared(value, limit)


def _averaged(rule: CellRule, values: RuleValues) -> Callable[[Cell], bool]:
    mean = values.mean
    compared = operator.gt if rule.above else operator.lt
    return lambda value: is_number(value) and (compared(value, mean) or (rule.equal and value == mean))


def _constant(formula: str) -> Cell:
    text = formula.strip()
    if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1].replace('""', ""):
        return text[1:-1].replace('""', '"')
    if text.upper() in {"TRUE", "FALSE"}:
        return text.upper() == "TRUE"
    try:
        return float(text)
    except ValueError:
        return None


def _is_true(value: Any) -> bool:
    return value is True or (is_number(value) and value != 0)


def _compares(name: str, value: Cell, operands: Sequence[Any]) -> bool:
    """Compare as spreadsheets do: only with values of the same kind, but for `notEqual`; an empty cell counts as 0."""
    own: Any = folded(0 if value is None and is_number(operands[0]) else value)
    sides: list[Any] = [folded(operand) for operand in operands]
    if not all(_kind(own) == _kind(side) for side in sides):
        return name in {"notEqual", "notBetween"}
    if name in {"between", "notBetween"} and len(sides) == 2:
        low, high = sorted(sides)
        return bool(low <= own <= high) == (name == "between")
    return name in _COMPARED and _COMPARED[name](own, sides[0])


def _kind(value: Any) -> str:
    return "number" if is_number(value) else type(value).__name__


def _shaded(rule: CellRule, value: Cell, values: RuleValues) -> RuleLook | None:
    stops = [values.at(bound) for bound in rule.bounds]
    known = [stop for stop in stops if stop is not None]
    if not is_number(value) or len(known) < 2 or len(known) != len(stops) or len(rule.colors) < len(known):
        return None
    number = min(max(float(value), known[0]), known[-1])
    at = max(index for index in range(len(known) - 1) if index == 0 or known[index] <= number)
    low, high = known[at], known[at + 1]
    share = round((number - low) / (high - low) * _SHADES) / _SHADES if high > low else 0.0
    return RuleLook(fill=_between(rule.colors[at], rule.colors[at + 1], share))


def _between(first: str, second: str, share: float) -> str:
    pairs = ((int(first[at : at + 2], 16), int(second[at : at + 2], 16)) for at in (0, 2, 4))
    return "".join(f"{round(low + (high - low) * share):02X}" for low, high in pairs)


def _barred(rule: CellRule, value: Cell, values: RuleValues) -> RuleLook | None:
    """A bar from the least to the most; from zero where the least is above it, as programs draw them today."""
    low, high = (values.at(bound) for bound in rule.bounds) if len(rule.bounds) == 2 else (None, None)
    if low is None or high is None or not is_number(value):
        return None
    low = min(low, 0.0) if rule.bounds[0].kind == "min" else low
    share = (min(max(float(value), low), high) - low) / (high - low) if high > low else 1.0
    color = rule.colors[0] if rule.colors else "638EC6"
    return RuleLook(bar=round(share, 2), bar_color=color, hides_value=rule.hides_value)


def _iconed(rule: CellRule, value: Cell, values: RuleValues) -> RuleLook | None:
    stops = [values.at(bound) for bound in rule.bounds]
    if not is_number(value) or not stops or any(stop is None for stop in stops):
        return None
    place = max((at for at, stop in enumerate(stops) if at == 0 or float(value) >= float(stop or 0)), default=0)
    place = len(stops) - 1 - place if rule.reverse else place
    return RuleLook(icon=f"{rule.icons}:{place}", hides_value=rule.hides_value)


_SCALES: dict[str, Callable[[CellRule, Cell, RuleValues], RuleLook | None]] = {
    "colorScale": _shaded, "dataBar": _barred, "iconSet": _iconed,
}  # fmt: skip
