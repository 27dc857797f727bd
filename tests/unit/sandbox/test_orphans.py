from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablewright.sandbox.worker import orphans

BYTES = 1024**2


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[int]:
    """A descriptor of a file without a name."""
    handle = os.open(tmp_path / "f", os.O_RDWR | os.O_CREAT)
    os.unlink(tmp_path / "f")  # noqa: PTH108 - beside os.open
    os.write(handle, bytes(BYTES))
    yield handle
    os.close(handle)


def space(folder: Path) -> int | None:
    return orphans.space(os.getpid(), (str(folder),))


def test_a_deleted_file_that_is_open_is_counted_once(tmp_path: Path, kept: int) -> None:
    before = space(tmp_path)
    second = os.dup(kept)
    assert before is not None
    assert before >= BYTES
    assert space(tmp_path) == before
    os.close(second)


def test_files_with_names_are_not_counted(tmp_path: Path) -> None:
    before = space(tmp_path)
    with (tmp_path / "named").open("wb") as file:
        file.write(bytes(BYTES))
        file.flush()
        assert space(tmp_path) == before


def test_a_deleted_file_that_is_mapped_and_not_open_makes_the_space_unknown(tmp_path: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    handle = os.open(tmp_path / "f", os.O_RDWR | os.O_CREAT)
    os.unlink(tmp_path / "f")  # noqa: PTH108 - beside os.open
    os.write(handle, bytes(BYTES))
    address = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, handle, ctypes.c_long(0))
    assert space(tmp_path) is not None
    os.close(handle)
    assert space(tmp_path) is None
    assert space(tmp_path / "elsewhere") is not None
    libc.munmap(ctypes.c_void_p(address), ctypes.c_size_t(4096))
    assert space(tmp_path) is not None


def test_a_process_that_has_ended_keeps_nothing(tmp_path: Path) -> None:
    assert orphans.space(2**22 + 1, (str(tmp_path),)) == 0
