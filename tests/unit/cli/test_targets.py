"""Where an edited workbook is written, and that nothing is overwritten unasked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tablewright.cli.exits import WrongUse
from tablewright.cli.targets import OutputTarget, guarded_in, target_for, write


async def content(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def put(target: OutputTarget, pieces: AsyncIterator[bytes]) -> Path:
    return asyncio.run(write(target, pieces))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "book.xlsx"
    path.write_bytes(b"old")
    return path


@pytest.mark.parametrize(
    ("name", "beside"),
    [("a.xlsx", "a-edited.xlsx"), ("a.xlsm", "a-edited.xlsm"), ("a.csv", "a-edited.xlsx"), ("a.ods", "a-edited.xlsx")],
)
def test_by_default_the_result_stands_beside_its_source(tmp_path: Path, name: str, beside: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")
    assert put(target_for(path, None), content(b"ne", b"w")) == tmp_path / beside
    assert (tmp_path / beside).read_bytes() == b"new"
    assert put(target_for(path, None), content(b"newer")) == tmp_path / beside.replace("edited", "edited (2)")
    assert path.read_bytes() == b"old"


def test_the_source_is_replaced_only_where_it_is_named(source: Path) -> None:
    source.chmod(0o640)
    target = target_for(source, str(source.parent / "." / source.name))
    assert put(target, content(b"new")) == source
    assert source.read_bytes() == b"new"
    assert source.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in source.parent.iterdir()] == ["book.xlsx"]


def test_a_source_that_was_changed_meanwhile_is_left_alone(source: Path) -> None:
    target = target_for(source, str(source))
    source.write_bytes(b"changed by another program")
    assert put(target, content(b"new")) == source.with_name("book (2).xlsx")
    assert source.read_bytes() == b"changed by another program"


def test_a_place_that_was_taken_meanwhile_is_left_alone(source: Path) -> None:
    target = target_for(source, str(source.with_name("out.xlsx")))
    source.with_name("out.xlsx").write_bytes(b"mine")
    assert put(target, content(b"new")) == source.with_name("out (2).xlsx")
    assert source.with_name("out.xlsx").read_bytes() == b"mine"


def test_other_files_and_other_kinds_are_refused_before_anything_is_done(source: Path) -> None:
    other = source.with_name("other.xlsx")
    other.write_bytes(b"mine")
    for out, code in ((str(other), "cli_out_exists"), ("x.pdf", "cli_out_kind"), ("x.xlsm", "cli_out_kind")):
        with pytest.raises(WrongUse) as raised:
            target_for(source, out)
        assert raised.value.code == code


def test_content_that_breaks_off_leaves_nothing(source: Path) -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield b"half"
        raise ConnectionError

    with pytest.raises(ConnectionError):
        put(target_for(source, None), broken())
    assert [path.name for path in source.parent.iterdir()] == ["book.xlsx"]


def test_cells_that_were_kept_from_being_formulas_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "made.csv"
    path.write_text("\ufeffcity,note\n'=1+1,'90s\n\"'@a\nb\",-5\n", encoding="utf-8")
    assert guarded_in(path, OutputTarget(path=path)) == 2
    assert guarded_in(path, OutputTarget(path=path, guard=False)) == 0
    book = tmp_path / "made.xlsx"
    assert guarded_in(book, OutputTarget(path=book)) == 0
