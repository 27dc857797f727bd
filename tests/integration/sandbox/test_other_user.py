"""What holds for a user without any privilege, where this one is root."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.patience import TEST_S

ROOT = Path(__file__).resolve().parents[3]
USER = 20_001
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="this run is already one of a user without privileges")

MASKED = """
import asyncio, sys
from pathlib import Path
from tablewright.sandbox.base import Level
from tablewright.sandbox.conformance.examples import SCOPE, end, run, text
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox

CODE = '''
import os, pandas as pd, matplotlib.pyplot as plt, concurrent.futures as futures
with futures.ThreadPoolExecutor(2) as pool:
    list(pool.map(abs, [1, 2]))
pd.DataFrame({"a": [1, 2]}).plot()
print(os.listdir("/proc"))
'''

async def main():
    sandbox = EmbeddedSandbox(EmbeddedConfig(folder=Path(sys.argv[1])))
    await sandbox.start()
    session = await sandbox.acquire(SCOPE)
    outputs = await run(session, CODE)
    print(sandbox.level().name, end(outputs).status, text(outputs))
    await sandbox.stop()

asyncio.run(main())
"""


@pytest.fixture
def work() -> Iterator[Path]:
    """A folder of the other user's: pytest keeps its own to the user that runs it."""
    folder = Path(tempfile.mkdtemp(prefix="other-user-", dir="/tmp"))
    os.chown(folder, USER, USER)
    yield folder
    shutil.rmtree(folder)


async def as_other_user(work: Path, *arguments: object, mask: bool = False) -> tuple[int | None, str]:
    """Run this interpreter as somebody else; return its exit code and all it said."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        ROOT / "tests" / "support" / "other_user.py",
        *(["--mask"] if mask else []),
        str(USER),
        *sorted({str(ROOT), sys.base_prefix, sys.prefix}),
        "--",
        sys.executable,
        *(str(argument) for argument in arguments),
        env={"PATH": os.environ["PATH"], "HOME": str(work), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


@pytest.mark.long
@pytest.mark.requirement("sandbox-attacks-contained-without-root")
@pytest.mark.timeout(3 * TEST_S)  # each test within has its own bound; on a busy machine they add up
async def test_every_attack_is_contained_for_a_user_without_privileges(work: Path) -> None:
    folder = ROOT / "tests" / "integration" / "sandbox"
    suites = [folder / "test_attacks.py", f"{folder / 'test_conformance.py'}::TestEmbeddedExecution"]
    options = ["-q", "-p", "no:cacheprovider", "--basetemp", work / "pytest"]
    code, words = await as_other_user(work, "-m", "pytest", *options, *suites)
    assert code == 0, words[-8000:]
    assert " passed" in words
    assert "skipped" not in words, words[-8000:]


async def test_where_the_host_masks_proc_sessions_do_without_it(work: Path) -> None:
    code, words = await as_other_user(work, "-c", MASKED, work / "state", mask=True)
    assert code == 0, words
    assert "L2B ok []" in words
