"""A Docker daemon of the tests' own, the image built by the project's script, and sandboxes on both runtimes.

What takes long to make, the bootstrapped base and the packages, is kept in TEST_CACHE_DIR between runs.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.integration.sandbox.docker.daemon import Daemon, missing_packages

from tablewright.sandbox.base import Sandbox
from tablewright.sandbox.docker.config import DockerConfig
from tablewright.sandbox.docker.sandbox import DockerSandbox
from tablewright.sandbox.pool import PoolSize

IMAGE = "tablewright-sandbox:test"
RUNTIMES = ["runc", "runsc"]
CACHE = Path(os.environ.get("TEST_CACHE_DIR") or Path.home() / ".cache" / "tablewright")
"""Read before the environment is scrubbed."""


@pytest.fixture(scope="session")
def daemon() -> Iterator[Daemon]:
    missing = missing_packages()
    if missing:
        pytest.skip(f"a Docker sandbox needs root and: apt install {' '.join(missing)}")
    running = Daemon(CACHE / "image")
    try:
        running.start()
        running.clear()
        running.build(IMAGE)
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module", params=RUNTIMES)
def runtime(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def config(daemon: Daemon, runtime: str, tmp_path_factory: pytest.TempPathFactory) -> DockerConfig:
    """As it comes, but that a worker imports packages only when its code does: a test needs few of them."""
    return DockerConfig(
        socket=daemon.socket,
        image=IMAGE,
        runtime=runtime,
        folder=tmp_path_factory.mktemp("state"),
        preload=(),
        size=PoolSize(minimum=3, maximum=4),
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sandbox(config: DockerConfig, daemon: Daemon) -> AsyncIterator[Sandbox]:
    running = DockerSandbox(config)
    await running.start()
    yield running
    await running.stop()
    assert not daemon.containers()
    assert config.folder is not None
    assert [entry.name for entry in config.folder.iterdir()] == ["place"]
