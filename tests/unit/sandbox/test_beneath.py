from __future__ import annotations

import os
from pathlib import Path

import pytest

from tablewright.errors import NotFound
from tablewright.sandbox import beneath


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / "sub").mkdir(parents=True)
    (folder / "plain").write_text("text")
    (folder / "sub" / "deep").write_text("deep text")
    (tmp_path / "secret").write_text("secret")
    return folder


def read(root: Path, path: str) -> bytes:
    with os.fdopen(beneath.open_file(root, path), "rb") as file:
        return file.read()


def test_regular_files_are_read_at_any_depth(root: Path) -> None:
    assert read(root, "plain") == b"text"
    assert read(root, "sub/deep") == b"deep text"


@pytest.mark.parametrize("path", ["", ".", "/plain", "../secret", "sub/../plain", "none", "sub", "plain/x", "a\0b"])
def test_what_is_no_path_below_is_not_found(root: Path, path: str) -> None:
    with pytest.raises(NotFound):
        beneath.open_file(root, path)


def test_links_are_not_followed_at_the_end_or_on_the_way(root: Path) -> None:
    (root / "link").symlink_to(root.parent / "secret")
    (root / "folder").symlink_to(root.parent)
    (root / "inner").symlink_to("sub")
    for path in ("link", "folder/secret", "inner/deep"):
        with pytest.raises(NotFound):
            beneath.open_file(root, path)


def test_a_file_with_a_second_name_is_not_read(root: Path) -> None:
    os.link(root.parent / "secret", root / "hard")
    with pytest.raises(NotFound):
        beneath.open_file(root, "hard")


def test_a_pipe_is_neither_read_nor_waited_for(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with pytest.raises(NotFound):
        beneath.open_file(root, "pipe")


def test_a_survey_lists_regular_files_and_counts_everything(root: Path) -> None:
    (root / "link").symlink_to("plain")
    os.mkfifo(root / "pipe")
    found = beneath.survey(root, max_entries=100)
    assert [(file.path, file.size_bytes) for file in found.files] == [("plain", 4), ("sub/deep", 9)]
    assert found.entries == 5
    assert found.disk_bytes >= 8192
    assert not found.hidden


def test_a_file_of_holes_counts_as_what_it_would_be_when_it_is_handed_over(root: Path) -> None:
    with (root / "holes").open("wb") as file:
        file.truncate(1 << 30)
    assert beneath.survey(root, max_entries=100).disk_bytes >= 1 << 30


def test_a_survey_gives_up_counting_in_time(root: Path) -> None:
    for number in range(50):
        (root / f"f{number}").touch()
    assert beneath.survey(root, max_entries=10).entries == 11


def test_what_lies_too_deep_counts_as_hidden(root: Path) -> None:
    folder = root
    for _ in range(beneath.MAX_DEPTH + 2):
        folder /= "d"
    folder.mkdir(parents=True)
    assert beneath.survey(root, max_entries=1000).hidden


def test_a_folder_that_is_gone_counts_as_hidden(tmp_path: Path) -> None:
    assert beneath.survey(tmp_path / "none", max_entries=10).hidden
