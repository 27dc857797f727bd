"""What a report looks at in a table: which columns measure, group, date or merely number its rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from tablewright.analyst.linking.additivity import adds_up_in, aggregate_for, identifying
from tablewright.analyst.reporting.lookups import Lookup
from tablewright.analyst.reporting.material import Material
from tablewright.analyst.writing.literals import fitted_line, quoted
from tablewright.analyst.writing.naming import Names, slug
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.loading import date_expression, load_lines, number_expression
from tablewright.domain.table import Cell

MEASURES = 12
GROUPS = 5
MOST_GROUPS = 20
"""A column with more distinct cells than this names single things, not groups."""

LEAST_ROWS = 20
"""With fewer rows than this, nothing is tested."""

MOST_ROWS = 2_000_000
"""Tables with more rows are not loaded into the memory of a session."""

NUMBERS = frozenset({"number", "integer"})
"""Kinds of columns that are loaded as numbers."""
_DATES = frozenset({"date", "datetime"})
_CODE_DIGITS = 5
_SINGLE = 0.9
"""Part of the rows that have a number of their own where it is a running number; some rows may be there twice."""
_DENSE = 0.7
"""Part of the numbers of its range that a running number uses."""
_KEYS = frozenset({"id", "no", "number", "serial"})
_LABELS = frozenset({"rank", "name", "code", "zip", "zipcode", "postcode", "phone"})
_KEY_ENDINGS = ("号", "编号", "编码", "代码", "电话", "名次", "排名")
_PLACES = frozenset({"latitude", "longitude", "lat", "lon", "lng", "纬度", "经度"})
_YEARS = frozenset({"year", "yr", "fiscal_year", "年", "年份", "年度"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A table of a report, and the roles of its columns. `variable` is its name in the code; `sums` are
    the measures that may be added up; `things` are columns that name single things (customers), `left` those that
    number or place the rows; `crowded` are measures that are not looked at, there being too many; `lookups` are
    groups that stand in other tables."""

    material: Material
    variable: str
    measures: tuple[str, ...]
    sums: tuple[str, ...]
    groups: tuple[str, ...]
    things: tuple[str, ...]
    left: tuple[str, ...]
    crowded: tuple[str, ...]
    date: str | None
    year: str | None
    wanted: frozenset[str] = frozenset()
    lookups: tuple[Lookup, ...] = ()

    @property
    def facts(self) -> DatasetFacts:
        """The facts about the table, once its columns are cleaned."""
        return self.material.facts

    @property
    def tested(self) -> bool:
        """Whether the table is one in which effects can be looked for."""
        return self.loaded and self.facts.rows >= LEAST_ROWS

    @property
    def loaded(self) -> bool:
        """Whether the table is small enough to be loaded whole."""
        return 0 < self.facts.rows <= MOST_ROWS

    def load(self) -> list[str]:
        """Return the lines that load the table, with its numbers and dates as such."""
        if self.material.part is None:
            return self._loaded(self.facts)
        lines, parts = [f"{self.variable}_parts = []"], f"{self.variable}_parts"
        for table, name in zip(self.material.tables, self.material.parts, strict=True):
            named = f"**{{{quoted(self.material.part)}: {quoted(name)}}}"
            lines += [*self._loaded(table), f"{parts}.append({self.variable}.assign({named}))"]
        return [*lines, f"{self.variable} = pd.concat({parts}, ignore_index=True)"]

    def _loaded(self, table: DatasetFacts) -> list[str]:
        """Return the lines that load one table of the material."""
        lines = list(load_lines(table, self.variable))
        for column in table.columns:
            series = f"{self.variable}[{quoted(column.name)}]"
            if column.kind in NUMBERS and column.notation != "plain":
                lines += fitted_line(series, number_expression(series, column, decimal=table.read.decimal))
            elif column.name == self.date:
                code = (
                    date_expression(series, column) if column.notation == "date_text" else f"pd.to_datetime({series})"
                )
                lines += fitted_line(series, code)
        return lines


