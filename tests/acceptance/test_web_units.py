"""The page's own tests: its reducer, its stream, its fields, its grid, its charts."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.support.web_build import AXE, run_web_tests

pytestmark = pytest.mark.skipif(
    shutil.which("npx") is None or not AXE.is_file(), reason="no packages of the page: scripts/page.sh (needs npm)"
)


@pytest.mark.timeout(600)
def test_the_tests_of_the_page_itself_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = run_web_tests(tmp_path / "report.json")
    with capsys.disabled():
        print(f"\nweb: {told.passed} passed, {told.failed} failed")
    assert told.names == ()
    assert told.failed == 0
    assert told.passed > 20
