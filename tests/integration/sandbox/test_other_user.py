"""The suites once more as a user without any privilege, where this one is root."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
USER = 20_001


@pytest.mark.skipif(os.geteuid() != 0, reason="this run is already one of a user without privileges")
@pytest.mark.timeout(400)
async def test_every_attack_is_contained_for_a_user_without_privileges() -> None:
    # Not below tmp_path: pytest keeps its folders to the user that runs it.
    work = Path("/tmp", f"other-user-{os.getpid()}")
    await asyncio.to_thread(work.mkdir)
    os.chown(work, USER, USER)
    shown = {str(ROOT), sys.base_prefix, sys.prefix}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        ROOT / "tests" / "support" / "other_user.py",
        str(USER),
        *sorted(shown),
        "--",
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--basetemp",
        str(work / "pytest"),
        str(ROOT / "tests/integration/sandbox/test_attacks.py"),
        f"{ROOT / 'tests/integration/sandbox/test_conformance.py'}::TestEmbeddedExecution",
        env={"PATH": os.environ["PATH"], "HOME": str(work), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    await asyncio.to_thread(shutil.rmtree, work)
    words = output.decode()
    assert process.returncode == 0, words[-8000:]
    assert " passed" in words
    assert "skipped" not in words.splitlines()[-1]
