from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tablewright.sandbox import removal

_DEEP = 1_500


def _chain(folder: Path, depth: int) -> None:
    """Make folders one inside the other, deeper than any path may be long."""
    handle = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("deeper", dir_fd=handle)
        deeper = os.open("deeper", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = deeper
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=handle))
    os.close(handle)


@contextmanager
def _few_descriptors(count: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(list(Path("/proc/self/fd").iterdir())) + count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.requirement("sandbox-slot-survives-removal")
def test_a_folder_deeper_than_any_path_is_removed_with_few_descriptors(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    folder.mkdir()
    _chain(folder, _DEEP)
    with _few_descriptors(4):
        removal.remove(folder)
    assert not list(tmp_path.iterdir())


def test_a_wide_folder_of_deep_ones_is_removed(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / "s" / name).mkdir(parents=True)
        _chain(tmp_path / "s" / name, 200)
    removal.remove(tmp_path / "s")
    assert not list(tmp_path.iterdir())


def test_a_deep_folder_without_permissions_is_removed(tmp_path: Path) -> None:
    current = tmp_path / "s"
    for number in range(6):
        current = current / str(number)
    current.mkdir(parents=True)
    (current / "file").touch()
    while current != tmp_path / "s":
        current.chmod(0o500 if current.name == "3" else 0)
        current = current.parent
    removal.remove(tmp_path / "s")
    assert not list(tmp_path.iterdir())


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    (tmp_path / "s").symlink_to(tmp_path / "kept")
    with pytest.raises(OSError, match="s"):
        removal.remove(tmp_path / "s")
    assert (tmp_path / "kept" / "file").exists()


def test_links_pipes_and_odd_names_are_removed_and_nothing_behind_them(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    inner = tmp_path / "s" / "a"
    inner.mkdir(parents=True)
    (inner / "link").symlink_to(tmp_path / "kept")
    os.mkfifo(inner / "pipe")
    Path(os.fsdecode(os.fsencode(inner) + b"/\xff\xfe")).touch()
    (inner / ("n" * 255)).mkdir()
    removal.remove(tmp_path / "s")
    assert (tmp_path / "kept" / "file").exists()
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept"]


def test_folders_are_removed_whatever_was_done_to_them(tmp_path: Path) -> None:
    deep = tmp_path / "s" / "work" / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "file").touch()
    deep.chmod(0)
    deep.parent.chmod(0)
    removal.remove(tmp_path / "s")
    assert not (tmp_path / "s").exists()
    removal.remove(tmp_path / "s")


def test_removing_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "link").symlink_to(tmp_path / "kept")
    removal.remove(tmp_path / "s")
    assert (tmp_path / "kept" / "file").exists()
