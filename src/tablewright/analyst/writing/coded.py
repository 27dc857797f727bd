"""An expression of the plan as a piece of code, and what is known about it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tablewright.analyst.writing.columns import DATED, NUMERIC, Column
from tablewright.domain.dataset import ColumnKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Coded:
    """A piece of code that evaluates to a Series, or to one value if `scalar`.

    `atom` code needs no brackets as an operand; `clean` text was made by the code itself and needs no trimming.
    `date_format` is as in `Column`, `source` is the column that the code merely reads, and `array` is shorter code
    for an array of the same length.
    """

    code: str
    kind: ColumnKind
    atom: bool = True
    scalar: bool = False
    clean: bool = False
    unit: str | None = None
    missing: bool = True
    date_format: str | None = None
    source: str | None = None
    array: str | None = None

    @property
    def column_code(self) -> str:
        """The code to assign to a new column, where an array is as good as a Series."""
        return self.array or self.code

    @property
    def is_number(self) -> bool:
        return self.kind in NUMERIC

    @property
    def is_date(self) -> bool:
        return self.kind in DATED

    @property
    def bracketed(self) -> str:
        """The code, bracketed if needed to be an operand."""
        return self.code if self.atom else f"({self.code})"

    def named(self, name: str) -> Column:
        """Return the column that results from storing this value under `name`."""
        return Column(name=name, kind=self.kind, unit=self.unit, missing=self.missing, date_format=self.date_format)

    def but(self, code: str, kind: ColumnKind | None = None, *, atom: bool = True, clean: bool = True) -> Coded:
        """Return a value derived from this one, with other code and by default the same kind."""
        return replace(
            self, code=code, kind=kind or self.kind, atom=atom, clean=clean, date_format=None, source=None, array=None
        )
