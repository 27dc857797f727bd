"""A name means a file of the conversation, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.errors import FileNotNamed
from tablewright.texts.errors import describe
from tablewright.tools.base import ToolFile
from tablewright.tools.file_names import named_file

FILES = [
    ToolFile(name="sales.csv", path=Path("/blobs/1"), input_name="sales.csv"),
    ToolFile(name="门店 销售.xlsx", path=Path("/blobs/2"), input_name="门店 销售.xlsx"),
    ToolFile(name="web.csv", path=Path("/blobs/3"), input_name="downloads/web.csv"),
    ToolFile(name="A.csv", path=Path("/blobs/4")),
    ToolFile(name="a.csv", path=Path("/blobs/5")),
]


@pytest.mark.parametrize(
    "name",
    ["sales.csv", "data/sales.csv", "./data/sales.csv", "/data/shared/sales.csv", " sales.csv ", "data\\sales.csv",
     "SALES.CSV"],
)  # fmt: skip
def test_a_file_has_several_names(name: str) -> None:
    assert named_file(FILES, name).path == Path("/blobs/1")


def test_a_downloaded_file_is_named_with_and_without_its_folder() -> None:
    assert {named_file(FILES, name).name for name in ("web.csv", "downloads/web.csv", "data/web.csv")} == {"web.csv"}


def test_case_decides_between_two_files() -> None:
    assert named_file(FILES, "data/A.csv").path == Path("/blobs/4")
    assert named_file(FILES[:4], "a.CSV").path == Path("/blobs/4")
    with pytest.raises(FileNotNamed):
        named_file([*FILES[3:], ToolFile(name="x", path=Path("/"))], "a.CSV")


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "/etc/passwd", "data/../sales.csv", "file:///etc/passwd", "", "\0", "/blobs/1", "data/",
     "other.csv", "sales.csv\0.txt", "~/.ssh/id_rsa"],
)  # fmt: skip
def test_nothing_but_the_names_of_the_conversation_is_found(name: str) -> None:
    with pytest.raises(FileNotNamed):
        named_file(FILES, name)


def test_what_is_not_found_tells_near_and_known_names() -> None:
    with pytest.raises(FileNotNamed) as raised:
        named_file(FILES, "data/sale.csv")
    assert describe(raised.value, "en") == (
        "There is no file “data/sale.csv” in this conversation. Perhaps “sales.csv” is meant; its files: sales.csv, "
        "门店 销售.xlsx, web.csv, A.csv, a.csv."
    )
    with pytest.raises(FileNotNamed) as raised:
        named_file([], "x")
    assert describe(raised.value, "zh") == "这个对话里没有文件“x”。对话中还没有文件；请先上传。"
