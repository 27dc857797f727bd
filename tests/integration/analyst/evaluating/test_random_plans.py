"""Random plans, and plans over files of every kind, give the same rows in the process as through pandas."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time
from pathlib import Path

import pytest
import xlsxwriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.integration.analyst.conftest import Interpreter
from tests.integration.analyst.evaluating.agreement import agree
from tests.integration.analyst.evaluating.files import differences
from tests.integration.analyst.evaluating.random_more import plans as more_plans
from tests.integration.analyst.sql.random_plans import plans
from tests.integration.analyst.sql.random_tables import SALES, STAFF, Row, tables

from tablewright.analyst.plan import Relation

QUIET = list(HealthCheck)
FILES = {
    "money.csv": "名称,价格,比例,when\n 甲,\"¥1,200\",12%,13/02/2021\n乙 ,\"¥-3,400.5\",3.5%,01/03/2021\n甲,,—,\n",
    "days.csv": "a,b,c\n2021年2月,20210203,09:30\n2021年12月,20211231,\n2021年2月,20210203,23:59\n",
    "totals.csv": "Report,,\n\nname,sold,price\na,10,1.5\nb,20,\nTotal,30,1.5\nSource: us,,\n",
    "lines.jsonl": '{"a": 1, "t": "2021-01-01 10:00", "u": {"ok": true}}\n{"a": 2.5, "t": null}\n',
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plans")


@settings(max_examples=12, deadline=None, suppress_health_check=QUIET, derandomize=True, database=None)
@given(relation=st.one_of(plans(), more_plans()), sales=tables(SALES), staff=tables(STAFF, most=5))
def test_a_plan_gives_the_same_rows(
    relation: Relation, sales: Sequence[Row], staff: Sequence[Row], folder: Path, interpreter: Interpreter
) -> None:
    agree(relation, {"sales": sales, "staff": staff}, folder, interpreter)


@pytest.mark.long
@settings(max_examples=400, deadline=None, suppress_health_check=QUIET, derandomize=True, database=None)
@given(relation=st.one_of(plans(), more_plans()), sales=tables(SALES), staff=tables(STAFF, most=5))
def test_many_plans_give_the_same_rows(
    relation: Relation, sales: Sequence[Row], staff: Sequence[Row], folder: Path, interpreter: Interpreter
) -> None:
    agree(relation, {"sales": sales, "staff": staff}, folder, interpreter)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_as_the_loading_code_reads_it(name: str, tmp_path: Path, interpreter: Interpreter) -> None:
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    assert not differences(path, interpreter)


def test_a_workbook_is_read_as_the_loading_code_reads_it(tmp_path: Path, interpreter: Interpreter) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet, day = book.add_worksheet("S"), book.add_format({"num_format": "yyyy-mm-dd"})
        clock = book.add_format({"num_format": "hh:mm:ss"})
        sheet.write_row(0, 0, ["name", "n", "when", "time", "mixed", "zip"])
        for row in range(1, 7):
            sheet.write_row(row, 0, [("a", "b", " A ")[row % 3], None if row == 3 else row * 1.5])
            sheet.write_datetime(row, 2, datetime(2024, 1, row), day)  # noqa: DTZ001
            sheet.write_datetime(row, 3, time(9, row, 5), clock)
            sheet.write(row, 4, row if row % 2 else f"x{row}")
            sheet.write_string(row, 5, f"00{row}")
        sheet.merge_range(7, 0, 8, 0, "m")
        sheet.write_column(7, 1, [1, 2])
    assert not differences(path, interpreter)
