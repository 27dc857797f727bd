"""The suites that every backend passes, with the worker's frames over stdio: the Docker backend on a daemon of
processes."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.support.patience import PATIENCE_S
from tests.support.process_daemon import ProcessDaemon

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox.base import Level, Sandbox, Session
from tablewright.sandbox.conformance import (
    CapsConformance,
    ExecutionConformance,
    LeasesConformance,
    OutputsConformance,
    ParkingConformance,
    QueueConformance,
    SandboxFilesConformance,
)
from tablewright.sandbox.conformance.examples import until
from tablewright.sandbox.docker.config import DockerConfig
from tablewright.sandbox.docker.sandbox import DockerSandbox
from tablewright.sandbox.environment import find
from tablewright.sandbox.pool import PoolSize

in_one_loop = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def daemon(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ProcessDaemon]:
    python = find(None)
    assert python is not None
    running = ProcessDaemon(tmp_path_factory.mktemp("daemon"), python)
    await running.start()
    yield running
    assert not running.names
    await running.stop()


@pytest.fixture(scope="module")
def config(daemon: ProcessDaemon, tmp_path_factory: pytest.TempPathFactory) -> DockerConfig:
    return DockerConfig(
        socket=daemon.socket,
        runtime="process",
        folder=tmp_path_factory.mktemp("state"),
        preload=(),
        size=PoolSize(minimum=3, maximum=4),
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sandbox(config: DockerConfig) -> AsyncIterator[Sandbox]:
    running = DockerSandbox(config)
    try:
        await running.start()
    except SandboxUnavailable as error:
        if error.detail != "docker_container_failed":
            raise
        pytest.skip(f"this machine gives no namespaces: {error}")
    yield running
    await running.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def small(config: DockerConfig, sandbox: Sandbox) -> AsyncIterator[Sandbox]:
    size = PoolSize(minimum=1, maximum=1, wait_s=PATIENCE_S)
    running = DockerSandbox(dataclasses.replace(config, size=size))
    await running.start()
    yield running
    await running.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def short_queue(config: DockerConfig, sandbox: Sandbox) -> AsyncIterator[Sandbox]:
    running = DockerSandbox(dataclasses.replace(config, size=PoolSize(minimum=1, maximum=1, wait_s=0.1)))
    await running.start()
    await until(lambda: running.stats().idle == 1)
    yield running
    await running.stop()


@in_one_loop
async def test_the_worker_speaks_over_stdio_and_is_closed_in(sandbox: Sandbox) -> None:
    assert sandbox.level() is Level.L1


@in_one_loop
class TestStdioLeases(LeasesConformance):
    pass


@in_one_loop
class TestStdioParking(ParkingConformance):
    pass


@in_one_loop
class TestStdioQueue(QueueConformance):
    pass


@in_one_loop
class TestStdioFiles(SandboxFilesConformance):
    pass


@in_one_loop
class TestStdioExecution(ExecutionConformance):
    pass


@in_one_loop
class TestStdioOutputs(OutputsConformance):
    @pytest.fixture
    def session(self, shared_session: Session) -> Session:
        return shared_session


@in_one_loop
class TestStdioCaps(CapsConformance):
    @pytest.fixture
    def session(self, shared_session: Session) -> Session:
        return shared_session
