"""The page as it was built into the checkout, and the tests of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tablewright.api.app_page import page_is_built

ROOT = Path(__file__).resolve().parent.parent.parent
WEB = ROOT / "web"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
TESTS_S = 500


def built() -> bool:
    """Return whether there is a page, with the packages that its tests need."""
    return page_is_built() and AXE.is_file()


@dataclass(frozen=True, slots=True, kw_only=True)
class WebTests:
    """How the page's own tests went: how many passed and failed, and the names of those that failed."""

    passed: int
    failed: int
    names: tuple[str, ...]


def run_web_tests(report: Path) -> WebTests:
    """Run the page's own tests; their report goes to `report`."""
    npx = shutil.which("npx")
    assert npx is not None
    command = [npx, "vitest", "run", "--reporter=json", f"--outputFile={report}"]
    subprocess.run(command, cwd=WEB, env=dict(os.environ), capture_output=True, timeout=TESTS_S, check=False)
    told = json.loads(report.read_text(encoding="utf-8"))
    failed = [
        f"{file['name']}: {each['fullName']}"
        for file in told["testResults"]
        for each in file["assertionResults"]
        if each["status"] == "failed"
    ]
    lost = [file["name"] for file in told["testResults"] if file["status"] == "failed" and not file["assertionResults"]]
    return WebTests(passed=told["numPassedTests"], failed=told["numFailedTests"] + len(lost), names=(*failed, *lost))