def subject_of(
    material: Material, names: Names, wanted: Collection[str] = (), found: tuple[Lookup, ...] = ()
) -> Subject:
    """Return how a report looks at a table; of the columns in `wanted`, if any, and of all others of another role.

    `found` are its groups in other tables.
    """
    facts = material.facts
    numbers = [column for column in facts.columns if column.kind in NUMBERS]
    left = [column for column in numbers if material.mostly(column.name, _numbers_rows)]
    coded = [column for column in numbers if column not in left and _coded(column, facts.rows)]
    measures = [column for column in numbers if column not in [*left, *coded] and column.distinct != 1]
    texts = [column for column in facts.columns if column.kind in {"text", "boolean"}]
    most = min(MOST_GROUPS, max(2, facts.rows // 5))
    groups = [*(column for column in texts if 2 <= (column.distinct or 0) <= most), *coded]
    groups.sort(key=lambda column: column.name != material.part)
    things = [column for column in texts if column not in groups and _names_things(column, facts.rows)]
    things.sort(key=lambda column: column.distinct == facts.rows)
    possible = _wanted(measures, wanted)
    first = sorted(possible, key=lambda column: aggregate_for(column) != "sum")[:MEASURES]
    chosen = [column for column in possible if column in first]
    return Subject(
        material=material,
        variable=names.fresh(slug(facts.name), "table", otherwise="table"),
        measures=tuple(column.name for column in chosen),
        sums=tuple(column.name for column in chosen if adds_up_in(column, facts) and not _maybe_rate(column)),
        groups=tuple(column.name for column in _wanted(groups, wanted)[:GROUPS]),
        things=tuple(column.name for column in _wanted(things, wanted)[:1]),
        left=tuple(column.name for column in left),
        crowded=tuple(column.name for column in possible if column not in first),
        date=next((column.name for column in facts.columns if column.kind in _DATES and column.distinct != 1), None),
        year=next(
            (column.name for column in left if _bare(column.name) in _YEARS and (column.distinct or 0) > 1), None
        ),
        wanted=frozenset(wanted),
        lookups=found,
    )


def _wanted(columns: list[ColumnFacts], wanted: Collection[str]) -> list[ColumnFacts]:
    return [column for column in columns if column.name in wanted] or columns


def _coded(column: ColumnFacts, rows: int) -> bool:
    """Return whether three or four whole numbers stand for kinds of rows: a class, an origin."""
    return column.kind == "integer" and 3 <= (column.distinct or 0) <= 4 and rows >= 2 * LEAST_ROWS


def _maybe_rate(column: ColumnFacts) -> bool:
    """Return whether a column that seems to add up may hold rates: broken numbers up to a hundred whose name does not
    end in what adds up (`income poverty`, `Total 2019`)."""
    small = isinstance(column.maximum, int | float) and column.maximum <= 100
    last = slug(column.name).rpartition("_")[2]
    return column.kind == "number" and small and bool(last) and aggregate_for(replace(column, name=last)) != "sum"


def _names_things(column: ColumnFacts, rows: int) -> bool:
    """Return whether a column's texts name things that are worth ranking: many, but not a code per row."""
    if not 2 < (column.distinct or 0) <= 2000:
        return False
    coded = all(any(char.isdigit() for char in str(sample)) for sample in column.samples)
    return not (coded and column.distinct == rows)


def _is_day(value: Cell) -> bool:
    """Return whether a whole number reads as a day or month in digits: 20240131, 202401."""
    digits = str(value)
    if not isinstance(value, int) or len(digits) not in {6, 8}:
        return False
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:] or 1)
    return 1800 <= year <= 2100 and 1 <= month <= 12 and 1 <= day <= 31


def _bare(name: str) -> str:
    return name.lower().strip()


def _numbers_rows(column: ColumnFacts, rows: int) -> bool:
    """Return whether a column of numbers numbers, dates or places the rows: no sum or mean of it means anything."""
    if identifying(column.name, column.minimum, column.maximum) or _bare(column.name) in _PLACES | _YEARS:
        return True
    last = slug(column.name).rpartition("_")[2]
    named = (last in _KEYS or _bare(column.name).endswith(_KEY_ENDINGS)) and aggregate_for(column) is None
    if column.kind != "integer" or not isinstance(column.minimum, int) or not isinstance(column.maximum, int):
        return False
    if last in _LABELS or (_is_day(column.minimum) and _is_day(column.maximum)):
        return True
    distinct, span = column.distinct or 0, column.maximum - column.minimum + 1
    nearly_single = distinct > 2 and distinct >= _SINGLE * rows
    return (nearly_single and (distinct >= _DENSE * span or named)) or (
        named and len(str(column.maximum)) >= _CODE_DIGITS
    )
