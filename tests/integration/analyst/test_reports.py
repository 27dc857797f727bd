"""Reports on tables made with a known effect, or with none; benchmarks/reports.py does it for hundreds."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Literal

import pytest
from benchmarks.report_nulls import null_tables
from benchmarks.report_parts import Maker, ledger
from benchmarks.report_rounds import Worker, reported
from benchmarks.report_tables import effect_tables
from benchmarks.reports import measure
from openpyxl import load_workbook
from xlsxwriter import Workbook

SEED = 77


@pytest.fixture
def worker() -> Iterator[Worker]:
    running = Worker()
    yield running
    running.close()


async def test_a_total_that_is_price_times_quantity_is_arithmetic_and_no_finding(
    tmp_path: Path, worker: Worker
) -> None:
    table = ledger(Maker(rng=random.Random(5), language="en"), 200, dated=False)
    *_, price, _, count = table.columns
    pairs = list(zip(table.columns[price], table.columns[count], strict=True))
    table.columns["paid"] = [round(float(one) * float(other), 2) for one, other in pairs]
    path = tmp_path / "orders.csv"
    path.write_text(table.csv(), encoding="utf-8")
    told = await reported(path, "en", worker)
    assert told.failures == []
    assert f"paid = {price} × {count}" in told.report
    assert "Relation" not in told.report


async def test_values_that_miss_their_product_by_a_power_of_ten_are_in_another_unit(
    tmp_path: Path, worker: Worker
) -> None:
    rng = random.Random(6)
    goods = [(rng.choice([2.8, 14.0, 68.0]), rng.randint(5, 60)) for _ in range(1200)]
    paid = [round(price * count * (100 if place in {40, 700, 1100, 1150} else 1), 2) for place, (price, count) in
            enumerate(goods)]  # fmt: skip
    rows = [f"{price},{count},{sum_}\n" for (price, count), sum_ in zip(goods, paid, strict=True)]
    path = tmp_path / "goods.csv"
    path.write_text("price,count,paid\n" + "".join(rows), "utf-8")
    told = await reported(path, "en", worker)
    assert told.failures == []
    assert "in 4 of 1,200 rows checked it does not hold. In 4 of these rows paid is 100 times that" in told.report
    assert "Values of paid in a suspicious unit are left out of all other figures." in told.report


@pytest.mark.parametrize("rates", [(0.04, 0.05, 0.17), (0.08, 0.08, 0.08)])
async def test_how_often_something_is_so_is_compared_between_groups(
    rates: tuple[float, ...], tmp_path: Path, worker: Worker
) -> None:
    rng = random.Random(12)
    floors = [rng.randrange(3) for _ in range(900)]
    rows = [f"F{floor},{'yes' if rng.random() < rates[floor] else 'no'},{rng.randint(60, 99)}\n" for floor in floors]
    path = tmp_path / "falls.csv"
    path.write_text("floor,fell,age\n" + "".join(rows), "utf-8")
    told = await reported(path, "en", worker)
    assert told.failures == []
    said = re.search(r'"fell" is yes in 1\d% of the rows where "floor" is F2, and in \d\.\d% of the other', told.report)
    assert bool(said) == (rates[2] > rates[0])
    assert "average fell" not in told.report


@pytest.mark.parametrize("times", [3.0, 1.0])
async def test_groups_that_stand_in_another_table_are_looked_up(times: float, tmp_path: Path, worker: Worker) -> None:
    """Customers have levels of their own, so that their orders are alike: that alone is no difference."""
    rng = random.Random(21)
    customers = [(f"K{place:03}", rng.choice(["SMB", "Public", "Large"])) for place in range(90)]
    levels = {key: rng.lognormvariate(5, 0.6) * (times if kind == "Large" else 1) for key, kind in customers}
    book = Workbook(tmp_path / "shop.xlsx")
    for name, rows in (
        ("customers", [("customer", "segment"), *customers]),
        ("orders", [("order", "customer", "paid"), *((10_000 + place, key, levels[key] * rng.lognormvariate(0, 0.2))
            for place in range(600) if (key := rng.choice(customers)[0]))]),
    ):  # fmt: skip
        sheet = book.add_worksheet(name)
        for place, row in enumerate(rows):
            sheet.write_row(place, 0, row)
    book.close()
    told = await reported(tmp_path / "shop.xlsx", "en", worker, max_rounds=9)
    assert told.failures == []
    said = '"paid" differs by "segment", most of all for Large'
    assert (said in told.report) == (times > 1)
    assert ('"segment" stands in customers and was looked up by "customer"' in told.report) == (times > 1)


async def test_a_totals_row_within_the_table_is_no_record(tmp_path: Path, worker: Worker) -> None:
    rows = [("Oslo", 12, 30), ("Rome", 7, 25), ("Lima", 9, 41), ("Everywhere", 28, 96), ("", "", "")]
    path = tmp_path / "cities.csv"
    path.write_text("city,visits,sales\n" + "".join(f"{a},{b},{c}\n" for a, b, c in rows[:4]), encoding="utf-8")
    told = await reported(path, "en", worker)
    assert told.failures == []
    assert "has 3 rows" in told.report


async def test_two_tables_of_a_workbook_do_not_disturb_each_other(tmp_path: Path, worker: Worker) -> None:
    path = tmp_path / "book.xlsx"
    book = Workbook(str(path))
    for seed, name in ((1, "First"), (2, "Second")):
        table = ledger(Maker(rng=random.Random(seed), language="en"), 60)
        sheet = book.add_worksheet(name)
        sheet.write_row(0, 0, [f"{column} {seed}" for column in table.columns])
        for place, cells in enumerate(table.columns.values()):
            sheet.write_column(1, place, cells)
    book.close()
    told = await reported(path, "en", worker)
    assert told.failures == []
    assert [len(facts.outcomes) for facts in told.task.rounds][::3] == [
        2,
        2,
    ]  # the looks; the questions and the workbook


async def test_words_among_numbers_and_two_ways_to_write_dates_are_cleaned_and_said(
    tmp_path: Path, worker: Worker
) -> None:
    first = date(2024, 1, 1)
    days = [first + timedelta(days=place) for place in range(300)]
    written = [f"{day:%Y/%m/%d}" if place % 3 else f"{day:%Y年%m月%d日}" for place, day in enumerate(days)]
    fees = ["waived" if place % 25 == 7 else str(100 + place % 7 + place // 150 * 80) for place in range(300)]
    path = tmp_path / "visits.csv"
    path.write_text("day,fee\n" + "".join(f"{day},{fee}\n" for day, fee in zip(written, fees, strict=True)), "utf-8")
    told = await reported(path, "en", worker)
    assert told.failures == []
    assert "day runs from 2024-01-01 to 2024-10-26" in told.report
    assert "Break: fee" in told.report
    assert "12 cells of fee (“waived”) are no values and are left out" in told.report
    assert "the dates of day are written in several ways (YYYY/MM/DD and YYYY年MM月DD日)" in told.report
    assert "mixed with text" not in told.report


async def test_of_a_small_wide_table_its_totals_are_told(tmp_path: Path, worker: Worker) -> None:
    months = [f"{date(2025, month, 1):%b}" for month in range(1, 13)]
    costs = {"Rent": 40, "Payroll": 210, "Energy": 25, "Travel": 9, "Marketing": 18, "Insurance": 6}
    rows = [
        f"{name},{','.join(str(base + month) for month in range(12))},{12 * base + 66}" for name, base in costs.items()
    ]
    path = tmp_path / "costs.csv"
    path.write_text("\n".join([f"Cost centre,{','.join(months)},Total", *rows]) + "\n", "utf-8")
    told = await reported(path, "en", worker)
    assert told.failures == []
    assert re.search(r'"Total" adds up to 4,092; by "Cost centre" .*: Payroll 2,586', told.report) or re.search(
        r'Of "Total", Payroll \("Cost centre"\) holds 63%', told.report
    )
    assert "fewer than 20; nothing was tested" in told.report
    assert "tests were made" not in told.report


async def test_sheets_of_one_form_are_reported_on_as_one_table(tmp_path: Path, worker: Worker) -> None:
    path = tmp_path / "months.xlsx"
    with Workbook(str(path)) as book:
        for month in range(1, 5):
            sheet = book.add_worksheet(f"{month}月")
            rows = [(f"{'东西'[place % 2]}区", 100 * month + 7 * place * place) for place in range(9)]
            for place, row in enumerate([("区域", "金额"), *rows, ("合计", sum(value for _, value in rows))]):
                sheet.write_row(place, 0, row)
    told = await reported(path, "zh", worker)
    assert told.failures == []
    assert "表 **months** 有 36 行、3 列" in told.report
    assert "“金额”合计 14,712；按“表”（4 组）领先的是 4月 5,028" in told.report
    assert "months有4行是其他行之和，未计入" in told.report
    tried = json.loads(told.task.rounds[-1].outcomes[0].text.splitlines()[-1])["questions"]
    assert sum(total for _, total in tried["各表的金额合计是多少？"]["cells"]) == 14_712


async def test_what_only_grows_is_no_running_total_unless_it_adds_up_its_steps(tmp_path: Path, worker: Worker) -> None:
    rng = random.Random(4)
    months = [f"{2020 + place // 12}-{place % 12 + 1:02}" for place in range(60)]
    sales = [round(rng.gauss(900, 150)) for _ in months]
    so_far = list(itertools.accumulate(sales))
    this_year = [sum(sales[place - place % 12 : place + 1]) for place in range(60)]
    staff = [20 + place // 3 for place in range(60)]
    rows = zip(months, sales, so_far, this_year, staff, strict=True)
    path = tmp_path / "months.csv"
    path.write_text(
        "month,sales,so far,this year,staff\n" + "".join(",".join(map(str, row)) + "\n" for row in rows), "utf-8"
    )
    told = await reported(path, "en", worker)
    assert told.failures == []
    assert "Trend: staff" in told.report
    assert "never fall over time, as running totals do; they are taken for levels" in told.report
    assert "nor taken for a trend: so far, this year." in told.report
    assert "Season" not in told.report


async def test_a_break_in_how_many_rows_there_are_is_found(tmp_path: Path, worker: Worker) -> None:
    rng = random.Random(8)
    days = [date(2024, 1, 1) + timedelta(days=place) for place in range(420)]
    visits = [day for day in days for _ in range(rng.randint(1, 3) + 3 * (day >= date(2024, 9, 2)))]
    path = tmp_path / "visits.csv"
    path.write_text("day,room\n" + "".join(f"{day},{rng.choice('ABC')}\n" for day in visits), "utf-8")
    told = await reported(path, "en", worker)
    assert told.failures == []
    assert re.search(r'### \d\. Break\n\n"rows per week" changes its level at 2024-(08-26|09-02)', told.report)


async def test_one_gross_value_does_not_make_a_column_skewed(tmp_path: Path, worker: Worker) -> None:
    rng = random.Random(74)
    weights = [round(rng.gauss(200, 20), 1) for _ in range(119)]
    path = tmp_path / "weights.csv"
    path.write_text("weight,kind\n" + "".join(f"{weight},A{weight % 3:.0f}\n" for weight in [*weights, 600.0]), "utf-8")
    told = await reported(path, "en", worker)
    assert told.failures == []
    assert "Outliers: weight" in told.report


async def test_a_table_may_be_called_like_a_variable_of_the_code(tmp_path: Path, worker: Worker) -> None:
    table = next(effect_tables(SEED, 1))
    for name in ("cut", "numbers", "steps"):
        path = tmp_path / f"{name}.csv"
        path.write_text(table.csv(), encoding="utf-8")
        told = await reported(path, table.language, worker)
        assert told.failures == []


@pytest.mark.requirement("report-questions-tried")
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_what_is_recommended_was_answered_before(
    tmp_path: Path, worker: Worker, language: Literal["zh", "en"]
) -> None:
    tables = (table for table in effect_tables(SEED, 40) if table.language == language)
    for number, table in enumerate(itertools.islice(tables, 3)):
        path = tmp_path / f"values {number}.csv"
        path.write_text(table.csv(), encoding="utf-8")
        told = await reported(path, language, worker)
        assert told.failures == []
        (trial,) = told.task.rounds[-1].outcomes
        tried = json.loads(trial.text.splitlines()[-1])["questions"]
        recommended = told.answer["action"]["recommended_questions"]
        assert 0 < len(recommended) <= 4
        assert all(tried[question]["rows"] for question in recommended)


async def test_the_workbook_of_a_report_has_a_sheet_for_each_table(tmp_path: Path, worker: Worker) -> None:
    rows = "".join(f"{('=1+1', 'Rome', 'Lima')[day % 3]},{day % 3 * 40 + day % 7}\n" for day in range(90))
    path = tmp_path / "sales.csv"
    path.write_text(f"city,sales\n{rows}", encoding="utf-8")
    told = await reported(path, "en", worker)
    assert told.failures == []
    call = next(call for facts in told.task.rounds for call in facts.answer.calls if call.tool_call_id == "tables-1")
    target = tmp_path / "made.xlsx"
    code = call.arguments["code"].replace('"report_tables.xlsx"', json.dumps(str(target)))
    assert worker.run(code, fresh=True)[1] is False
    book = load_workbook(target)
    assert len(book.sheetnames) == len(re.findall(r"^\| ---", told.report, re.MULTILINE)) > 0
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    assert any(cell.value == "=1+1" for cell in cells)
    assert all(cell.data_type != "f" for cell in cells)


async def test_output_that_comes_back_cut_is_said_and_nothing_is_invented(tmp_path: Path, worker: Worker) -> None:
    table = next(effect_tables(SEED, 1))
    path = tmp_path / "values.csv"
    path.write_text(table.csv(), encoding="utf-8")
    told = await reported(path, table.language, worker, cut=40)
    assert told.failures == []
    assert "`look-1`" in told.report
    assert "<div" not in told.report


@pytest.mark.long
async def test_planted_effects_are_found_and_chance_is_not(tmp_path: Path) -> None:
    effects = await measure((("effect", table) for table in effect_tables(SEED, 10)), tmp_path)
    nulls = await measure(null_tables(SEED, 20), tmp_path)
    assert effects.failures + nulls.failures == []
    assert sum(effects.found.values()) >= 6, effects.remarks
    assert sum(nulls.false.values()) <= 1, nulls.remarks
