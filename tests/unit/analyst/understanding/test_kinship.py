"""Results that agree, though one says more."""

import json

import pytest

from tablewright.analyst.understanding.kinship import MOST_CHARS, agree


def key(*rows: list[str], charts: list[object] | None = None) -> str:
    return json.dumps([[[len(rows), sorted(rows)]], charts or []])


NAMES = key(["desk"], ["lamp"])
TOTALS = key(["desk", "10"], ["lamp", "7"])


@pytest.mark.parametrize(
    ("other", "agreed"),
    [
        (TOTALS, True),
        (key(["7", "lamp"], ["10", "desk"]), True),
        (key(["lamp", "7", "x"], ["desk", "10", "y"]), True),
        (key(["desk", "10"]), False),
        (key(["desk", "10"], ["chair", "7"]), False),
        (NAMES, False),
        (key(["desk", "10"], ["lamp", "7"], charts=[["bar", []]]), True),
        (json.dumps("a digest"), False),
        (json.dumps([[], []]), False),
    ],
)
def test_the_same_rows_with_a_further_column_agree(other: str, agreed: bool) -> None:
    assert agree(NAMES, other) is agreed
    assert agree(other, NAMES) is agreed


def test_other_columns_of_the_same_rows_do_not_agree() -> None:
    assert not agree(TOTALS, key(["desk", "3"], ["lamp", "2"]))


def test_different_charts_do_not_agree() -> None:
    assert not agree(key(["desk"], charts=[1]), key(["desk", "10"], charts=[2]))


def test_long_results_are_not_compared() -> None:
    long = "x" * MOST_CHARS
    assert not agree(key([long]), key([long, "1"]))
