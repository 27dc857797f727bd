"""What goes wrong is told in one line, in the person's language, with what to do about it."""

from __future__ import annotations

import asyncio
import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import xlsxwriter
from tests.support.commands import Commands, Said


def empty(path: Path) -> None:
    path.write_bytes(b"")


def only_a_header(path: Path) -> None:
    path.write_text("\n\n", encoding="utf-8")


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def damaged(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<broken")


def not_a_table(path: Path) -> None:
    path.write_bytes(b"%PDF-1.7\n")


def sheetless(path: Path) -> None:
    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet("leer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bad:
    """A file that cannot be used, and words that its message must hold in either language."""

    name: str
    make: Callable[[Path], None]
    en: tuple[str, ...]
    zh: tuple[str, ...]


FILES = (
    Bad(name="empty.csv", make=empty, en=("holds no table", "header row"), zh=("没有表格", "表头")),
    Bad(name="blank.csv", make=only_a_header, en=("holds no table",), zh=("没有表格",)),
    Bad(name="binary.csv", make=binary, en=("cannot be read", "spreadsheet"), zh=("无法读取", "表格软件")),
    Bad(name="broken.xlsx", make=damaged, en=("cannot be read", "damaged"), zh=("无法读取", "损坏")),
    Bad(name="paper.pdf", make=not_a_table, en=("not a kind of file", "csv"), zh=("不是能读取的文件类型", "csv")),
    Bad(name="none.xlsx", make=sheetless, en=("holds no table",), zh=("没有表格",)),
)


def one_line(said: Said, *words: str) -> None:
    assert "Traceback" not in said.err
    assert len(said.err.strip().splitlines()) == 1, said.err
    for word in words:
        assert word.lower() in said.err.lower(), said.err


@pytest.mark.requirement("bad-input-file")
@pytest.mark.parametrize("bad", FILES, ids=lambda bad: bad.name)
async def test_a_file_that_cannot_be_used_is_named_with_the_remedy(commands: Commands, bad: Bad) -> None:
    path = commands.folder / bad.name
    bad.make(path)
    english, chinese = await asyncio.gather(
        commands.run("ask", str(path), "how many rows are there?"), commands.run("ask", str(path), "一共有多少行？")
    )
    assert (english.code, chinese.code) == (1, 1)
    one_line(english, bad.name, *bad.en)
    one_line(chinese, bad.name, *bad.zh)


@pytest.mark.requirement("bad-input-password")
async def test_a_file_with_a_password_is_told_so(commands: Commands) -> None:
    path = commands.folder / "locked.xlsx"
    await encrypted(path)
    said = await commands.run("ask", str(path), "how many rows are there?")
    assert said.code == 1
    one_line(said, "locked.xlsx", "password")


async def encrypted(path: Path) -> None:
    """Write a workbook as Excel does with a password: an OLE container around the encrypted package."""
    from msoffcrypto.format.ooxml import OOXMLFile

    plain = path.with_name("plain.xlsx")
    with xlsxwriter.Workbook(str(plain)) as book:
        book.add_worksheet().write_row(0, 0, ["a", "b"])
    with plain.open("rb") as source, path.open("wb") as target:
        OOXMLFile(source).encrypt("secret", target)


@pytest.mark.requirement("bad-input-huge-file")
async def test_a_file_that_is_too_large_is_refused_before_it_is_read(commands: Commands) -> None:
    path = commands.folder / "huge.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 600_000)
    said = await commands.run("ask", str(path), "how many rows?", "--set", "files.max_size=1MiB")
    assert said.code == 1
    one_line(said, "huge.csv", "larger than 1", "files.max_size")


@pytest.mark.requirement("bad-input-wrong-use")
@pytest.mark.usefixtures("sales")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nowhere.csv", "how many rows?"], 2, ["nowhere.csv", "no file"]),
        (["FOLDER", "how many rows?"], 2, ["folder"]),
        (["sales.csv"], 2, ["no question"]),
        (["sales.csv", "  "], 2, ["no question"]),
        ([], 2, ["no question"]),
        (["how many rows?"], 2, ["No file"]),
        (["sales.csv", "how many rows?", "--model", "gpt"], 2, ["no model", "builtin"]),
        (["sales.csv", "how many rows?", "--conversation", "none"], 2, ["conversation", "none"]),
        (["sales.csv", "how many rows?", "--set", "react.max_stepz=3"], 2, ["react.max_steps"]),
        (["sales.csv", "how many rows?", "--server", "http://127.0.0.1:9"], 1, ["nothing answers", "127.0.0.1:9"]),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else str(value),
)
async def test_wrong_use_is_told_with_the_remedy(
    commands: Commands, words: list[str], code: int, said: list[str]
) -> None:
    given = [str(commands.folder) if word == "FOLDER" else word for word in words]
    ended = await commands.run("ask", *given)
    assert ended.code == code, ended.err
    one_line(ended, *said)


@pytest.mark.requirement("bad-input-missing-column")
async def test_a_column_that_is_not_there_is_declined_with_what_is_there(commands: Commands, sales: Path) -> None:
    said = await commands.run("ask", str(sales), "What is the average temperature per planet?")
    assert said.code == 3
    assert "amount" in said.out


@pytest.mark.requirement("bad-input-model-unreachable")
async def test_a_model_that_cannot_be_reached_is_named_with_the_way_out(commands: Commands, sales: Path) -> None:
    commands.environ = {
        "TABLEWRIGHT_PROVIDERS__NEAR__BASE_URL": "http://127.0.0.1:9/v1",
        "TABLEWRIGHT_PROVIDERS__NEAR__API_KEY": "k",
    }
    said = await commands.run("ask", str(sales), "how many rows?", "--model", "near:m")
    assert said.code == 1
    one_line(said, "near:m", "cannot be reached", "nothing answers at 127.0.0.1:9", "builtin")
    said = await commands.run("ask", str(sales), "一共有多少行？", "--model", "near:m")
    one_line(said, "无法连接模型 near:m：127.0.0.1:9 没有响应", "builtin")


@pytest.mark.requirement("bad-input-model-unknown-first")
async def test_a_model_that_nobody_knows_is_told_before_a_file_is_read(commands: Commands) -> None:
    path = commands.folder / "empty.csv"
    empty(path)
    english, chinese = await asyncio.gather(
        commands.run("ask", str(path), "how many rows?", "--model", "opnai:gpt-5"),
        commands.run("ask", str(path), "一共有多少行？", "--set", "model=nobody"),
    )
    assert (english.code, chinese.code) == (2, 2)
    one_line(english, "no model", "opnai:gpt-5", "openai:…")
    one_line(chinese, "没有名为“nobody”的模型", "builtin")


async def test_a_model_whose_key_is_missing_names_the_setting(commands: Commands, sales: Path) -> None:
    commands.environ = {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}
    said = await commands.run("ask", str(sales), "一共有多少行？", "--model", "openai:gpt-5")
    assert said.code == 1
    one_line(said, "openai:gpt-5", "没有密钥", "providers.openai.api_key", "builtin")


@pytest.mark.requirement("bad-input-no-sandbox")
async def test_without_a_sandbox_nothing_runs_and_the_reason_is_told(commands: Commands, sales: Path) -> None:
    said = await commands.run("ask", str(sales), "how many rows?", "--set", "sandbox.python=/nowhere/python")
    assert said.code == 1
    one_line(said, "safely", "tablewright doctor")
    doctor = await commands.run("doctor", "--set", "sandbox.python=/nowhere/python")
    assert doctor.code == 1
    assert "✗ sandbox" in doctor.out


@pytest.mark.requirement("bad-input-configuration")
async def test_a_broken_configuration_names_the_file_and_the_setting(commands: Commands, sales: Path) -> None:
    (commands.folder / "tablewright.yaml").write_text("react:\n  max_steps: several\n", encoding="utf-8")
    for words in (["ask", str(sales), "how many?"], ["serve"], ["doctor"], ["config", "show"]):
        said = await commands.run(*words)
        assert said.code == 2
        one_line(said, "tablewright.yaml", "react.max_steps", "several")


@pytest.mark.requirement("bad-input-database")
@pytest.mark.parametrize("command", ["serve", "ask"])
async def test_a_database_that_does_not_answer_is_told(commands: Commands, sales: Path, command: str) -> None:
    url = "postgresql://someone:hush@127.0.0.1:9/nothing"
    words = ["serve", "--port", "0"] if command == "serve" else ["ask", str(sales), "how many rows?"]
    said = await commands.run(*words, "--set", f"database.url={url}")
    assert said.code == 1
    assert "hush" not in said.err + said.out
    told = [line for line in said.err.splitlines() if "tablewright db upgrade" in line]
    assert len(told) == 1
    assert "127.0.0.1:9" in told[0]


@pytest.mark.requirement("bad-input-full-disk")
async def test_a_full_disk_is_told(commands: Commands, sales: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root to mount a small file system")
    small = commands.folder / "small"
    small.mkdir()
    mounted = await asyncio.create_subprocess_exec("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small))
    if await mounted.wait() != 0:
        pytest.skip("no file system can be mounted here")
    try:
        said = await commands.run("ask", str(sales), "how many?", "--data-dir", str(small / "data"))
    finally:
        await (await asyncio.create_subprocess_exec("umount", "-l", str(small))).wait()
    assert said.code == 1
    one_line(said, "no space", "data_dir")
