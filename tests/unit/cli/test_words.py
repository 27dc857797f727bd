"""How the words of `ask` are told apart, and where its files go."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import pytest

from tablewright.cli.ask import read_words
from tablewright.cli.clients.base import Client
from tablewright.cli.exits import WrongUse
from tablewright.cli.output_files import save_files
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
