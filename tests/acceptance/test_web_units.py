"""The page's own tests: its reducer, its stream, its fields, its grid, its charts."""

from __future__ import annotations

import gzip
import re
import shutil
from importlib.resources import files
from pathlib import Path

import pytest
from tests.support.web_build import AXE, built, run_web_tests

pytestmark = pytest.mark.skipif(
    shutil.which("npx") is None or not AXE.is_file(), reason="no packages of the page: scripts/page.sh (needs npm)"
)

FIRST_LOAD_BYTES = 200_000


@pytest.mark.skipif(not built(), reason="the page is not built: scripts/page.sh (needs npm's registry)")
def test_what_the_page_loads_before_its_lazy_parts_is_small() -> None:
    page = files("tablewright").joinpath("_web")
    scripts = re.findall(r'"/app/(assets/[^"]+\.js)"', page.joinpath("index.html").read_text(encoding="utf-8"))
    assert len(scripts) > 2
    assert sum(len(gzip.compress(page.joinpath(script).read_bytes())) for script in scripts) <= FIRST_LOAD_BYTES


@pytest.mark.timeout(600)
def test_the_tests_of_the_page_itself_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = run_web_tests(tmp_path / "report.json")
    with capsys.disabled():
        print(f"\nweb: {told.passed} passed, {told.failed} failed")
    assert told.names == ()
    assert told.failed == 0
    assert told.passed > 20
