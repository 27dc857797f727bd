"""csv, tsv and txt files, opened in a child."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.integration.data.conftest import only

from tablewright.data.files.tables import FileTables
from tablewright.domain.dataset import DatasetFacts

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def facts_of(
    tables: FileTables, tmp_path: Path, text: str, name: str = "t.csv", encoding: str = "utf-8"
) -> DatasetFacts:
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return only(await tables.profile(path, name)).facts


def kinds(facts: DatasetFacts) -> dict[str, str]:
    return {column.name: column.kind for column in facts.columns}


async def test_a_plain_file_gives_plain_facts(tables: FileTables, tmp_path: Path) -> None:
    facts = await facts_of(tables, tmp_path, "id,城市,价\n1,上海,2.5\n2,北京,\n", "房价.csv")
    assert (facts.id, facts.name, facts.path, facts.rows) == ("table", "房价", "/data/shared/房价.csv", 2)
    assert kinds(facts) == {"id": "integer", "城市": "text", "价": "number"}
    assert facts.sample.rows == ((1, "上海", 2.5), (2, "北京", None))
    assert facts.columns[2].missing == 1


async def test_the_profile_keeps_the_values_of_words_and_whole_numbers(tables: FileTables, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("city,n\nRome,1\nOslo,2\nRome,3\n")
    profile = only(await tables.profile(path, "t.csv"))
    assert {name: found.values for name, found in profile.values.items()} == {
        "city": ("Rome", "Oslo"),
        "n": ("1", "2", "3"),
    }
    assert profile.values["city"].counts == (2, 1)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "utf-16"])
async def test_encodings_make_no_difference(tables: FileTables, tmp_path: Path, encoding: str) -> None:
    text = '地区,金额,日期\n华东地区,"1,200",2021年2月3日\n华北地区,"3,400",2021年12月30日\n'
    facts = await facts_of(tables, tmp_path, text, encoding=encoding)
    assert kinds(facts) == {"地区": "text", "金额": "integer", "日期": "date"}
    assert facts.columns[1].maximum == 3400
    assert facts.read.encoding == encoding


async def test_titles_notes_and_totals_are_not_data(tables: FileTables, tmp_path: Path) -> None:
    text = "Sales report,,\n,,\nname,sold,price\na,10,1.5\nb,20,2.5\nc,30,3\nTotal,60,7\nSource: our books,,\n"
    facts = await facts_of(tables, tmp_path, text)
    assert (facts.read.header_rows, facts.read.last_row, facts.read.totals_row) == ((2,), 5, 6)
    assert (facts.rows, facts.columns[1].maximum) == (3, 30)


async def test_a_file_without_a_header_has_places_for_names(tables: FileTables, tmp_path: Path) -> None:
    facts = await facts_of(tables, tmp_path, "1,2.5,a\n2,3.5,b\n3,4.5,a\n")
    assert (facts.read.header_rows, facts.rows) == ((), 3)
    assert kinds(facts) == {"column_1": "integer", "column_2": "number", "column_3": "text"}


async def test_decimal_commas_are_numbers(tables: FileTables, tmp_path: Path) -> None:
    facts = await facts_of(tables, tmp_path, "Ort;Preis\nA;1,5\nB;2,25\nC;3,0\n")
    assert (facts.read.delimiter, facts.read.decimal) == (";", ",")
    assert (facts.columns[1].kind, facts.columns[1].maximum) == ("number", 3)


async def test_longer_rows_are_noticed(tables: FileTables, tmp_path: Path) -> None:
    facts = await facts_of(tables, tmp_path, "a,b\n1,2\n3,4,5\n6,7\n8,9\n")
    assert (facts.read.ragged, facts.rows, [column.name for column in facts.columns]) == (True, 4, ["a", "b"])


async def test_row_names_without_a_name_get_their_place(tables: FileTables, tmp_path: Path) -> None:
    facts = await facts_of(tables, tmp_path, "height,weight\nann,170,60\nbob,180,70\n")
    assert [column.name for column in facts.columns] == ["column_1", "height", "weight"]


async def test_text_under_the_name_of_an_old_workbook_is_read_as_text(tables: FileTables, tmp_path: Path) -> None:
    path = tmp_path / "export.xls"
    path.write_text("id\tname\n1\ta\n2\tb\n")
    profile = await tables.profile(path, "export.xls")
    assert (profile.kind, only(profile).facts.read.delimiter) == ("csv", "\t")


async def test_a_preview_shows_the_first_rows_and_counts_all(tables: FileTables, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("id,city\n" + "".join(f"{number},c{number}\n" for number in range(300_000)))
    shown = await tables.preview(path, "t.csv", rows=2)
    assert shown.columns == ("id", "city")
    assert shown.rows == ((0, "c0"), (1, "c1"))
    assert shown.total_rows == 300_000
