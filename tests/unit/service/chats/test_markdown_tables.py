"""Tables written as markdown become CSV, and everything else stays as it was."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as some

from tablewright.domain.table import Table
from tablewright.domain.table_markdown import markdown
from tablewright.service.chats.markdown_tables import TABLES, without_tables

WORD = some.text(alphabet=some.characters(blacklist_categories=("C", "Z"), blacklist_characters="\\"), max_size=8)


def rows_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode())))


def test_a_table_is_taken_out_with_the_heading_above_it() -> None:
    read = without_tables("Look:\n\n### Sales 2024\n\ncity | amount\n--- | ---:\nBeijing | 1\n|x|\nLeeds|2|3\n\nTotal?")
    assert read.text == "Look:\n\n### Sales 2024\n\n\nTotal?"
    (table,) = read.tables
    assert table.name == "Sales 2024"
    assert rows_of(table.csv) == [["city", "amount"], ["Beijing", "1"], ["x", ""], ["Leeds", "2"]]


def test_what_is_no_table_stays() -> None:
    for text in ("a | b", "a | b\n- | -", "a | b\n---\n1 | 2", "|a|b|\n|-|\n|1|2|", "| - |\n\n| 1 |", "x\n|:|\n|1|"):
        assert without_tables(text).tables == (), text
        assert without_tables(text).text == text


def test_the_tables_after_the_most_stay_in_the_text() -> None:
    read = without_tables("\n\n".join(["|a|b|\n|-|-|\n|1|2|"] * (TABLES + 1)))
    assert len(read.tables) == TABLES
    assert read.text == "|a|b|\n|-|-|\n|1|2|"


@given(some.lists(some.tuples(WORD, WORD), min_size=1, max_size=5))
def test_a_table_that_we_wrote_is_read_as_it_was(rows: list[tuple[str, str]]) -> None:
    table = Table(columns=("a", "b"), rows=tuple(rows), total_rows=len(rows))
    (read,) = without_tables(markdown(table)).tables
    assert rows_of(read.csv) == [["a", "b"], *([left.strip(), right.strip()] for left, right in rows)]


@given(some.text(alphabet="|-: a\n\\", max_size=60))
def test_no_line_is_lost(text: str) -> None:
    read = without_tables(text)
    cells = sum(len(row) for table in read.tables for row in rows_of(table.csv))
    assert bool(cells) == bool(read.tables)
    assert read.tables or read.text == text
