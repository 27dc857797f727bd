"""Cells that are written unlike the rest of their column are cleaned before they are compared and added up."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.analyst.asking import Asked
from tests.integration.analyst.conftest import Interpreter

STALLS = """Market,Stall,Sold,Takings,Opened
Harbour,Fish,12,"¥1,200",2024-01-05
Harbour ,Fish,closed,300,05/02/2024
harbour,Bread,7,¥50,2024-03-01
Old Town,Bread,9,¥10,2024-03-02
Old Town,Fish,6,¥20,28/02/2024
old  town,Bread,closed,¥20,2024-05-09
Ｈarbour,Bread,10,¥40,2024-05-09
Harbour,Fish,11,¥41,2024-05-10
"""


@pytest.fixture
def stalls(interpreter: Interpreter, tmp_path: Path) -> Asked:
    return Asked(interpreter, tmp_path / "stalls.csv", STALLS)


def test_one_value_in_several_spellings_is_one_group(stalls: Asked) -> None:
    assert stalls.rows("total Sold by Market") == [["Harbour", 40], ["Old Town", 15]]
    assert stalls.rows("各Market有多少行？") == [["Harbour", 5], ["Old Town", 3]]


@pytest.mark.parametrize("said", ["Harbour", "harbour"])
def test_a_filter_finds_every_spelling(stalls: Asked, said: str) -> None:
    assert stalls.rows(f"How many rows are in {said}?") == [[5]]


def test_spellings_count_as_one_among_different_values(stalls: Asked) -> None:
    assert stalls.rows("How many different markets are there?") == [[2]]


def test_marks_among_numbers_are_left_out_of_what_is_computed(stalls: Asked) -> None:
    assert stalls.rows("What is the average Sold?") == [[9.17]]
    assert stalls.rows("the highest Sold") == [[12]]


def test_a_mark_can_be_asked_for_by_its_name(stalls: Asked) -> None:
    assert stalls.rows("How many rows have Sold closed?") == [[2]]


def test_numbers_with_and_without_a_currency_are_added_up(stalls: Asked) -> None:
    assert stalls.rows("total Takings") == [[1681]]


def test_dates_in_several_notations_are_one_calendar(stalls: Asked) -> None:
    assert stalls.rows("How many rows were opened in February?") == [[2]]
    assert stalls.rows("total Takings opened after 2024-03-01") == [[111]]


def test_dates_that_leave_day_and_month_open_are_not_read(interpreter: Interpreter, tmp_path: Path) -> None:
    text = "Item,Bought\n" + "".join(f"i{day},{day}/13/2024\nj{day},{day + 12}/1/2024\n" for day in range(1, 9))
    asked = Asked(interpreter, tmp_path / "items.csv", text)
    assert asked.rows("How many items were bought in January?") == "declined"
