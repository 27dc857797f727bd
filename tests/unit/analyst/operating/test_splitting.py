"""A wish is split into what is done one after another."""

from __future__ import annotations

import pytest

from tablewright.analyst.operating.splitting import clauses


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("put the sum of Jan in H1 and the mean of Feb in H2", ["put the sum of Jan in H1", "put the mean of Feb in H2"]),
        ("在B3填“张三”，C3填“财务”", ["在B3填“张三”", "在C3填“财务”"]),
        ("count the people per team and put it on a sheet called Teams", ["count the people per team and put it on a sheet called Teams"]),
        ("把数量列的列宽设为12，行高全部设为20", ["把数量列的列宽设为12", "行高全部设为20"]),
        ("sort by date then amount descending", ["sort by date then amount descending"]),
    ],
)  # fmt: skip
def test_every_cell_that_is_written_has_a_part_of_its_own(text: str, parts: list[str]) -> None:
    assert clauses(text) == parts
