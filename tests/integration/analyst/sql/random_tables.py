"""Two small tables with random rows: missing values, ties, negative numbers, texts in several scripts, dates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from tablewright.analyst.plan import Relation, TimeUnit

Kind = str
Columns = tuple[tuple[str, Kind], ...]
Row = tuple[Any, ...]
Draw = Callable[[st.SearchStrategy[Any]], Any]

SALES: Columns = (
    ("id", "integer"),
    ("region", "text"),
    ("label", "text"),
    ("units", "integer"),
    ("price", "number"),
    ("cost", "number"),
    ("day", "date"),
    ("moment", "datetime"),
    ("done", "boolean"),
)
STAFF: Columns = (("id", "integer"), ("region", "text"), ("bonus", "integer"), ("since", "date"))
SALES_TYPES = (
    "integer", "text", "text", "integer", "double precision", "numeric(10,2)", "date", "timestamp", "boolean",
)  # fmt: skip
STAFF_TYPES = ("integer", "text", "integer", "date")
TEXTS = ("north", "North ", "SOUTH", "a b", "北京", "Ünï", "", "100%", "it's", "x\\y")
WORDS = ("north", "south", "a", "北", "%", "it's", "NORTH", "\\", "b")
FIRST = date(2023, 12, 28)
UNITS: tuple[TimeUnit, ...] = (
    "year", "quarter", "month", "week", "day", "hour", "weekday", "month_of_year", "day_of_month", "year_month_day",
)  # fmt: skip
NUMERIC = ("sum", "mean", "median", "min", "max", "std", "var", "range", "quantile", "count", "count_distinct")
ANY = ("count", "count_distinct", "missing", "missing_percent")


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return values that are sometimes missing."""
    return st.one_of(values, values, st.none())


def days() -> st.SearchStrategy[date]:
    return st.integers(0, 400).map(lambda number: FIRST + timedelta(days=number))


def moments() -> st.SearchStrategy[datetime]:
    first = datetime(2023, 12, 28)  # noqa: DTZ001  # a table's moments have no zone
    return st.integers(0, 400 * 24 * 60).map(lambda number: first + timedelta(minutes=number))


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "region": st.sampled_from(TEXTS[:6]),
    "label": st.sampled_from(TEXTS),
    "units": st.integers(-3, 4),
    "price": st.sampled_from((-2.5, 0.0, 0.1, 1.5, 7.0, 1e6)),
    "cost": st.sampled_from((-1.25, 0.0, 3.0, 3.1, 99.99)),
    "day": days(),
    "moment": moments(),
    "done": st.booleans(),
    "bonus": st.integers(-2, 3),
    "since": days(),
}


@st.composite
def tables(draw: Draw, columns: Columns, most: int = 9) -> tuple[Row, ...]:
    """Draw the rows of a table; their ids are unlike, and ascend."""
    count = draw(st.integers(1, most))
    rows = [(place * 3 + 1, *(draw(maybe(VALUES[name])) for name, _ in columns[1:])) for place in range(count)]
    filled = (1, *(draw(VALUES[name]) for name, _ in columns[1:]))
    return (filled, *rows[1:])


@dataclass(frozen=True)
class Drawn:
    """A relation and its columns."""

    relation: Relation
    columns: Columns

    def of(self, *kinds: Kind) -> list[str]:
        return [name for name, kind in self.columns if kind in kinds]
