"""Tables on Genie's wire: as its page draws them, and as it can take them apart."""

from __future__ import annotations

import pytest

from tablewright.api.genie.previews import plain_csv
from tablewright.api.genie.tables import answer_data, place_of, rows_of
from tablewright.domain.chart import Chart
from tablewright.domain.table import Cell, Table

TABLE = Table(columns=("day", "city", "n"), rows=(("2024-01-01", "北京", 7), ("2024-01-02", None, None)), total_rows=2)


def test_every_dimension_and_measure_is_a_column_and_every_order_is_null() -> None:
    told = answer_data("?", TABLE)
    columns = {column["guid"]: column for column in told["columnList"]}
    assert {*told["dimCols"], *told["measureCols"]} == columns.keys()
    assert [column["dataType"] for column in columns.values()] == ["DATE", "VARCHAR", "DECIMAL"]
    assert all(column["order"] is None for column in columns.values())
    assert all(row.keys() == columns.keys() for row in told["dataList"])


def test_what_a_chart_has_along_its_axis_is_no_measure() -> None:
    table = Table(columns=("hour", "n"), rows=((8, 1), (9, 2)), total_rows=2)
    assert answer_data("?", table)["dimCols"] == []
    told = answer_data("?", table, (Chart(kind="bar", x=(8,), y=(1,), labels={"x": "hour", "y": "n"}),))
    assert (told["dimCols"], told["measureCols"]) == (["c1"], ["c2"])
    assert told["columnList"][0]["dataType"] == "DECIMAL"


@pytest.mark.parametrize(
    "times",
    [
        ("2025-01", "2025-02"),
        ("2025Q1", "2025-Q2"),
        ("2025-W01", None),
        ("2025-01-03", "2025-01-04T08:00:00"),
        (2024, 2025),
    ],
)
@pytest.mark.parametrize("drawn", [True, False])
def test_what_stands_for_a_time_is_a_date_along_which_the_page_draws_a_line(
    times: tuple[Cell, Cell], drawn: bool
) -> None:
    table = Table(columns=("time", "n"), rows=tuple((time, n) for n, time in enumerate(times)), total_rows=2)
    charts = (Chart(kind="line", x=times, y=(0, 1), labels={"x": "time", "y": "n"}),)
    told = answer_data("?", table, charts if drawn else ())
    assert (told["dimCols"], told["measureCols"]) == (["c1"], ["c2"])
    assert told["columnList"][0]["dataType"] == "DATE"


@pytest.mark.parametrize("word", ["2025-13", "2025Q5", "Monday", "12-2025", "2025"])
def test_other_words_are_no_times(word: str) -> None:
    table = Table(columns=("word", "n"), rows=((word, 1), (word, 2)), total_rows=2)
    assert answer_data("?", table)["columnList"][0]["dataType"] == "VARCHAR"


def test_years_with_other_keys_tell_rows_apart_and_those_behind_a_measure_or_alone_do_not() -> None:
    keyed = Table(columns=("year", "city", "n"), rows=((2024, "a", 7), (2024, "b", 8)), total_rows=2)
    assert answer_data("?", keyed)["dimCols"] == ["c1", "c2"]
    for rows in ([(7, 2024), (8, 2025)], [(2024, 2025)], [(2024, 7), (2024, 8)]):
        table = Table(columns=("a", "b"), rows=tuple(rows), total_rows=len(rows))
        assert answer_data("?", table)["dimCols"] == []


def test_columns_of_one_name_stay_apart() -> None:
    told = rows_of(Table(columns=("a", "a"), rows=((1, 2),), total_rows=1))
    assert told["dataList"] == [{"a": 1, "a (2)": 2}]


def test_a_code_names_a_file_and_one_of_its_tables() -> None:
    assert place_of("f-1") == ("f-1", 0)
    assert place_of("f-1~2") == ("f-1", 2)
    assert place_of("f-1~x") == ("f-1", 0)


def test_csv_can_be_taken_apart_at_commas_and_ends_of_lines() -> None:
    plain = plain_csv('city,"a, b"\r\n"Bei\njing","1,2"\r\n"say ""hi""",3\r\n'.encode("utf-8-sig")).decode()
    assert [line.split(",") for line in plain.split("\n")] == [
        ["city", "a， b"],
        ["Bei jing", "1，2"],
        ["say ”hi”", "3"],
    ]


def test_csv_of_other_encodings_is_utf_8_and_an_empty_one_is_not_empty() -> None:
    assert plain_csv("城市,数\n北京,7\n".encode("gb18030")).decode() == "城市,数\n北京,7"
    assert plain_csv(b"") == b" "
