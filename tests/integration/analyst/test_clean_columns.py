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
    assert [["Harbour", 40], ["Old Town", 15]] in stalls.shown("total Sold by Market")
    assert [["Harbour", 5], ["Old Town", 3]] in stalls.shown("各Market有多少行？")


@pytest.mark.parametrize("said", ["Harbour", "harbour"])
def test_a_filter_finds_every_spelling(stalls: Asked, said: str) -> None:
    assert [[5]] in stalls.shown(f"How many rows are in {said}?")


def test_spellings_count_as_one_among_different_values(stalls: Asked) -> None:
    assert [[2]] in stalls.shown("How many different markets are there?")


def test_marks_among_numbers_are_left_out_of_what_is_computed(stalls: Asked) -> None:
    assert [[9.17]] in stalls.shown("What is the average Sold?")
    assert [[12]] in stalls.shown("the highest Sold")


def test_a_mark_can_be_asked_for_by_its_name(stalls: Asked) -> None:
    assert [[2]] in stalls.shown("How many rows have Sold closed?")


def test_numbers_with_and_without_a_currency_are_added_up(stalls: Asked) -> None:
    assert [[1681]] in stalls.shown("total Takings")


def test_dates_in_several_notations_are_one_calendar(stalls: Asked) -> None:
    assert [[2]] in stalls.shown("How many rows were opened in February?")
    assert [[111]] in stalls.shown("total Takings opened after 2024-03-01")


def test_dates_that_leave_day_and_month_open_are_not_read(interpreter: Interpreter, tmp_path: Path) -> None:
    text = "Item,Bought\n" + "".join(f"i{day},{day}/13/2024\nj{day},{day + 12}/1/2024\n" for day in range(1, 9))
    asked = Asked(interpreter, tmp_path / "items.csv", text)
    assert asked.answer("How many items were bought in January?") is None


REGIONS = """area,shop,sold,fee
north,a,10,1.5
north,b,27,2.25
Subtotal,,37,3.75
south,c,31,7.5
south,d,14,
Subtotal,,45,7.5
Total,,82,11.25
"""
SUPPLIERS = """supplier,country,orders,spend
Shell,UK,14,1200.5
Total,FR,9,800.25
BP,UK,11,940.75
Eni,IT,3,120.5
"""


def test_rows_that_sum_others_are_not_added_up_again(interpreter: Interpreter, tmp_path: Path) -> None:
    asked = Asked(interpreter, tmp_path / "regions.csv", REGIONS)
    assert [["north", 37], ["south", 45]] in asked.shown("total sold by area")
    assert [[4]] in asked.shown("How many shops are there?")
    assert [[31]] in asked.shown("the highest sold")


def test_a_row_that_is_only_called_total_is_counted_like_any_other(interpreter: Interpreter, tmp_path: Path) -> None:
    asked = Asked(interpreter, tmp_path / "suppliers.csv", SUPPLIERS)
    assert [[3062]] in asked.shown("total spend")
    assert [[3]] in asked.shown("How many suppliers have more than 5 orders?")


def test_a_letter_counts_as_the_value_that_it_stands_for(interpreter: Interpreter, tmp_path: Path) -> None:
    text = "Job,Urgent,Hours\na,Yes,3\nb,No,4\nc,Y,5\nd,n,6\ne,yes,7\nf,N,1\ng,Yes,2\n"
    asked = Asked(interpreter, tmp_path / "jobs.csv", text)
    assert [["No", 11], ["Yes", 17]] in asked.shown("total Hours by Urgent")
    assert [[2]] in asked.shown("How many different values does Urgent have?")


def test_numbers_with_one_unit_in_several_ways_are_added_up(interpreter: Interpreter, tmp_path: Path) -> None:
    trips = "trip,driver,fee,distance\n" + "".join(
        f'{at},{"AB"[at % 2]},"{fee}",{distance}\n'
        for at, (fee, distance) in enumerate(
            [
                ("¥2,550", "204 KM"),
                ("1840元", "363公里"),
                ("1560", "12"),
                ("¥30", "8km"),
                ("10 元", "9 km"),
                ("20", "4"),
            ]
        )
    )
    asked = Asked(interpreter, tmp_path / "trips.csv", trips)
    assert [["A", 4120], ["B", 1890]] in [sorted(rows) for rows in asked.shown("total fee per driver")]
    assert [[600]] in asked.shown("total distance")


MARKET = """Day,Stall,Kilos
2025-9-1,A,10
9月2日 周二,B,20
2025-9-28,A,40
9/30,B,80
10月3日,A,160
2025/10/4,B,320
Oct 5,A,640
"""


def test_dates_without_a_year_are_those_of_the_year_of_the_others(interpreter: Interpreter, tmp_path: Path) -> None:
    market = Asked(interpreter, tmp_path / "market.csv", MARKET)
    assert [[150]] in market.shown("total Kilos in September 2025")
    assert [[960]] in market.shown("total Kilos after 2025-10-03")
    assert [[150], [1120]] in [[row[1:] for row in rows] for rows in market.shown("total Kilos by month")]


CALLS = """Caller,Team,Length,Age
Ann,A,1h 35m,18m
Bob,B,95 min,4y
Cid,A,2h,2岁
Dee,B,45分钟,8个月
Eve,A,0:45,1y 6m
Fay,B,tbd,3y
"""


def test_spans_in_several_units_are_added_up_in_one(interpreter: Interpreter, tmp_path: Path) -> None:
    calls = Asked(interpreter, tmp_path / "calls.csv", CALLS)
    assert [[400]] in calls.shown("total Length")
    assert [["A", 260], ["B", 140]] in calls.shown("total Length by Team")
    assert [[120]] in calls.shown("the highest Length")
    assert [[2.11]] in calls.shown("average Age")


TAKINGS = """年份,季度,金额
2023,一,3
,二,4
2024,一,5
,二,1
,三,2
2025,一,8
,二,9
"""


def test_what_a_block_of_rows_says_once_holds_for_all_of_them(interpreter: Interpreter, tmp_path: Path) -> None:
    takings = Asked(interpreter, tmp_path / "takings.csv", TAKINGS)
    assert [["2023", 7], ["2024", 8], ["2025", 17]] in [
        [[str(year), amount] for year, amount in rows] for rows in takings.shown("每个年份的金额合计")
    ]
    assert [[8]] in takings.shown("2024年的金额合计")


DRAFTS = """Draft,Team,Words,Mileage
a,A,1.8万,5.3万公里
b,B,7173,154000
c,A,"2,100",14.5万公里
d,B,22000,12.5万公里
e,A,4.56万,84000
"""


def test_numbers_with_a_word_for_a_power_of_ten_are_added_up_in_full(interpreter: Interpreter, tmp_path: Path) -> None:
    drafts = Asked(interpreter, tmp_path / "drafts.csv", DRAFTS)
    assert [["A", 65700], ["B", 29173]] in [sorted(rows) for rows in drafts.shown("total Words per Team")]
    assert [[3]] in drafts.shown("How many drafts have more than 10000 words?")
    assert [[154000]] in drafts.shown("the highest Mileage")
    assert [[561000]] in drafts.shown("total Mileage")
