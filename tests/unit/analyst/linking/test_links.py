"""Numbers, dates, columns and cells found in a question."""

from __future__ import annotations

import pytest
from tests.unit.analyst.known_tables import NORTH, SHOPS

from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.mentions import choose
from tablewright.analyst.linking.numbers import numbers
from tablewright.analyst.linking.periods import periods
from tablewright.analyst.linking.text import compact, fold, lemma
from tablewright.analyst.linking.tokens import lemmas, quoted_spans, tokenize
from tablewright.analyst.linking.values import TextColumn, values
from tablewright.domain.dataset import DatasetFacts


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the top ten shops", 10),
        ("前十名", 10),
        ("三百二十个", 320),
        ("超过1.5万", 15000),
        ("大于2亿", 200000000),
        ("more than 3 million people", 3000000),
        ("a cost of 1,250.75", 1250.75),
        ("two hundred people", 200),
        ("the 3rd row", 3),
        ("第五名", 5),
    ],
)
def test_numbers_are_read_in_both_languages(text: str, value: float) -> None:
    assert [mention.value for mention in numbers(tokenize(text))] == [value]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("2021年2月", "2021-02-01", "2021-02-28"),
        ("2020-03-09", "2020-03-09", "2020-03-09"),
        ("in May 2020", "2020-05-01", "2020-05-31"),
        ("on 4 July 2019", "2019-07-04", "2019-07-04"),
        ("March 5, 2018", "2018-03-05", "2018-03-05"),
        ("Q2 2022", "2022-04-01", "2022-06-30"),
        ("2022年第三季度", "2022-07-01", "2022-09-30"),
        ("2019年下半年", "2019-07-01", "2019-12-31"),
        ("since 2005.", "2005-01-01", "2005-12-31"),
        ("the 1990s", "1990-01-01", "1999-12-31"),
        ("2025年底", "2025-12-31", "2025-12-31"),
        ("2024年2月底", "2024-02-29", "2024-02-29"),
    ],
)
def test_periods_are_read_in_both_languages(text: str, low: str, high: str) -> None:
    assert [(mention.low, mention.high) for mention in periods(text, tokenize(text))] == [(low, high)]


@pytest.mark.parametrize(
    ("facts", "said", "column"),
    [
        (SHOPS, "number of staff", "Number_of_Staff"),
        (SHOPS, "revenues", "Revenue"),
        (SHOPS, "cities", "City"),
        (SHOPS, "closed days", "Closed_Days"),
        (SHOPS, "income", "Revenue"),
        (SHOPS, "营业收入", "Revenue"),
        (NORTH, "面积", "面积(平方公里)"),
        (NORTH, "水深", "平均水深"),
        (NORTH, "湖泊", "湖泊名称"),
    ],
)
def test_a_column_is_found_by_other_words(facts: DatasetFacts, said: str, column: str) -> None:
    tokens = tokenize(said)
    found = choose(columns(tokens, column_names(facts.columns)), tokens)
    assert [getattr(mention, "column", None) for mention in found] == [column]


def test_what_only_qualifies_a_chinese_name_is_not_the_column() -> None:
    tokens = tokenize("平均")
    assert columns(tokens, column_names(NORTH.columns)) == []


@pytest.mark.parametrize(
    ("question", "value", "how"),
    [
        ("what did the corner bakery sell", "Corner Bakery", "exact"),
        ("who runs Harbour", "Harbour Books", "contained"),
    ],
)
def test_a_cell_is_found_whole_or_in_part(question: str, value: str, how: str) -> None:
    tokens = tokenize(question)
    found = values(
        tokens, [TextColumn(column="Shop", values=("Harbour Books", "Corner Bakery"))], quoted_spans(question, tokens)
    )
    best = max(found, key=lambda mention: mention.score)
    assert best.places[0] == ("Shop", value)
    assert best.how == how


def test_a_chinese_cell_is_found_without_its_punctuation() -> None:
    tokens = tokenize("请问金石·云居的价格")
    found = values(tokens, [TextColumn(column="名", values=("金石云居", "海棠"))], [])
    assert [mention.places for mention in found] == [(("名", "金石云居"),)]


def test_single_letters_stand_for_words() -> None:
    tokens = tokenize("how many female students")
    found = values(tokens, [TextColumn(column="Sex", values=("F", "M"))], [])
    assert [mention.places for mention in found] == [(("Sex", "F"),)]


def test_names_fall_into_their_words() -> None:
    assert lemmas("PassengerId") == ("passenger", "id")
    assert lemmas("meter_100") == ("meter", "100")
    assert lemmas("容积率") == ("容", "积", "率")


def test_folding_keeps_the_length() -> None:
    assert fold("Ａé（") == "ae("
    assert compact("Ｃafé — 12!") == "cafe12"
    assert [lemma(word) for word in ("cities", "boxes", "status", "women")] == ["city", "box", "status", "woman"]


@pytest.mark.parametrize(
    ("said", "cell"),
    [
        ("orders of the man", "the three men"),
        ("by city", "All cities"),
        ("of boxes", "Box 7"),
        ("at 1234 Main", "1,234 Main Street"),
        ("of the café", "Old CAFE"),
        ("with status", "Status: open"),
        ("of http servers", "HTTPServer"),
    ],
)
def test_a_cell_is_found_by_a_part_in_another_form(said: str, cell: str) -> None:
    others = tuple(f"ID-{number}" for number in range(50))
    found = values(tokenize(said), [TextColumn(column="Name", values=(*others, cell))], ())
    assert {mention.places for mention in found} == {(("Name", cell),)}
