"""Which rectangles of a sheet are tables."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.data.files.blocks import column_letters, find_blocks, is_prose

N = None


def places(rows: list[list[Any]]) -> list[str]:
    width = max(len(row) for row in rows)
    return [block.a1 for block in find_blocks([[*row, *[None] * (width - len(row))] for row in rows])]


def test_a_sheet_filled_from_its_corner_is_one_table() -> None:
    assert places([["a", "b"], [1, 2], [3, 4]]) == ["A1:B3"]


def test_empty_rows_and_columns_around_a_table_are_cut_off() -> None:
    assert places([[N, N, N], [N, "a", "b"], [N, 1, 2], [N, N, N]]) == ["B2:C3"]


def test_an_empty_row_separates_tables_with_headers_of_their_own() -> None:
    rows: list[list[Any]] = [["a", "b"], ["x", 1], ["y", 2], [N, N], ["c", "d"], ["z", 5], ["w", 6]]
    assert places(rows) == ["A1:B3", "A5:B7"]


def test_an_empty_row_within_a_table_does_not_end_it() -> None:
    rows: list[list[Any]] = [["id", "name", "v"], [1, "a", 2], [2, "b", 3], [N, N, N], [3, "c", 4], [4, "d", 5]]
    assert places(rows) == ["A1:C6"]


def test_an_empty_column_separates_tables() -> None:
    rows: list[list[Any]] = [["a", "b", N, "a", "c"], [1, 2, N, 5, 6], [3, 4, N, 7, 8], [5, 6, N, N, N]]
    assert places(rows) == ["A1:B4", "D1:E3"]


def test_a_spacer_column_does_not_separate_what_one_header_names() -> None:
    rows: list[list[Any]] = [["a", "b", N, "c", "d"], [1, 2, N, 5, 6], [3, 4, N, 7, 8]]
    assert places(rows) == ["A1:E3"]


def test_neighbours_that_name_the_same_things_are_tables_of_their_own() -> None:
    rows: list[list[Any]] = [["id", "v", N, "id", "v"], [1, 2, N, 5, 6], [3, 4, N, 7, 8]]
    assert places(rows) == ["A1:B3", "D1:E3"]


def test_names_above_an_empty_row_belong_to_the_rows_below() -> None:
    rows: list[list[Any]] = [["id", "name", "v"], [N, N, N], [1, "a", 2], [2, "b", 3]]
    assert places(rows) == ["A1:C4"]


def test_single_cells_beside_a_table_are_no_tables() -> None:
    rows: list[list[Any]] = [["title", N, N, N], [N, N, N, N], ["a", "b", N, "note"], [1, 2, N, N], [3, 4, N, N]]
    assert places(rows) == ["A3:B5"]


def test_where_nothing_is_a_table_the_largest_piece_is_taken() -> None:
    assert places([["only", N], [N, N], [N, "x"]]) == ["A1:A1"]


def test_an_empty_sheet_has_no_tables() -> None:
    assert find_blocks([]) == []
    assert find_blocks([[None, "  "]]) == []


def test_a_column_of_sentences_is_prose_and_one_of_words_is_not() -> None:
    sentence = "This workbook was made by a machine; please do not change its formulas."
    said, words = [[sentence], [sentence]], [["apple"], ["pear"]]
    assert is_prose(said, find_blocks(said)[0])
    assert not is_prose(words, find_blocks(words)[0])


@pytest.mark.parametrize(("column", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (16383, "XFD")])
def test_columns_have_letters(column: int, letters: str) -> None:
    assert column_letters(column) == letters
