"""Cells that are written unlike the rest of their column are counted and shown."""

from __future__ import annotations

from datetime import date, datetime, time

import polars as pl
import pytest

from tablewright.data.files.columns import profile_cells, profile_texts
from tablewright.domain.dataset import CleanFacts
from tablewright.domain.table_facts import Irregularity


def irregular(*texts: str | None) -> tuple[Irregularity, ...]:
    return profile_texts("c", pl.Series(texts, dtype=pl.String)).facts.irregular


def test_a_value_in_several_spellings_is_named_by_the_most_frequent() -> None:
    (found,) = irregular("Email", "Email", "email ", "EMAIL", "email ", "Social", None)
    assert found == Irregularity(kind="spelling", cells=3, examples=("email ", "EMAIL"), meant="Email", merged=2)


@pytest.mark.parametrize("other", ["ＡＢ公司", "ab公司", "AB 公司", " AB公司"])
def test_width_case_and_blanks_make_no_other_value_but_inner_blanks_do(other: str) -> None:
    found = irregular("AB公司", "AB公司", other, "CD公司")
    assert [one.kind for one in found] == ([] if other == "AB 公司" else ["spelling"])


def test_double_blanks_count_as_one() -> None:
    (found,) = irregular("New York", "New York", "New  York")
    assert (found.meant, found.examples) == ("New York", ("New  York",))


def test_the_values_with_the_most_other_cells_come_first() -> None:
    assert [one.meant for one in irregular("a", "a", "A", "b", "b", "b", "B", "B", "c")] == ["b", "a"]


def test_blanks_around_values_that_are_never_written_otherwise_are_told_together() -> None:
    assert irregular("north ", "south", " east") == (
        Irregularity(kind="spaces", cells=2, examples=("north ", " east")),
    )


def test_texts_among_numbers_are_marks_the_most_frequent_first() -> None:
    assert irregular("77", "缺考", "80", "作弊", "缺考", "91", "65", "70") == (
        Irregularity(kind="marks", cells=3, examples=("缺考", "作弊")),
    )


def test_numbers_with_and_without_a_currency_are_told() -> None:
    assert irregular("¥1,200", "¥900", "850", "¥700") == (
        Irregularity(kind="number_notations", cells=1, examples=("850",)),
    )


def test_dates_in_several_notations_are_told_by_their_formats() -> None:
    found = irregular("2024-01-05", "2024-02-11", "2024-03-20", "2024年4月2日", "5 May 2024")
    assert found[0] == Irregularity(kind="date_notations", cells=2, examples=("%Y-%m-%d", "%Y年%m月%d日", "%d %B %Y"))


@pytest.mark.parametrize(
    "texts",
    [
        ("2024-01-05", "later", "2024-01-07"),
        ("A1", "A2", "B1"),
        ("10-20", "20-30", "30-40"),
        ("1.2.3", "1.2.4", "2.0.0"),
        ("3/4", "1/2"),
        ("2024-13-05", "2024年4月2日"),
    ],
)
def test_what_is_no_date_in_some_cell_is_a_column_of_words(texts: tuple[str, ...]) -> None:
    assert [one for one in irregular(*texts) if one.kind == "date_notations"] == []


def test_texts_among_the_dates_of_a_workbook_are_dates_or_marks() -> None:
    days = [datetime.combine(date(2024, 1, day), time()) for day in range(1, 6)]
    written = profile_cells("c", [*days, "2024-01-06", "2024-01-07"]).facts
    assert written.irregular == (Irregularity(kind="date_notations", cells=2, examples=("%Y-%m-%d",)),)
    marked = profile_cells("c", [*days, date(2024, 1, 9), "取消"]).facts
    assert marked.irregular == (Irregularity(kind="marks", cells=1, examples=("取消",)),)


@pytest.mark.parametrize(
    "texts", [("a", "b", "c"), ("1", "2", "3"), ("¥1", "¥2"), (None,), ("2024-01-05",), ("yes", "no")]
)
def test_regular_columns_have_nothing_to_tell(texts: tuple[str | None, ...]) -> None:
    assert irregular(*texts) == ()


