"""Code that is silent for long is said to be running still, and loses nothing of what it puts out then."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablewright.sandbox import execution
from tablewright.sandbox.base import ProgressOutput
from tablewright.sandbox.conformance.examples import SCOPE, end, run, text
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize


@pytest.mark.requirement("sandbox-long-steps-tell")
async def test_silent_code_is_said_to_be_running_still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "QUIET_S", 0.05)
    sandbox = EmbeddedSandbox(EmbeddedConfig(folder=tmp_path, preload=(), size=PoolSize(minimum=1, maximum=1)))
    await sandbox.start()
    session = await sandbox.acquire(SCOPE)
    code = "import time\nfor n in range(4):\n    time.sleep(0.12)\n    print(n, 'x' * 200_000)"
    outputs = await run(session, code)
    await sandbox.stop()
    told = [output for output in outputs if isinstance(output, ProgressOutput)]
    assert len(told) >= 4
    assert [output.elapsed_s for output in told] == sorted(output.elapsed_s for output in told)
    assert {(output.message, output.fraction) for output in told} == {("", None)}
    assert end(outputs).status == "ok"
    assert text(outputs) == "".join(f"{n} {'x' * 200_000}\n" for n in range(4))
