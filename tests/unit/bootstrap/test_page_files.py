"""What `doctor` looks for is what the page was built of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.bootstrap import checks

SHELL = '<link href="/app/icon.svg"><script type="module" src="/app/assets/index-1.js"></script>'
PARTS = ("icon.svg", "assets/index-1.js", "frames/chart.html", "frames/chart.js")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have a page in the place of the one that may have been built, all of it there."""
    for name in ("index.html", *PARTS):
        (place := tmp_path / checks.PAGE / name).parent.mkdir(parents=True, exist_ok=True)
        place.write_text(SHELL)
    monkeypatch.setattr(checks, "files", lambda package: tmp_path)
    return tmp_path / checks.PAGE


@pytest.mark.parametrize("part", PARTS)
def test_every_part_that_the_page_needs_is_looked_for(folder: Path, part: str) -> None:
    assert checks._page().state == "ok"
    (folder / part).unlink()
    found = checks._page()
    assert (found.state, found.code, found.params) == ("bad", "missing", {"names": part})


def test_a_page_that_was_not_built_is_a_note(folder: Path) -> None:
    (folder / "index.html").unlink()
    assert (checks._page().state, checks._page().code) == ("note", "unbuilt")
