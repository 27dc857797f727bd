"""What a test that hangs does to the others of its run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]
SUITE = """
import asyncio, time, xml.parsers.expat

async def test_waits_for_what_never_comes():
    await asyncio.Event().wait()

async def test_waits_in_a_task_of_its_own():
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(asyncio.Event().wait())

def test_hangs_without_a_loop():
    while True:
        time.sleep(0.01)

async def test_comes_after_them():
    await asyncio.sleep(0)

def test_comes_last():
    pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text("from tests.support.hangs import *\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\n")
    (tmp_path / "test_suite.py").write_text(SUITE)
    return tmp_path


def test_a_test_that_hangs_fails_alone_and_the_run_goes_on(suite: Path) -> None:
    environ = dict(os.environ, PYTHONPATH=str(ROOT), TEST_SLOWNESS="0.005")
    command = [sys.executable, "-m", "pytest", "-q", "--rootdir", str(suite), str(suite)]
    ran = subprocess.run(
        command, cwd=suite, env=environ, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert "3 failed, 2 passed" in ran.stdout, ran.stdout
    for name in ("waits_for_what_never_comes", "waits_in_a_task_of_its_own", "hangs_without_a_loop"):
        assert f"FAILED test_suite.py::test_{name}" in ran.stdout
    assert "await asyncio.Event().wait()" in ran.stdout
