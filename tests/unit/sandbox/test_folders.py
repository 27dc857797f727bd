from __future__ import annotations

import os
from pathlib import Path

import pytest

from tablewright.errors import InvalidInput, SandboxUnavailable, StorageFull
from tablewright.sandbox import folders
from tablewright.sandbox.base import Input


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    path = tmp_path / "blob"
    path.write_bytes(b"x" * 3_000_000)
    return path


def test_inputs_are_copies_under_their_names(tmp_path: Path, stored: Path) -> None:
    folders.make(tmp_path / "s", [Input(path=stored, name="downloads/数据.csv")], None)
    copied = tmp_path / "s" / "shared" / "downloads" / "数据.csv"
    assert copied.read_bytes() == stored.read_bytes()
    assert copied.stat().st_ino != stored.stat().st_ino
    assert copied.stat().st_mode & 0o777 == 0o444
    assert {entry.name for entry in (tmp_path / "s").iterdir()} == {"shared", "work", "tmp"}


@pytest.mark.parametrize("name", ["", "/etc/x", "../x", "a/../../x", "a\0b"])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, stored: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        folders.make(tmp_path / "s", [Input(path=stored, name=name)], None)


def test_two_inputs_of_one_name_are_refused(tmp_path: Path, stored: Path) -> None:
    with pytest.raises(InvalidInput, match="one name"):
        folders.make(tmp_path / "s", [Input(path=stored, name="a/b"), Input(path=stored, name="a/./b")], None)


def test_no_room_for_the_inputs_is_named(tmp_path: Path) -> None:
    full = Path("/dev/full")
    with pytest.raises(StorageFull), Path("/dev/zero").open("rb") as reading, full.open("wb", buffering=0) as writing:
        folders._copy_bytes(reading, writing, full)


def test_folders_are_removed_whatever_was_done_to_them(tmp_path: Path) -> None:
    deep = tmp_path / "s" / "work" / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "file").touch()
    deep.chmod(0)
    deep.parent.chmod(0)
    folders.remove(tmp_path / "s")
    assert not (tmp_path / "s").exists()
    folders.remove(tmp_path / "s")


def test_removing_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "link").symlink_to(tmp_path / "kept")
    folders.remove(tmp_path / "s")
    assert (tmp_path / "kept" / "file").exists()


def test_a_live_supervisor_keeps_its_folder_and_a_dead_one_does_not(tmp_path: Path) -> None:
    live = folders.StateFolder(tmp_path, "live")
    live.open()
    (tmp_path / "dead").mkdir()
    (tmp_path / "dead" / "lock").touch()
    (tmp_path / "other").mkdir()
    second = folders.StateFolder(tmp_path, "second")
    second.open()
    assert {entry.name for entry in tmp_path.iterdir()} == {"live", "second", "other"}
    second.close()
    live.close()
    assert {entry.name for entry in tmp_path.iterdir()} == {"other"}


def test_a_folder_that_others_may_write_is_refused(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("open", "link"):
        with pytest.raises(SandboxUnavailable):
            folders.StateFolder(tmp_path / name, "state").open()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_what_a_session_may_write_belongs_to_its_user(tmp_path: Path, stored: Path) -> None:
    folders.make(tmp_path / "s", [Input(path=stored, name="a")], 2_000_000_001)
    assert (tmp_path / "s" / "work").stat().st_uid == 2_000_000_001
    assert (tmp_path / "s" / "shared").stat().st_uid == 0
