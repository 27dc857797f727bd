"""The suites that every backend passes, in containers on the host's kernel and on gVisor's."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.support.patience import PATIENCE_S

from tablewright.sandbox.base import Level, Sandbox, Session
from tablewright.sandbox.conformance import (
    CapsConformance,
    ExecutionConformance,
    InputNamesConformance,
    LeasesConformance,
    OutputsConformance,
    ParkingConformance,
    QueueConformance,
    SandboxFilesConformance,
)
from tablewright.sandbox.conformance.examples import until
from tablewright.sandbox.docker.config import DockerConfig
from tablewright.sandbox.docker.sandbox import DockerSandbox
from tablewright.sandbox.pool import PoolSize

in_one_loop = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module")
async def small(config: DockerConfig) -> AsyncIterator[Sandbox]:
    size = PoolSize(minimum=1, maximum=1, wait_s=PATIENCE_S)
    running = DockerSandbox(dataclasses.replace(config, size=size))
    await running.start()
    yield running
    await running.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def short_queue(config: DockerConfig) -> AsyncIterator[Sandbox]:
    running = DockerSandbox(dataclasses.replace(config, size=PoolSize(minimum=1, maximum=1, wait_s=0.1)))
    await running.start()
    await until(lambda: running.stats().idle == 1)
    yield running
    await running.stop()


@in_one_loop
async def test_the_level_is_what_the_container_finds(sandbox: Sandbox, runtime: str) -> None:
    assert sandbox.level() is (Level.GVISOR if runtime == "runsc" else Level.L1)


@in_one_loop
class TestDockerLeases(LeasesConformance):
    pass


@in_one_loop
class TestDockerParking(ParkingConformance):
    pass


@in_one_loop
class TestDockerQueue(QueueConformance):
    pass


@in_one_loop
class TestDockerFiles(SandboxFilesConformance):
    pass


@in_one_loop
class TestDockerInputNames(InputNamesConformance):
    pass


@in_one_loop
class TestDockerExecution(ExecutionConformance):
    pass


@in_one_loop
class TestDockerCaps(CapsConformance):
    @pytest.fixture
    def session(self, shared_session: Session) -> Session:
        return shared_session


@pytest.mark.long
@in_one_loop
class TestDockerOutputs(OutputsConformance):
    """In one session for all: what comes out of it is what is looked at, and importing takes its time.

    It is the worker that makes outputs, the same one in every backend: the embedded one is asked each time."""

    @pytest.fixture
    def session(self, shared_session: Session) -> Session:
        return shared_session
