"""A value of the plan as a piece of code, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tablewright.analyst.writing.columns import DATED, NUMERIC, Column
from tablewright.domain.dataset import ColumnKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Coded:
    """`code` gives a Series, or one value where `scalar`; `atom` code needs no brackets; `clean` text was made by the
    code itself and needs no trimming; `date_format` as in `Column`; `source` is the plain column that it is;
    `array` is shorter code that gives an array of the same length."""

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
        """The code as the value of a new column, where an array is as good as a Series."""
        return self.array or self.code

    @property
    def is_number(self) -> bool:
        return self.kind in NUMERIC

    @property
    def is_date(self) -> bool:
        return self.kind in DATED

    @property
    def bracketed(self) -> str:
        """The code, safe as an operand."""
        return self.code if self.atom else f"({self.code})"

    def named(self, name: str) -> Column:
        """Return the column that this value makes under `name`."""
        return Column(name=name, kind=self.kind, unit=self.unit, missing=self.missing, date_format=self.date_format)

    def but(self, code: str, kind: ColumnKind | None = None, *, atom: bool = True, clean: bool = True) -> Coded:
        """Return another value derived from this one."""
        return replace(
            self, code=code, kind=kind or self.kind, atom=atom, clean=clean, date_format=None, source=None, array=None
        )
