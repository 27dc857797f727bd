"""Small messy tables that the tests run plans over, with the facts that describe them."""

from __future__ import annotations

from tests.integration.analyst.conftest import Bench

from tablewright.analyst.plan import Col, Compare, Lit, Measure, Named, Source
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

SALES = """region,city,amount,date,score,price,rate
East, shanghai ,10,2024-01-05,A1,"¥1,200.50",12.5%
West,Chengdu,20,2024-02-07,B22,¥30,50%
east,Nanjing,,2024-02-09,C3x,¥40,
North,Beijing,20,2024-05-01,,¥5,3%
,Beijing,0,,D4,¥6,7%
"""

S = Source(dataset_id="sales")


def sales(bench: Bench) -> DatasetFacts:
    """Orders with blanks in cells, a missing amount, a missing region, dates as text, prices and rates as written."""
    return bench.table(
        "sales",
        SALES,
        ColumnFacts(name="region", kind="text", missing=1),
        ColumnFacts(name="city", kind="text"),
        ColumnFacts(name="amount", kind="integer", missing=1, minimum=0, maximum=20),
        ColumnFacts(name="date", kind="date", notation="date_text", date_format="%Y-%m-%d", missing=1),
        ColumnFacts(name="score", kind="text", missing=1),
        ColumnFacts(name="price", kind="number", notation="currency", unit="¥", minimum=5, maximum=1200.5),
        ColumnFacts(name="rate", kind="number", notation="percent", unit="%", missing=1, minimum=3, maximum=50),
    )


def c(name: str) -> Col:
    """Return a column."""
    return Col(name=name)


def column(name: str) -> Named:
    """Return a column under its own name."""
    return Named(name=name, of=Col(name=name))


def is_(name: str, value: str | float | bool | None) -> Compare:
    """Return `name = value`."""
    return Compare(op="=", left=Col(name=name), right=Lit(value=value))


COUNT = Measure(name="n", function="count")
