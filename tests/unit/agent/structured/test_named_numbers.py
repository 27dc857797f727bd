"""Digits in names of tables and columns are no figures of a report."""

from __future__ import annotations

import re

import pytest
from tests.support.model_requests import sales

from tablewright.agent.structured.named_numbers import outside_names
from tablewright.domain.answer import NumberSource
from tablewright.domain.dataset import ColumnFacts

FACTS = sales(
    name="Jan 2025",
    columns=(
        ColumnFacts(name="管理满意度(1-5)", kind="integer"),
        ColumnFacts(name="Q1 [kg]", kind="number"),
        ColumnFacts(name="2024", kind="number"),
    ),
)


@pytest.mark.parametrize(
    ("report", "kept"),
    [
        ("管理满意度(1-5)的均值是 2.4", ["2.4"]),
        ("In Jan 2025 there are 7 rows", ["7"]),
        (r"Q1 \[kg\] adds up to 31", ["31"]),
        ("2024 of 3,000", ["2024", "3,000"]),
        ("Jan 20256", ["20256"]),
    ],
)
def test_a_name_holds_no_figures(report: str, kept: list[str]) -> None:
    numbers = [NumberSource(value=0, start=at.start(), end=at.end()) for at in re.finditer(r"\d[\d,.]*", report)]
    found = outside_names(report, numbers, (FACTS,))
    assert [report[one.start : one.end] for one in found] == kept
