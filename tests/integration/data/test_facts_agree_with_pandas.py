"""What the facts of a table say is what pandas holds once the table is loaded by the code written from them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlsxwriter
from tests.support.patience import PATIENCE_S

from tablewright.data.files.profiler import profile_file
from tablewright.domain.cleaning import clean_facts
from tablewright.domain.dataset import ColumnFacts, DatasetFacts
from tablewright.domain.loading import date_expression, load_lines, number_expression

PYTHON = Path(sys.prefix).parent / ".venv-sandbox" / "bin" / "python"

pytestmark = pytest.mark.skipif(not PYTHON.exists(), reason="no sandbox environment: make setup")

TEXTS: dict[str, tuple[str, str]] = {
    "plain.csv": ("id,name,v\n1,a,2.5\n2,b,\n", "utf-8"),
    "marked.csv": ("id,name\n1,甲\n2,乙\n", "utf-8-sig"),
    "chinese.csv": ('地区,金额\n华东地区,"1,200"\n华北地区,"-3,400.5"\n', "gb18030"),
    "wide.csv": ("id\tname\n1\t甲\n2\t乙\n", "utf-16"),
    "semicolons.csv": ("a;b\n1,5;x\n-2,25;y\n", "utf-8"),
    "grouped.csv": ("a;b\n1.234,5;x\n2,25;y\n", "utf-8"),
    "titles.csv": ("Report,,\n\nunit: t,,\nname,sold,price\na,10,1.5\nb,20,2.5\nTotal,30,4\nSource: us,,\n", "utf-8"),
    "subtotals.csv": (
        (
            "area,shop,sold,fee\nn,a,10,1.5\nn,b,27,2.25\nSubtotal,,37,3.75\n\n,,,\n"
            "s,c,31,7.5\ns,d,14,\nSubtotal,,45,7.5\nTotal,,82,11.25\n"
        ),
        "utf-8",
    ),
    "above.csv": ("shop,sold,staff\nAll,182,\na,110,4\nb,41,2\nc,31,9\n", "utf-8"),
    "headless.csv": ("\n1,2.5,a\n2,3.5,b\n3,4.5,a\n", "utf-8"),
    "names.csv": (" a ,a,,b\n1,2,3,4\n5,6,7,8\n", "utf-8"),
    "zeros.csv": (" zip,n\n01234,1\n05678,2\n", "utf-8"),
    "dashes.csv": ("n, p\n1,12%\n-,3.5%\n3,—\n", "utf-8"),
    "ragged.csv": ("a,b\n1,2\n3,4,5\n6\n7,8\n", "utf-8"),
    "trailing.csv": ("a,b\n1,2,\n3,4,\n5,6,\n", "utf-8"),
    "rownames.csv": ("h,w\nann,170,60\nbob,180,70\n", "utf-8"),
    "blank-rows.csv": ("a,b\n1,2\n,\n3,4\n\n5,6\n", "utf-8"),
    "escaped.csv": ('id,title\n1,"say \\"hi\\" now"\n2,"plain, too"\n', "utf-8"),
    "inches.csv": ('size;item\n5";screen\n7";half\n10";panel\n', "utf-8"),
    "lines.csv": ('id,text\n1,"a\nb"\n2,"c"\n', "utf-8"),
    "blanks.txt": ("id    name     v\n1     alpha    3.5\n2     beta     4\n", "utf-8"),
    "groups.csv": (",2023,,2024,\nregion,in,out,in,out\nn,1,2,3,4\ns,5,6,7,8\n", "utf-8"),
    "money.csv": ('a,b,c\n$1.50,12 km,(3)\n-$2,7 km,"4,000"\n', "utf-8"),
    "dates.csv": (
        (
            "a,b,c,d\n2021年2月,20210203,13/02/2021,2021-02-03T10:00:00Z\n2021年12月,20211231,01/03/2021,"
            "2021-02-04T11:30:00Z\n"
        ),
        "utf-8",
    ),
    "pointed.csv": ("n,born\n1,1980.05\n2,1990.10\n3,1990.02\n4,\n5,1978.04\n6,1987.12\n", "utf-8"),
    "broken.csv": ("名,n\n" + "甲乙丙,1\n" * 30, "utf-8"),
    "months.csv": ("when,n\nJan 2021,1\nFeb 2021,-\nMar 2021,3\n", "utf-8"),
    "records.json": ('[{"b": {"c": 1, "d": {"e": "x"}}, "a": "1,200"}, {"a": "7", "b": {"c": null}}]', "utf-8"),
    "nested.json": ('{"data": {"items": [{"id": "007"}, {"id": "008"}]}, "n": 1}', "utf-8"),
    "lines.jsonl": ('{"a": 1, "t": "2021-01-01 10:00"}\n{"a": 2, "t": "2021-01-02 10:00"}\n', "utf-8"),
    "columns.json": ('{"a": [1, 2], " b ": ["x", "y"]}', "utf-8"),
}


def described(facts: DatasetFacts) -> dict[str, Any]:
    """Load `facts.path` in the sandbox's interpreter."""
    expressions = {column.name: expression(column, facts.read.decimal) for column in facts.columns}
    job = json.dumps({"lines": load_lines(facts), "expressions": expressions})
    script = str(Path(__file__).with_name("load_with_pandas.py"))
    ran = subprocess.run(
        [str(PYTHON), script], input=job, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert ran.returncode == 0, f"{load_lines(facts)}\n{ran.stderr[-2000:]}"
    said: dict[str, Any] = json.loads(ran.stdout)
    return said


def expression(column: ColumnFacts, decimal: str | None) -> str:
    if column.kind in {"number", "integer"}:
        return number_expression("s", column, decimal=decimal)
    return date_expression("s", column) if column.kind in {"date", "datetime"} else "s"


def assert_agreement(path: Path) -> None:
    profile = profile_file(path, path.name)
    for dataset in profile.datasets:
        assert_agreeing(replace(dataset.facts, path=str(path)))


def assert_cleaned_agreement(path: Path) -> None:
    profile = profile_file(path, path.name)
    for dataset in profile.datasets:
        facts = clean_facts(replace(dataset.facts, path=str(path)))
        assert {column.kind for column in facts.columns} <= {"number", "integer", "date", "datetime"}
        assert_agreeing(facts)


def assert_agreeing(facts: DatasetFacts) -> None:
    said = described(facts)
    assert (said["rows"], said["names"]) == (facts.rows, [column.name for column in facts.columns])
    for column in facts.columns:
        found = said["columns"][column.name]
        known = found["distinct"] if column.distinct is None else column.distinct
        assert (found["missing"], found["distinct"]) == (column.missing, known), column
        if column.kind in {"number", "integer"} and column.distinct:
            assert found["ends"] == pytest.approx([column.minimum, column.maximum, column.mean]), column
        elif column.kind in {"date", "datetime"}:
            ends = [str(end)[: len(str(column.minimum))] for end in found["ends"][:2]]
            assert ends == [column.minimum, column.maximum], column


@pytest.mark.requirement("data-facts-agree-with-pandas")
@pytest.mark.parametrize("name", TEXTS)
def test_text_files(tmp_path: Path, name: str) -> None:
    content, encoding = TEXTS[name]
    data = content.encode(encoding)
    (tmp_path / name).write_bytes(data + b"\xff\xfe,2\n" if name == "broken.csv" else data)
    assert_agreement(tmp_path / name)


LED = {
    "days.csv": "Day,Kind,Count\n1 May,adult,3\n,child,4\n2 May,adult,5\n,child,1\n,dog,2\n3 May,adult,8\n,child,9\n",
    "years.csv": "年,季度,额\n2023,1,3\n,2,4\n\n2024,1,5\n,2,1\n,3,2\n2025,1,8\n,2,9\n合计,,32\n",
    "codes.csv": "店号;类别;额\n007;饮料;1,5\n;零食;2,5\n008;饮料;3,5\n;零食;4,5\n012;饮料;1,5\n;零食;3,5\n;百货;1,0\n",
}


@pytest.mark.parametrize("name", LED)
def test_text_files_whose_first_column_names_each_block_once(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(LED[name], encoding="utf-8")
    facts = profile_file(tmp_path / name, name).datasets[0].facts
    assert (facts.read.fill_down, facts.columns[0].missing) == ((facts.columns[0].name,), 0)
    assert_agreement(tmp_path / name)


HEADED = {
    "hire.csv": (
        "Hall\n\nDate,Hirer,Room,Hours\nAPRIL,,,\n2025-04-01,choir,hall,2\n2025-04-02,yoga,hall,3\nApril total,,,5\n"
        ",,,\nMAY,,,\n2025-05-01,choir,hall,4\n2025-05-03,yoga,barn,1\nMay total,,,5\n,,,\nHours as written,,,\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HEADED)
def test_text_files_with_rows_that_only_head_others(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(HEADED[name], encoding="utf-8")
    facts = profile_file(tmp_path / name, name).datasets[0].facts
    assert (facts.rows, len(facts.read.headings)) == (4, 2)
    assert_agreement(tmp_path / name)


def test_workbooks_with_rows_that_only_head_others(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["Date", "Hirer", "Room", "Hours"], ["APRIL"], ["2025-04-01", "choir", "hall", 2],
        ["2025-04-02", "yoga", "hall", 3], ["MAY"], ["2025-05-01", "choir", "hall", 4],
        ["2025-05-03", "yoga", "barn", 1],
    ]  # fmt: skip
    with xlsxwriter.Workbook(tmp_path / "hire.xlsx") as book:
        sheet = book.add_worksheet()
        for at, row in enumerate(rows):
            sheet.write_row(at, 0, row)
    facts = profile_file(tmp_path / "hire.xlsx", "hire.xlsx").datasets[0].facts
    assert (facts.rows, facts.read.headings) == (4, (0, 3))
    assert_agreement(tmp_path / "hire.xlsx")


CLEANED = {
    "years.csv": "a,b\n2025-9-1,1/9/2025\n9月2日,17/9/2025\n2025/9/3,30/9/2025\nSep 4,5/10\n,8-Oct\n",
    "powers.csv": (
        'a,b,c,d\n1.8万,5.3万公里,£36k,-2.5k\n7173,154000,"£2,400",−800\n"2,100",14.5万 公里,36000,1200\n'
        "4.56 万,12.5万公里,£1.5k,nil\n,84000,£0.07m,3 k\n"
    ),
    "weekdays.csv": "a,b\n2025-09-16,Wed 17 Sep 2025\nWed 17 Sep 2025,Thu 18 Sep 2025\nFri 19 Sep,2025-09-19\n",
    "weekday-names.csv": (
        "a,b\n2025-09-16,2025-9-17 周三\n2025年9月17日（星期三）,9月18日 周四\n2025-09-18,2025-9-19周五\n"
    ),
    "spans.csv": (
        "Length,Age,Time (mm:ss),时长,Call length,Duration (min)\n"
        "1h 35m,18m,12:30,1小时30分,45:10,45\n95 min,4y,3:05,45分钟,1:02:33,1h 30m\n2h,2岁,0:45,2小时,12:00,60\n"
        "45分钟,8个月,,1.5小时,9:59,\n0:45,1y 6m,60:00,待定,0:30,20 mins.\n0,3w,4:00,0,1:00,30\n"
    ),
    "swapped.csv": "a;b\n1,8万;1,5\n7.173;2,5\n2.100,5;3,5\n",
}


@pytest.mark.parametrize("name", CLEANED)
def test_text_files_that_are_cleaned(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(CLEANED[name], encoding="utf-8")
    assert_cleaned_agreement(tmp_path / name)


def report(sheet: Any, dated: Any) -> None:
    sheet.merge_range(0, 1, 0, 4, "Report")
    sheet.merge_range(2, 1, 3, 1, "区域")
    sheet.merge_range(2, 2, 2, 3, "销售")
    sheet.write(2, 4, "日期")
    sheet.write_row(3, 2, ["数量", "金额"])
    sheet.merge_range(4, 1, 5, 1, "东")
    sheet.merge_range(7, 1, 8, 1, "西")
    for number, row in enumerate((4, 5, 7, 8)):
        sheet.write_row(row, 2, [number + 1, f"¥{number + 1:,}000"])
        sheet.write_datetime(row, 4, date(2021, 2, 3 + number), dated)
    sheet.write_row(9, 1, ["合计", 10])


def subtotals(sheet: Any, dated: Any) -> None:
    sheet.write_row(1, 1, ["area", "day", "sold", "staff"])
    for number in range(6):
        row = 2 + number + number // 3
        sheet.write_row(row, 1, ["n" if number < 3 else "s"])
        sheet.write_datetime(row, 2, date(2024, 1, 1 + number), dated)
        sheet.write_row(row, 3, [100 + 17 * number, 3 + number])
    sheet.write_row(5, 1, ["Subtotal", None, 351, None])
    sheet.write_row(9, 1, ["Subtotal", None, 504, None])
    sheet.write_row(10, 1, ["Total", None, 855, None])


def monthly(sheet: Any, dated: Any) -> None:
    sheet.write_row(0, 0, ["日期", "品名", "金额"])
    row, total = 1, 0
    for month in (7, 8, 9):
        for day in range(1, 7):
            sheet.write_datetime(row, 0, date(2025, month, day), dated)
            sheet.write_row(row, 1, ["ab"[day % 2], 100 * month + 13 * day])
            row += 1
        sheet.write_row(row, 0, [f"{month}月小计", None, 600 * month + 273])
        total += 600 * month + 273
        row += 1
    sheet.write_row(row, 0, ["总计", None, total])


def covered(sheet: Any, _dated: Any) -> None:
    sheet.write_row(0, 0, ["area", "shop", "sold"])
    for number in range(7):
        sheet.write_row(1 + number, 1, [f"shop {number}", 10 + number])
    sheet.merge_range(1, 0, 3, 0, "north")
    sheet.merge_range(5, 0, 6, 0, "south")


def neighbours(sheet: Any, _dated: Any) -> None:
    for left in (0, 4):
        sheet.write_row(3, left, ["id", "code", "v"])
        for number in range(3 + left):
            sheet.write_row(4 + number, left, [number, f"00{number}5", number * 1.5])


def mixed(sheet: Any, _dated: Any) -> None:
    sheet.write_row(0, 0, ["n", 2021, "", "空"])
    for number, row in enumerate([["1,234", 1, "-"], [5, 2.5, 7], ["6", "无", 8]]):
        sheet.write_row(1 + number, 0, row)


def spaced(sheet: Any, _dated: Any) -> None:
    sheet.write_row(0, 0, ["id", "name", None, "v"])
    for number in (1, 2, 4, 5):
        sheet.write_row(number, 0, [number, f"n{number}", None, number * 2])


@pytest.mark.parametrize("write", [report, subtotals, monthly, covered, neighbours, mixed, spaced])
def test_workbooks(tmp_path: Path, write: Callable[[Any, Any], None]) -> None:
    path = tmp_path / "b.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        write(book.add_worksheet("表 1"), book.add_format({"num_format": "yyyy-mm-dd"}))
    assert_agreement(path)


def unfinished(sheet: Any, dated: Any) -> None:
    sheet.write_row(0, 0, ["in", "out"])
    for row, (first, last) in enumerate([(1, 3), (4, 6), (8, 9), (20, 21)], start=1):
        sheet.write_datetime(row, 0, date(2025, 7, first), dated)
        sheet.write_datetime(row, 1, date(2025, 7, last), dated)
    sheet.write_row(5, 0, ["7.16", "7月20日"])
    sheet.write_row(6, 0, ["Wed 9 Jul 2025", "2025.7.31"])


def shortened(sheet: Any, _dated: Any) -> None:
    sheet.write_row(0, 0, ["a", "b"])
    for row, cells in enumerate(
        [[7173, "1.2亿元"], ["1.8万", "3500万元"], [2100.5, 9000000], ["3万", "8千万元"]], start=1
    ):
        sheet.write_row(row, 0, cells)


@pytest.mark.parametrize("write", [unfinished, shortened])
def test_workbooks_that_are_cleaned(tmp_path: Path, write: Callable[[Any, Any], None]) -> None:
    path = tmp_path / "b.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        write(book.add_worksheet("表 1"), book.add_format({"num_format": "yyyy-mm-dd"}))
    assert_cleaned_agreement(path)


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    columns = {
        "n": [1, None, 3],
        "s": ["1,200", "7", None],
        "d": [date(2021, 1, 1), None, date(2021, 1, 3)],
        " x ": [1.5, 2, 3],
    }
    pl.DataFrame(columns, strict=False).write_parquet(path)
    assert_agreement(path)
