"""Values found in another table by their keys."""

from __future__ import annotations

from tablewright.analyst.sheet_formulas.base import Lookup, NoFormula, SheetColumn, SheetTable, Value, value_kind


def looked_up(lookup: Lookup, here: SheetTable, row: int) -> Value:
    """Return the value of the first row whose keys are those of `row`; an error where there is none."""
    column = lookup.there.column(lookup.column)
    if not isinstance(column, SheetColumn) or not lookup.keys:
        raise NoFormula("values found by what is looked up itself")
    pairs = [_pair(one, other, here, lookup.there, row) for one, other in lookup.keys]
    if len(pairs) == 1:
        cell, area = pairs[0]
        match = f"MATCH({cell},{area},0)"
    else:
        match = f"MATCH(1,INDEX({'*'.join(f'({area}={cell})' for cell, area in pairs)},0),0)"
    code = f"INDEX({lookup.there.area(column)},{match})"
    kind = value_kind(column)
    if column.missing:
        # an empty cell would be read as 0
        code = f'IF({code}="",NA(),{code})'
    return Value(code=code, kind=kind, fails=True, blanks=column.blanks)


def _pair(one: str, other: str, here: SheetTable, there: SheetTable, row: int) -> tuple[str, str]:
    own, others = here.column(one), there.column(other)
    if not isinstance(own, SheetColumn) or not isinstance(others, SheetColumn):
        raise NoFormula("keys that are looked up")
    if value_kind(own) != value_kind(others) or own.blanks or others.blanks:
        raise NoFormula("keys of two kinds")
    return here.cell(own, row), there.area(others)
