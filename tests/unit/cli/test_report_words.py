"""The words of `tablewright report`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.cli.exits import WrongUse
from tablewright.cli.report import kind_of, read_words, target_of


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "b.xlsx"):
        (tmp_path / name).write_text("x\n1\n")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "files", "wish"),
    [
        (["a.csv"], ["a.csv"], ""),
        (["a.csv", "b.xlsx"], ["a.csv", "b.xlsx"], ""),
        (["a.csv", "which city leads"], ["a.csv"], "which city leads"),
        (["a.csv", "b.xlsx", "趋势"], ["a.csv", "b.xlsx"], "趋势"),
    ],
)
def test_files_come_first_and_a_wish_may_follow(place: Path, words: list[str], files: list[str], wish: str) -> None:
    assert read_words(words) == ([Path(name) for name in files], wish)


@pytest.mark.parametrize("words", [[], ["which city leads"], ["c.csv"], ["a.csv", "c.csv"], ["c.csv", "trend"]])
def test_without_files_or_with_a_missing_one_nothing_is_done(place: Path, words: list[str]) -> None:
    with pytest.raises(WrongUse):
        read_words(words)


@pytest.mark.parametrize("out", ["r.odt", "r", "a.csv", "none/r.md"])
def test_a_form_that_there_is_not_yet_is_refused(place: Path, out: str) -> None:
    with pytest.raises(WrongUse):
        target_of(out)


def test_a_report_is_written_in_every_form(place: Path) -> None:
    names = ("r.md", "r.HTML", "r.slides.html", "r.docx", "r.xlsx", "r.pdf")
    assert [target_of(name) for name in (None, *names)] == [None, *map(Path, names)]


@pytest.mark.parametrize(
    ("name", "kind"), [("r.html", "report.html"), ("a.Slides.HTML", "report.slides.html"), (".html", None), ("r", None)]
)
def test_the_longest_ending_of_a_name_says_the_form(name: str, kind: str | None) -> None:
    assert kind_of(Path(name)) == kind
