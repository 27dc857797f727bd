"""Ranks within groups, executed."""

from __future__ import annotations

import pytest
from tests.integration.analyst.conftest import Bench
from tests.integration.analyst.tables import column

from tablewright.analyst.plan import Project, Source, Top
from tablewright.domain.dataset import ColumnFacts

VISITS = """name,place,day
a,north,2024-01-02
b,north,
c,north,2024-01-01
d,south,
e,,2024-01-01
f,,
"""


@pytest.mark.parametrize(("descending", "expected"), [(False, ["c"]), (True, ["a"])])
def test_missing_dates_have_no_rank_in_groups_also_beside_a_missing_key(
    bench: Bench, descending: bool, expected: list[str]
) -> None:
    visits = bench.table(
        "v",
        VISITS,
        ColumnFacts(name="name", kind="text"),
        ColumnFacts(name="place", kind="text", missing=2),
        ColumnFacts(name="day", kind="date", notation="date_text", date_format="%Y-%m-%d", missing=3),
    )
    ends = Top(source=Source(dataset_id="v"), by="day", count=1, descending=descending, within=("place",))
    rows = bench.run(Project(source=ends, columns=(column("name"),)), visits).rows
    assert [row[0] for row in rows] == expected
