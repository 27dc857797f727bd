"""Methods of dataclasses are compiled once, and are the same as those that are compiled anew."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, field
from pathlib import Path
from typing import Any

import pytest

from tablewright.method_code import HOOK, MethodCode


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    yield tmp_path / "kept.methods"
    assert HOOK not in vars(dataclasses)


def sample() -> type[Any]:
    """Make a class with every method that ours have, and defaults of both kinds."""

    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True, order=True)
    class Sample:
        """One."""

        name: str
        count: int = 2
        parts: tuple[str, ...] = field(default_factory=tuple)

    return Sample


def made(place: Path) -> tuple[type[Any], int]:
    """Return the class as a process makes it, and how many of its methods were compiled."""
    methods = MethodCode(place)
    methods.reuse()
    try:
        return sample(), methods.compiled
    finally:
        methods.end()


def test_what_one_process_compiled_the_next_does_not(place: Path) -> None:
    _, first = made(place)
    _, second = made(place)
    assert first > 0
    assert second == 0


def test_kept_methods_do_what_compiled_ones_do(place: Path) -> None:
    made(place)
    (kept, _), plain = made(place), sample()
    assert inspect.signature(kept) == inspect.signature(plain)
    assert kept.__init__.__annotations__ == plain.__init__.__annotations__
    one, same, other = kept(name="a"), kept(name="a", parts=()), kept(name="b")
    assert (one == same, one == other, one < other) == (True, False, True)
    assert hash(one) == hash(same)
    assert repr(one) == repr(plain(name="a"))
    with pytest.raises(FrozenInstanceError):
        one.name = "c"
    with pytest.raises(FrozenInstanceError):
        del one.name


@pytest.mark.parametrize("content", [b"", b"short", b"of another Python" * 9])
def test_a_file_that_is_damaged_or_another_pythons_is_replaced(place: Path, content: bytes) -> None:
    place.write_bytes(content)
    assert made(place)[1] > 0
    assert made(place)[1] == 0


def test_a_file_that_was_not_written_whole_is_not_read(place: Path) -> None:
    made(place)
    place.write_bytes(place.read_bytes()[:-1])
    assert made(place)[1] > 0


def test_nothing_is_kept_where_bytecode_is_not(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    made(place)
    assert not place.exists()


def test_a_folder_that_is_not_there_is_done_without(place: Path) -> None:
    assert made(place / "nowhere" / "kept.methods")[1] > 0
    assert not place.exists()


def test_two_processes_keep_what_both_compiled(place: Path) -> None:
    one = MethodCode(place)
    one.reuse()
    sample()
    other = MethodCode(place)
    other.reuse()
    dataclasses.make_dataclass("Other", ["value"])
    other.end()
    one.end()
    again = MethodCode(place)
    again.reuse()
    sample()
    dataclasses.make_dataclass("Other", ["value"])
    compiled = again.compiled
    again.end()
    assert compiled == 0


def test_methods_of_many_versions_do_not_pile_up(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(place)
    monkeypatch.setattr("tablewright.method_code.MOST", 8)
    methods = MethodCode(place)
    methods.reuse()
    dataclasses.make_dataclass("Other", ["value"])
    methods.end()
    assert made(place)[1] > 0