def test_letters_that_stand_for_values_that_are_written_out_are_told() -> None:
    found = irregular("Yes", "Yes", "No", "Y", "N", "y", "Yes")
    assert [(one.kind, one.examples, one.meant, one.cells) for one in found] == [
        ("spelling", ("y",), "Y", 1),
        ("abbreviation", ("Y", "y"), "Yes", 2),
        ("abbreviation", ("N",), "No", 1),
    ]


@pytest.mark.parametrize(
    "texts",
    [
        ("A", "B", "C", "Absent"),
        ("Y", "Yes", "No", "Maybe"),
        ("Y", "N", "Yes", "Yesterday", "No"),
        ("甲", "乙", "甲方", "乙方"),
        tuple(f"{letter}{rest}" for letter in "abcdefg" for rest in ("", "x")),
    ],
)
def test_letters_that_may_mean_something_else_are_no_abbreviations(texts: tuple[str, ...]) -> None:
    assert [one for one in irregular(*texts) if one.kind == "abbreviation"] == []


def test_several_values_in_one_cell_are_told_with_what_separates_them() -> None:
    liked = ("price", "looks", "help", "speed")
    texts = [f"{one};{other}" for one in liked for other in liked if one != other]
    (found,) = irregular(*texts, *liked)
    assert (found.kind, found.cells, found.meant) == ("lists", 12, ";")


@pytest.mark.parametrize(
    "texts",
    [
        tuple(f"Street {number}, Town {number}" for number in range(30)),
        ("a;b", "a;b", "a;b"),
        (*(f"word{number}" for number in range(60)), "a;b", "b;a", "a;c", "c;a", "b;c"),
    ],
)
def test_texts_with_a_separator_in_them_are_no_lists(texts: tuple[str, ...]) -> None:
    assert [one for one in irregular(*texts) if one.kind == "lists"] == []


def clean(*texts: str) -> CleanFacts | None:
    return profile_texts("c", pl.Series(texts, dtype=pl.String)).facts.clean


@pytest.mark.parametrize("power", ["亿", "千万", "亿元", "M", "million", "bn", "lakh"])
def test_a_word_for_a_power_of_ten_is_no_unit_of_larger_numbers_beside_it(power: str) -> None:
    texts = [f"1.8{power}", f"4.2{power}", f"3{power}", f"7{power}", "7173", "2100", "950"]
    assert clean(*texts) is None


@pytest.mark.parametrize("unit", ["m", "kg", "千克", "瓦", "minutes", "km"])
def test_a_unit_that_begins_like_a_power_of_ten_stays_one(unit: str) -> None:
    found = clean(f"1.8{unit}", f"4.2{unit}", f"3{unit}", f"7{unit}", "7173", "2100", "950")
    assert found is not None
    assert (found.unit, found.units) == (unit, ())


def test_numbers_of_one_order_are_meant_with_the_power_that_some_have() -> None:
    found = clean("27.2万元", "36.7", "20.5万", "19.9", "22.5万元", "23.1")
    assert found is not None
    assert (found.unit, found.units, found.minimum, found.maximum) == ("万元", ("万元", "万"), 19.9, 36.7)


@pytest.mark.parametrize(
    ("ways", "unit", "notation"),
    [
        (("¥{}", "{}元", "{} 元"), "元", "currency"),
        (("{}公里", "{} KM", "{}km"), "公里", "unit"),
        (("£{}", "{} GBP", "£{}"), "£", "currency"),
        (("{}sq ft", "{} sqft", "{}sq ft"), "sq ft", "unit"),
    ],
)
def test_a_unit_in_several_ways_is_one(ways: tuple[str, ...], unit: str, notation: str) -> None:
    texts = [way.format(number) for number, way in enumerate(ways * 2, start=11)]
    found = clean(*texts, "1,250", "17", "18")
    assert found is not None
    assert (found.kind, found.notation, found.maximum) == ("integer", notation, 1250)
    assert {way.format("").strip() for way in ways} == set(found.units)
    assert list(map(len, found.units)) == sorted(map(len, found.units), reverse=True)
    assert found.unit in found.units


@pytest.mark.parametrize(
    "ways", [("¥{}", "${}"), ("{}kg", "{}km"), ("{}元", "{}%"), ("¥{}元", "{}元"), ("{}m", "{}min")]
)
def test_different_units_are_not_one(ways: tuple[str, ...]) -> None:
    texts = [way.format(number) for number, way in enumerate(ways * 3, start=11)]
    assert clean(*texts, "16", "17", "18") is None
