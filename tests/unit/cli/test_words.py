"""How the words of `ask` are told apart, and where its files go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import cast
from zipfile import ZipFile

import pytest

from tablewright.cli.ask import read_words
from tablewright.cli.clients.base import Client
from tablewright.cli.exits import WrongUse
from tablewright.cli.output_files import names_of_report, save_files
from tablewright.cli.sources import check_source
from tablewright.domain.artifact import ArtifactRef
from tablewright.errors import QuestionMissing


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "a.csv"
    path.write_text("x\n1\n", encoding="utf-8")
    return str(path)


def test_the_last_word_is_the_question(table: str) -> None:
    assert read_words([table, table, "how many?"], continued=False) == ([table, table], "how many?")


@pytest.mark.parametrize("words", [[], ["TABLE"], ["TABLE", "TABLE"], ["TABLE", "  "], ["postgresql://u:p@h/d"]])
def test_without_a_question_it_is_asked_for(words: list[str], table: str) -> None:
    with pytest.raises(QuestionMissing):
        read_words([table if word == "TABLE" else word for word in words], continued=False)


def test_without_a_file_it_is_asked_for_unless_a_conversation_goes_on() -> None:
    with pytest.raises(WrongUse) as raised:
        read_words(["how many?"], continued=False)
    assert raised.value.code == "cli_no_files"
    assert read_words(["and by month?"], continued=True) == ([], "and by month?")


def test_a_file_that_is_missing_or_a_folder_is_named(tmp_path: Path) -> None:
    for name, code in ((tmp_path / "no.csv", "cli_file_missing"), (tmp_path, "cli_file_is_folder")):
        with pytest.raises(WrongUse) as raised:
            read_words([str(name), "how many?"], continued=False)
        assert raised.value.code == code
        assert raised.value.params["name"] == str(name)


def test_an_address_of_an_unknown_kind_is_told_with_the_known_ones() -> None:
    with pytest.raises(WrongUse) as raised:
        read_words(["oracle://user:secret@h/db", "how many?"], continued=False)
    assert raised.value.code == "cli_address_unknown"
    assert raised.value.params["scheme"] == "oracle"
    assert "postgresql" in str(raised.value.params["known"])
    assert "secret" not in str(raised.value.params)


def test_a_mistyped_file_is_told_with_the_nearest_there_is(tmp_path: Path) -> None:
    (tmp_path / "sales-2024.csv").touch()
    with pytest.raises(WrongUse) as raised:
        check_source(tmp_path / "sale-2024.csv")
    assert (raised.value.code, raised.value.params["near"]) == (
        "cli_file_missing_near",
        str(tmp_path / "sales-2024.csv"),
    )
    with pytest.raises(WrongUse) as raised:
        check_source(tmp_path / "plan.csv")
    assert raised.value.code == "cli_file_missing"
    with pytest.raises(WrongUse) as raised:
        check_source(tmp_path / "Sales-2024.xlsx")
    assert raised.value.params["near"] == str(tmp_path / "sales-2024.csv")
    with pytest.raises(WrongUse) as raised:
        check_source(tmp_path / "none" / "sales-2024.csv")
    assert (raised.value.code, raised.value.params["folder"]) == ("cli_folder_missing", str(tmp_path / "none"))


class OneFile:
    """A client that only downloads."""

    async def download(self, _file_id: str) -> AsyncIterator[bytes]:
        yield b"new"


async def test_written_files_overwrite_nothing_and_stay_in_their_folder(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("old", encoding="utf-8")
    names = ("a.csv", "a.csv", "../../b.csv", "..")
    files = [ArtifactRef(id=str(i), name=name, mime="text/csv", size_bytes=3) for i, name in enumerate(names)]
    saved = await save_files(cast(Client, OneFile()), files, tmp_path)
    assert [path.name for path in saved] == ["a (2).csv", "a (3).csv", "b.csv", "file"]
    assert {path.parent for path in saved} == {tmp_path}
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") == "old"


class OneWorkbook:
    """A client that downloads a workbook, which tells when it was written."""

    def __init__(self, written: str, cells: str) -> None:
        self._written, self._cells = written, cells

    async def download(self, _file_id: str) -> AsyncIterator[bytes]:
        made = BytesIO()
        with ZipFile(made, "w") as archive:
            archive.writestr("xl/worksheets/sheet1.xml", self._cells)
            archive.writestr("docProps/core.xml", self._written)
        yield made.getvalue()


async def test_a_report_made_again_adds_no_file_that_says_the_same(tmp_path: Path) -> None:
    async def made(number: int, cells: str, target: Path | None = tmp_path / "sales.md") -> str:
        name = "report_tables.xlsx" if number == 1 else f"report_tables ({number}).xlsx"
        file = ArtifactRef(id="1", name=name, mime="application/zip", size_bytes=3)
        client = cast(Client, OneWorkbook(f"at {number}", cells))
        (saved,) = await save_files(client, [file], tmp_path, named=names_of_report(target))
        return saved.name

    assert await made(1, "a") == "sales_report_tables.xlsx"
    assert await made(2, "a") == "sales_report_tables.xlsx"
    assert await made(3, "b") == "sales_report_tables (2).xlsx"
    assert await made(4, "a", tmp_path / "week.slides.html") == "week_report_tables.xlsx"
    assert await made(5, "a", None) == await made(6, "a", None) == "report_tables.xlsx"
    (tmp_path / "own_report_tables.xlsx").write_text("mine", encoding="utf-8")
    assert await made(7, "a", tmp_path / "own.md") == "own_report_tables (2).xlsx"
    assert (tmp_path / "own_report_tables.xlsx").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "sales_report_tables (3).xlsx").exists()
