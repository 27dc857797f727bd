"""An environment that lies in /tmp, as in a clone there, is seen by sessions although they have a /tmp of their own."""

from __future__ import annotations

import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablewright.sandbox.base import Done, TextOutput
from tablewright.sandbox.conformance.examples import SCOPE
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.environment import find
from tablewright.sandbox.pool import PoolSize


@pytest.fixture
def environment() -> Iterator[Path]:
    """Return the interpreter of an environment in /tmp that adds one module to the sandbox's."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        place = Path(folder)
        place.chmod(0o755)
        venv.EnvBuilder(symlinks=True).create(place)
        found = find(None)
        assert found is not None
        packages = next(found.parent.parent.glob("lib/python3*/site-packages"))
        own = next(place.glob("lib/python3*/site-packages"))
        own.joinpath("others.pth").write_text(f"{packages}\n")
        own.joinpath("found_late.py").write_text("WORD = 'seen'\n")
        yield place / "bin" / "python"


async def test_what_is_imported_late_is_still_there(environment: Path) -> None:
    size = PoolSize(minimum=1, maximum=1)
    sandbox = EmbeddedSandbox(EmbeddedConfig(python=environment, preload=(), size=size))
    await sandbox.start()
    try:
        session = await sandbox.acquire(SCOPE)
        outputs = [output async for output in session.execute("import found_late; print(found_late.WORD)", step_id="s")]
        await session.release()
    finally:
        await sandbox.stop()
    assert [output.text.strip() for output in outputs if isinstance(output, TextOutput)] == ["seen"]
    assert isinstance(outputs[-1], Done)
    assert outputs[-1].status == "ok"
