from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.sandbox.embedded import fonts


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "system"
    (folder / "truetype").mkdir(parents=True)
    monkeypatch.setattr(fonts, "_SYSTEM", (folder,))
    return folder


def sessions(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    return folder


def test_a_list_made_once_is_lent_to_later_starts(tmp_path: Path, system: Path) -> None:
    first, later = sessions(tmp_path, "first"), sessions(tmp_path, "later")
    fonts.lend(tmp_path / "cache", first)
    assert not list((first / fonts.PLACE).iterdir())
    (first / fonts.PLACE / "fontlist-v1.json").write_text("list")
    fonts.keep(tmp_path / "cache", first)
    fonts.lend(tmp_path / "cache", later)
    assert (later / fonts.PLACE / "fontlist-v1.json").read_text() == "list"


def test_an_installed_font_makes_the_list_anew(tmp_path: Path, system: Path) -> None:
    first, later = sessions(tmp_path, "first"), sessions(tmp_path, "later")
    fonts.lend(tmp_path / "cache", first)
    (first / fonts.PLACE / "fontlist-v1.json").write_text("list")
    fonts.keep(tmp_path / "cache", first)
    (system / "truetype" / "new").mkdir()
    fonts.lend(tmp_path / "cache", later)
    assert not list((later / fonts.PLACE).iterdir())


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path, system: Path) -> None:
    (tmp_path / "cache").touch()
    first = sessions(tmp_path, "first")
    fonts.lend(tmp_path / "cache", first)
    (first / fonts.PLACE / "fontlist-v1.json").write_text("list")
    fonts.keep(tmp_path / "cache", first)
    assert (tmp_path / "cache").read_text() == ""
