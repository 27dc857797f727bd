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


def test_nobody_else_enters_a_session_s_folder(tmp_path: Path, stored: Path) -> None:
    folders.make(tmp_path / "s", [Input(path=stored, name="a")], None)
    assert (tmp_path / "s").stat().st_mode & 0o777 == 0o700


def test_two_inputs_of_one_name_are_refused(tmp_path: Path, stored: Path) -> None:
    with pytest.raises(InvalidInput, match="input_name_twice"):
        folders.make(tmp_path / "s", [Input(path=stored, name="a/b"), Input(path=stored, name="a/./b")], None)


def test_no_room_for_the_inputs_is_named(tmp_path: Path) -> None:
    full = Path("/dev/full")
    with pytest.raises(StorageFull), Path("/dev/zero").open("rb") as reading, full.open("wb", buffering=0) as writing:
        folders._copy_bytes(reading, writing, full)


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


@pytest.mark.requirement("sandbox-slot-survives-removal")
@pytest.mark.parametrize("error", [RecursionError, OSError, MemoryError])
def test_what_cannot_be_removed_is_moved_aside_and_removed_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def refuse(_folder: Path) -> None:
        raise error

    state = folders.StateFolder(tmp_path, "state")
    state.open()
    (state.root / "sessions" / "one" / "work").mkdir(parents=True)
    with monkeypatch.context() as broken:
        broken.setattr(folders, "remove", refuse)
        state.discard(state.root / "sessions" / "one")
        assert not list((state.root / "sessions").iterdir())
        state.close()
    assert {entry.name for entry in tmp_path.iterdir()} == {".left-one", ".left-state"}
    later = folders.StateFolder(tmp_path, "later")
    later.open()
    assert {entry.name for entry in tmp_path.iterdir()} == {"later"}
    later.close()


def test_the_rest_of_a_removal_that_was_cut_short_is_removed_without_its_lock(tmp_path: Path) -> None:
    name = "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"
    for part in ("sessions", "tmp", ".0f-12"):
        (tmp_path / name / part).mkdir(parents=True)
    other = "0192f0c1-2a3b-7c4d-8e5f-60718293a4b6"
    (tmp_path / other / "letters").mkdir(parents=True)
    (tmp_path / "photos" / "sessions").mkdir(parents=True)
    state = folders.StateFolder(tmp_path, "state")
    state.open()
    assert {entry.name for entry in tmp_path.iterdir()} == {"state", other, "photos"}
    state.close()


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
    assert (tmp_path / "s").stat().st_mode & 0o777 == 0o710
    assert (tmp_path / "s").stat().st_gid == 2_000_000_001
    assert (tmp_path / "s" / "shared").stat().st_uid == 0
