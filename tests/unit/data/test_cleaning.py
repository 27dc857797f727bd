"""A column of words with numbers or dates in it is known for what it holds once it is cleaned."""

from __future__ import annotations

from datetime import datetime

import polars as pl
import pytest

from tablewright.data.files.columns import profile_cells, profile_texts
from tablewright.domain.cleaning import clean_facts, clean_value, clean_values, folded
from tablewright.domain.dataset import CleanFacts, ColumnFacts, DatasetFacts, DistinctValues, ReadOptions
from tablewright.domain.table import Table


def column(*texts: str | None) -> ColumnFacts:
    return profile_texts("c", pl.Series(texts, dtype=pl.String)).facts


def clean(*texts: str | None) -> CleanFacts | None:
    return column(*texts).clean


def dataset(facts: ColumnFacts) -> DatasetFacts:
    sample = Table(columns=("c",), rows=(), total_rows=0)
    read = ReadOptions(kind="csv")
    return DatasetFacts(
        id="1", name="t", file_name="t", path="t", read=read, rows=9, columns=(facts,), sample=sample, profile_ref="p"
    )


def test_numbers_beside_marks_are_numbers_and_the_marks_are_missing() -> None:
    found = clean("77", "缺考", "80", None, "缺考", "91")
    assert found == CleanFacts(
        kind="integer",
        notation="thousands",
        marks=("缺考",),
        marked=2,
        distinct=3,
        minimum=77,
        maximum=91,
        mean=248 / 3,
    )


def test_amounts_beside_marks_keep_their_currency() -> None:
    found = clean("$1,200.50", "tbc", "$30", "$7")
    assert found is not None
    assert (found.kind, found.notation, found.unit, found.marks) == ("number", "currency", "$", ("tbc",))


def test_dates_beside_marks_are_dates() -> None:
    found = clean("2024-01-05", "not yet", "2024-02-03", "2023-12-31")
    assert found is not None
    assert (found.kind, found.date_formats, found.minimum, found.maximum) == (
        "date",
        ("%Y-%m-%d",),
        "2023-12-31",
        "2024-02-03",
    )


def test_dates_in_several_notations_are_dates() -> None:
    found = clean("2024-01-05", "2024-02-11", "5 May 2024", "2023年4月2日")
    assert found is not None
    assert (found.minimum, found.maximum, found.marks) == ("2023-04-02", "2024-05-05", ())


@pytest.mark.parametrize(
    ("texts", "first", "last"),
    [
        (("9/1/2024", "9/30/2024", "2024-09-05"), "2024-09-01", "2024-09-30"),
        (("1/9/2024", "30/9/2024", "2024-09-05"), "2024-09-01", "2024-09-30"),
        (("1/9/2024", "2/9/2024", "2024-01-05"), "2024-01-05", "2024-02-09"),
    ],
)
def test_dates_beside_other_notations_are_read_in_the_order_that_fits_them_all_the_month_first(
    texts: tuple[str, ...], first: str, last: str
) -> None:
    found = clean(*texts)
    assert found is not None
    assert (found.minimum, found.maximum) == (first, last)


@pytest.mark.parametrize(
    "text", ["Wed 17 Sep 2025", "17 September 2025, Wednesday", "wed, sep 17, 2025", "2025/9/17 (Wed)"]
)
def test_dates_with_the_name_of_their_weekday_are_dates(text: str) -> None:
    assert column(text, text.replace("17", "24")).kind == "date"
    found = clean("2025-09-16", "2025-09-18", text)
    assert found is not None
    assert (found.kind, found.minimum, found.maximum) == ("date", "2025-09-16", "2025-09-18")
    assert clean("2025-09-16", text.replace("17", "18")) is None


@pytest.mark.parametrize("text", ["2025-9-17 周三", "2025年9月17日（星期三）", "9月17日礼拜三", "2025/9/17(周三)"])
def test_dates_with_the_chinese_name_of_their_weekday_are_dates(text: str) -> None:
    found = clean("2025-09-16", "2025-09-18 周四", text)
    assert found is not None
    assert (found.kind, found.weekdays, found.minimum, found.maximum) == ("date", True, "2025-09-16", "2025-09-18")
    alone = clean(text, "2025-9-18 周四")
    assert alone is not None
    assert alone.maximum == "2025-09-18"
    assert clean("2025-09-16", f"{text} 晚上") is None


