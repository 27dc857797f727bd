"""A text file looked into as it is shows what the workbook shows that it would be converted to."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tablewright.errors import FileTooLarge
from tablewright.workbook.applying import job
from tablewright.workbook.package import conversion, reader
from tablewright.workbook.package.delimited import DelimitedText

CELL = st.one_of(
    st.sampled_from(["", "name", "2024-02-29", "1900-01-01", "1899-12-31", "0001-01-01", "2024-02-30", "007", "-0.5"]),
    st.sampled_from(["=1+1", " padded ", "合计", "1e400", "1E-7", "12345678901234567", "0.1", "3.14159265358979312"]),
    st.text(st.characters(categories=("L", "N", "P", "Zs")), max_size=8),
    st.integers(-(10**16), 10**16).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)
TABLE = st.lists(st.lists(CELL, max_size=6), max_size=30)


def written(rows: list[list[str]], delimiter: str) -> str:
    quoted = ((f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) for row in rows)
    return "".join(delimiter.join(row) + "\n" for row in quoted)


def shown(path: Path, **wanted: Any) -> dict[str, Any]:
    asked = {"sheet": None, "wanted": None, "limit": 10_000, **wanted}
    return dict(json.loads(reader.cells(path, name=path.name, **asked)))


def outlined(path: Path) -> dict[str, Any]:
    return dict(json.loads(reader.outline(path, name=path.name, tokens=4_000)))


@settings(deadline=None, max_examples=60)
@given(rows=TABLE, delimiter=st.sampled_from(",;\t|"), part=st.sampled_from([None, "A1:B5", "B2:H200", "A3:F3"]))
@example(rows=[["a", "b"], ["", ""], ["1", "2"]], delimiter=",", part=None)
@example(rows=[[], ["x"]], delimiter=",", part=None)
def test_it_shows_the_cells_and_the_outline_of_the_converted_workbook(
    rows: list[list[str]], delimiter: str, part: str | None
) -> None:
    with TemporaryDirectory() as folder:
        text, book = Path(folder) / "table.csv", Path(folder) / "table.xlsx"
        text.write_text(written(rows, delimiter) or "\n", encoding="utf-8")
        conversion.convert(text, book, "text", "table.csv")
        assert shown(text, wanted=part) == shown(book, wanted=part)
        assert outlined(text) == outlined(book)


def test_nothing_is_converted_to_look_into_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("converted")

    monkeypatch.setattr("tablewright.workbook.package.opener.convert", refused)
    path = tmp_path / "table.csv"
    path.write_text("city,amount\nOslo,1\nRome,2.5\n", encoding="utf-8")
    assert [cell["value"] for cell in shown(path, wanted="A2:B3")["cells"]] == ["Oslo", 1, "Rome", 2.5]
    assert outlined(path)["sheets"][0]["regions"][0]["range"] == "A1:B3"
    assert [notice["code"] for notice in json.loads(job.losses(path, name=path.name))] == ["converted_text"]


def test_a_page_of_it_goes_on_where_the_one_before_ended(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("".join(f"{row},x\n" for row in range(100)), encoding="utf-8")
    first = shown(path, limit=10)
    assert (first["range"], first["next_range"]) == ("A1:B100", "A6:B100")
    assert shown(path, wanted=first["next_range"], limit=10)["cells"][0] == {
        "ref": "A6", "value": 5, "formula": None, "format": None
    }  # fmt: skip


def test_fields_that_span_lines_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text('a,b\n"one\ntwo",2\n\n3,"""four"""\n', encoding="utf-8")
    text = DelimitedText(path, path.name)
    rows = dict(text.rows())
    assert rows == {1: ["a", "b"], 2: ["one\ntwo", "2"], 3: [], 4: ["3", '"four"']}
    assert [text.fields(row) for row in rows if rows[row]] == [fields for fields in rows.values() if fields]


def test_more_columns_than_a_sheet_has_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("," * 20_000, encoding="utf-8")
    with pytest.raises(FileTooLarge):
        shown(path)
