"""Which words can be taught, and which meanings a table has."""

from __future__ import annotations

import pytest

from tablewright.analyst.vocabulary import fault_of, names_column
from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.vocabulary import Word

COLUMNS = (ColumnFacts(name="total_revenue", kind="number"), ColumnFacts(name="成本", kind="number"))


@pytest.mark.parametrize(
    ("phrase", "meaning"),
    [
        ("GMV", "revenue"),
        ("big order", "amount over 1000"),
        ("流水", "营业额"),
        ("deals", "orders"),
        ("Q-Score", "rating"),
    ],
)
def test_words_of_a_trade_can_be_taught(phrase: str, meaning: str) -> None:
    assert fault_of(Word(phrase=phrase, meaning=meaning)) is None


@pytest.mark.requirement("words-are-taught")
@pytest.mark.parametrize(
    ("phrase", "meaning", "fault"),
    [
        ("x" * 10_000, "revenue", "word_long"),
        ("GMV", "r" * 10_000, "word_long"),
        ("GM\x07V", "revenue", "word_control"),
        ("GMV", "rev\nenue", "word_control"),
        ("GM\u202eV", "revenue", "word_control"),
        ("", "revenue", "word_short"),
        ("GMV", " ", "word_short"),
        ("!!", "revenue", "word_short"),
        ("a", "revenue", "word_short"),
        ("a=b", "revenue", "word_equals"),
        ("Revenue", "revenue", "word_itself"),
        ("not", "revenue", "word_reserved"),
        ("不", "revenue", "word_short"),
        ("没有", "revenue", "word_reserved"),
        ("more than", "revenue", "word_reserved"),
        ("超过", "revenue", "word_reserved"),
        ("average", "revenue", "word_reserved"),
        ("42", "revenue", "word_reserved"),
        ("1,000.5", "revenue", "word_reserved"),
        ("twelve", "revenue", "word_reserved"),
        ("2024-05-01", "revenue", "word_reserved"),
        ("the", "revenue", "word_reserved"),
    ],
)
def test_words_that_would_spoil_every_question_are_refused(phrase: str, meaning: str, fault: str) -> None:
    assert fault_of(Word(phrase=phrase, meaning=meaning)) == fault


@pytest.mark.parametrize(
    ("meaning", "found"),
    [("total revenue", True), ("total revenue over 1000", True), ("成本", True), ("weight", False)],
)
def test_a_meaning_is_looked_for_among_columns(meaning: str, found: bool) -> None:
    assert names_column(meaning, COLUMNS) is found