def test_numbers_some_with_a_unit_are_numbers_of_that_unit() -> None:
    found = clean("12 kg", "13", "7.5 kg", "9", "11 kg")
    assert found is not None
    assert (found.kind, found.unit, found.maximum) == ("number", "kg", 13)


@pytest.mark.parametrize(
    "texts",
    [
        ("12 kg", "300 g", "7 kg", "2"),
        ("5%", "7%", "9%", "0.1"),
        ("101", "100A", "7", "9"),
        ("1/13/2024", "13/1/2024", "2/13/2024"),
        ("38", "S", "M", "L", "40"),
        ("1", "a", "2", "b", "3", "c", "4", "d", "5", "e", "6", "f", "7"),
        ("Main St 5", "Main St 6"),
        ("007", "none", "012"),
    ],
)
def test_what_is_open_to_doubt_stays_a_column_of_words(texts: tuple[str, ...]) -> None:
    assert clean(*texts) is None


def test_the_dates_of_a_workbook_are_dates_although_some_are_texts() -> None:
    days = [datetime(2024, 1, day) for day in range(2, 6)]  # noqa: DTZ001  # cells have no zone
    found = profile_cells("c", [*days, "2023/12/24", "open"]).facts.clean
    assert found is not None
    assert (found.kind, found.marks, found.minimum, found.maximum) == ("date", ("open",), "2023-12-24", "2024-01-05")


def test_clean_facts_state_the_cleaned_kind_and_are_clean_once_and_for_all() -> None:
    for facts in (column("77", "缺考", "80", "91"), column("a", "a", "A", "b")):
        once = clean_facts(dataset(facts))
        assert clean_facts(once) == once
    assert clean_facts(dataset(column("77", "缺考", "80", "91"))).columns[0].kind == "integer"
    assert clean_facts(dataset(column("a", "a", "A", "b"))).columns[0].distinct == 2


def test_values_of_a_clean_column_are_those_that_are_meant() -> None:
    known = DistinctValues(values=("East", "West", "east ", "EAST"), counts=(5, 4, 2, 1), complete=True)
    facts = column(*["East"] * 5, *["West"] * 4, "east ", "east ", "EAST")
    assert clean_values(known, facts) == DistinctValues(values=("East", "West"), counts=(8, 4), complete=True)
    assert clean_value(" ＥAST", facts) == "East"


@pytest.mark.parametrize(("one", "other"), [("Ａb  c", "ab C "), ("ＡＢ", "ab"), ("\u3000北", "北")])
def test_texts_compare_without_width_case_and_blanks(one: str, other: str) -> None:
    assert folded(one) == folded(other)


def test_amounts_with_two_signs_are_not_read_by_one_of_them() -> None:
    assert column("¥1,200元", "¥3元").kind == "text"
    assert column("$5", "7元", "$8").clean is None
    assert column("¥5元", "7元", "¥8").clean is None


def test_one_word_may_stand_in_most_cells_in_place_of_a_number() -> None:
    numbers = [str(count) for count in range(2, 14)]
    found = clean(*numbers, *(["on time"] * 80))
    assert found is not None
    assert (found.kind, found.marks, found.marked) == ("integer", ("on time",), 80)
    assert clean(*numbers, *(["on time", "late", "early"] * 30)) is None


@pytest.mark.parametrize(
    "texts",
    [
        ("320元/斤", "¥280", "390", "180 元/斤"),
        ("41.6°", "42.5度", "41.1"),
        ("24.99", "15.7", "25.46万元"),
        ("12", "14", "9 km"),
    ],
)
def test_a_known_unit_need_not_be_written_often(texts: tuple[str, ...]) -> None:
    found = clean(*texts)
    assert found is not None
    assert found.kind in {"number", "integer"}


def test_two_prices_for_different_things_are_no_one_unit() -> None:
    assert clean("320元/斤", "280元/箱", "390", "100元/斤") is None
