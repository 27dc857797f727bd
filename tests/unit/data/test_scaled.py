"""Numbers with a word for a power of ten count in full, where the others beside them show that they are meant so."""

from __future__ import annotations

import polars as pl
import pytest

from tablewright.data.files.columns import profile_cells, profile_texts
from tablewright.domain.dataset import CleanFacts, ColumnFacts
from tablewright.domain.table_facts import Irregularity


def column(*texts: str | None) -> ColumnFacts:
    return profile_texts("c", pl.Series(texts, dtype=pl.String)).facts


def clean(*texts: str | None) -> CleanFacts | None:
    return column(*texts).clean


def test_numbers_with_a_word_for_a_power_of_ten_count_in_full_beside_numbers_as_large() -> None:
    facts = column("1.8万", "7173", "2,100", "22000", "4.56 万", "1.8万", None)
    found = facts.clean
    assert found is not None
    assert (found.kind, found.notation, found.unit, found.powers) == ("integer", "thousands", None, (("万", 4),))
    assert (found.minimum, found.maximum, found.distinct) == (2100, 45600, 5)
    assert found.mean == pytest.approx((18000 * 2 + 45600 + 7173 + 2100 + 22000) / 6)
    assert facts.irregular == (Irregularity(kind="powers", cells=3, examples=("1.8万", "4.56 万")),)


@pytest.mark.parametrize(
    ("power", "exponent"), [("万", 4), ("w", 4), ("W", 4), ("k", 3), ("K", 3), ("thousand", 3), (" 千", 3)]
)
def test_a_power_counts_for_any_number_of_cells(power: str, exponent: int) -> None:
    found = clean(f"2.5{power}", "7173", "2100", "950")
    assert found is not None
    assert (found.powers, found.maximum) == (((power.strip(), exponent),), max(7173, 2.5 * 10**exponent))


def test_what_stands_behind_the_word_is_the_unit_of_all() -> None:
    facts = column("5.3万公里", "14.5万公里", "12.5万 公里", "154000", "84000")
    found = facts.clean
    assert found is not None
    assert (found.kind, found.unit, found.powers, found.minimum) == ("integer", "公里", (("万", 4),), 53000)
    assert facts.irregular[1] == Irregularity(kind="number_notations", cells=2, examples=("154000", "84000"))


@pytest.mark.parametrize(
    ("texts", "unit", "powers", "ends"),
    [
        (("£36k", "£2,400", "36000", "£1.5k", "nil"), "£", (("k", 3),), (1500, 36000)),
        (("£4m", "£2.5m", "£900k", "£0.3 million"), "£", (("million", 6), ("m", 6), ("k", 3)), (300000, 4000000)),
        (
            ("1.2亿元", "3500万元", "8千万元", "900万元"),
            "元",
            (("千万", 7), ("亿", 8), ("万", 4)),
            (9000000, 120000000),
        ),
        (("5.3万元", "8000元", "¥1.2万", "¥9000"), "元", (("万", 4),), (8000, 53000)),
        (("3 million t", "2 million t", "500 t"), "t", (("million", 6),), (500, 3000000)),
        (("2lakh", "1.5 lakhs", "3k", "95000"), None, (("lakhs", 5), ("lakh", 5), ("k", 3)), (3000, 200000)),
    ],
)
def test_several_powers_and_one_unit_are_one_column_of_numbers(
    texts: tuple[str, ...], unit: str | None, powers: tuple[tuple[str, int], ...], ends: tuple[int, int]
) -> None:
    found = clean(*texts)
    assert found is not None
    assert (found.unit, found.powers, (found.minimum, found.maximum)) == (unit, powers, ends)


def test_numbers_of_one_order_with_the_word_alone_stay_as_they_are_written() -> None:
    found = clean("1.8万", "2.1", "3.2万", "2.5万", "1.9")
    assert found is not None
    assert (found.unit, found.powers, found.maximum) == ("万", (), 3.2)


@pytest.mark.parametrize(
    "texts",
    [
        ("1.8亿", "4.2亿", "7173", "2100", "950"),
        ("5万", "2万", "90", "70"),
        ("5k", "10", "21"),
        ("1.8万公里", "2.1万元", "3万公里", "18000"),
        ("¥1.8万元", "¥2.1万元", "¥3万元", "18000"),
        ("1.8万%", "2.1万%", "3万%", "18000"),
        ("3 thousand t", "2 thousand t", "1500 t", "500 t"),
        ("5.3万英程", "154000", "84000"),
        ("(1.8)万", "7173", "22000"),
        ("1.8万", "7173", "22000", "about 5"),
        ("1.2m", "2.5m", "500 km", "700000"),
    ],
)
def test_what_is_open_to_doubt_stays_a_column_of_words(texts: tuple[str, ...]) -> None:
    assert clean(*texts) is None


def test_numbers_of_a_workbook_count_beside_texts_with_such_a_word() -> None:
    found = profile_cells("c", [7173, "1.8万", 22000.5, "2,100", "3万", None]).facts.clean
    assert found is not None
    assert (found.kind, found.minimum, found.maximum) == ("number", 2100, 30000)


def test_a_known_unit_that_is_seen_once_is_that_of_all() -> None:
    found = clean("2.4万", "42000", "12639", "33,770", "52121度")
    assert found is not None
    assert (found.unit, found.maximum, found.powers) == ("度", 52121, (("万", 4),))


def test_square_metres_are_a_unit_and_a_dozen_is_none() -> None:
    area = clean("75", "108", "155 m2", "250 m2", "130")
    assert area is not None
    assert (area.unit, area.minimum, area.maximum) == ("m2", 75, 250)
    assert clean("5", "12", "1 doz", "3 doz", "18") is None
