"""What `scripts/run_tests.sh` makes of tests that fail, each suite a small one of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]
PASSES = "def test_passes(): pass\n"
FAILS = "def test_fails(): assert False\n"
SKIPS = "import pytest\n\n@pytest.mark.skip(reason='not here')\ndef test_is_skipped(): pass\n"
ONCE = """
from pathlib import Path

def test_fails_once():
    before = Path(__file__).with_name("ran")
    if not before.exists():
        before.touch()
        assert False
"""
LONG = "import pytest\n\n@pytest.mark.long\ndef test_takes_long(): pass\n"
SETTINGS = """
[tool.pytest.ini_options]
pythonpath = ["."]
markers = ["long: takes long", "timeout: of a plugin"]
addopts = ["--import-mode=importlib"]
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """How the script ended, and what it wrote."""

    code: int
    lines: tuple[str, ...]

    @property
    def flaky(self) -> list[str]:
        return [line for line in self.lines if line.startswith("flaky: ")]

    def closing(self) -> list[str]:
        ends = (line.strip("= ") for line in self.lines if line.startswith("=") and line.endswith("="))
        return [line for line in ends if " in " in line]


@dataclass(frozen=True, slots=True)
class Project:
    """A project with the real script and conftest, and one test file a folder."""

    folder: Path

    def run(self, *words: str, tests: Mapping[str, str] | None = None, repeat: bool = True) -> Ran:
        for rung in ("unit", "docs", "integration", "integration/sandbox", "acceptance"):
            file = self.folder / "tests" / rung / f"test_{Path(rung).name}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text((tests or {}).get(rung, PASSES))
            # What was compiled of a file that is as long and of the same second passes for this one's.
            shutil.rmtree(file.with_name("__pycache__"), ignore_errors=True)
        ran = subprocess.run(
            [str(self.folder / "scripts" / "run_tests.sh"), *(words or ("short",))],
            # What plugins import is most of what so small a suite takes.
            env={**os.environ, "REPEAT_FAILED": "1" if repeat else "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        return Ran(ran.returncode, tuple((ran.stdout + ran.stderr).splitlines()))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for folder in ("scripts", "tests/integration/analyst", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "scripts" / "run_tests.sh", tmp_path / "scripts")
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "tests")
    (tmp_path / "tests" / "support").symlink_to(ROOT / "tests" / "support")
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return Project(tmp_path)


def test_where_all_pass_every_process_says_so(project: Project) -> None:
    ran = project.run()
    assert ran.code == 0
    assert [line.partition(" in ")[0] for line in ran.closing()] == ["2 passed", "2 passed", "1 passed"]
    assert not ran.flaky


@pytest.mark.parametrize("rung", ["integration", "acceptance"])
def test_a_test_that_passes_when_run_again_alone_is_named_and_no_failure(project: Project, rung: str) -> None:
    ran = project.run(tests={rung: ONCE + PASSES})
    assert ran.code == 0, ran.lines
    assert ran.flaky == [f"flaky: tests/{rung}/test_{rung}.py::test_fails_once"]
    assert ran.closing()[-1].startswith("1 passed")


def test_a_test_that_fails_again_is_a_failure_beside_one_that_does_not(project: Project) -> None:
    ran = project.run(tests={"integration": ONCE, "acceptance": FAILS})
    assert ran.code == 1
    assert ran.flaky == ["flaky: tests/integration/test_integration.py::test_fails_once"]


@pytest.mark.parametrize("rung", ["unit", "docs"])
def test_a_failure_of_a_rung_that_must_be_sure_is_never_repeated(project: Project, rung: str) -> None:
    ran = project.run(tests={rung: ONCE, "integration": ONCE})
    assert ran.code == 1
    assert not ran.flaky
    assert len(ran.closing()) == 3


def test_nothing_is_repeated_unasked(project: Project) -> None:
    ran = project.run(repeat=False, tests={"integration": ONCE})
    assert ran.code == 1
    assert not ran.flaky


def test_a_skip_that_is_not_allowed_stays_one_whatever_else_is_flaky(project: Project) -> None:
    assert project.run("short", tests={"acceptance": SKIPS}).code == 0
    ran = project.run("short", "--strict-skips", tests={"integration": ONCE, "acceptance": SKIPS})
    assert ran.code == 1
    assert not ran.flaky


def test_a_file_that_cannot_be_read_is_a_failure(project: Project) -> None:
    ran = project.run(tests={"integration": "import no_such_module\n"})
    assert ran.code == 1
    assert not ran.flaky


def test_what_takes_long_runs_only_where_it_is_asked_for(project: Project) -> None:
    short = project.run("short", tests={"integration": LONG + PASSES})
    assert (short.code, short.closing()[-2].partition(" in ")[0]) == (0, "2 passed, 1 deselected")
    long = project.run("long", tests={"integration": LONG + PASSES})
    assert (long.code, long.closing()[-2].partition(" in ")[0]) == (0, "1 passed, 2 deselected")
