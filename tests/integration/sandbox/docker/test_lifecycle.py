"""Containers over the life of services and daemons: none is left behind, none is taken from who lives."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import re
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from tests.integration.sandbox.docker.daemon import Daemon
from tests.support.patience import PATIENCE_S

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox.base import ErrorOutput, Level, Limits, Session, TextOutput
from tablewright.sandbox.conformance.examples import LOOPS, PRINTS, SCOPE, end, one, run, until
from tablewright.sandbox.docker.config import DockerConfig
from tablewright.sandbox.docker.sandbox import DockerSandbox
from tablewright.sandbox.pool import PoolSize
from tablewright.texts.errors import describe

ONE = PoolSize(minimum=1, maximum=2)
SERVICE = Path(__file__).with_name("service_process.py")


@pytest.fixture
def config(daemon: Daemon, runtime: str, tmp_path: Path) -> DockerConfig:
    return DockerConfig(
        socket=daemon.socket,
        image="tablewright-sandbox:test",
        runtime=runtime,
        folder=tmp_path / "state",
        preload=(),
        size=ONE,
        limits=Limits(memory_bytes=512 * 1024**2),
    )


@pytest_asyncio.fixture
async def sandbox(config: DockerConfig) -> AsyncIterator[DockerSandbox]:
    running = DockerSandbox(config)
    await running.start()
    yield running
    await running.stop()


@pytest_asyncio.fixture
async def session(sandbox: DockerSandbox) -> AsyncIterator[Session]:
    leased = await sandbox.acquire(SCOPE)
    yield leased
    await leased.release()


async def test_the_containers_of_a_service_that_was_killed_end_and_are_removed_at_the_next_start(
    config: DockerConfig, daemon: Daemon
) -> None:
    arguments = [str(config.socket), config.image, config.runtime, str(config.folder)]
    service = await asyncio.create_subprocess_exec(sys.executable, str(SERVICE), *arguments, stdout=PIPE)
    assert service.stdout is not None
    assert await service.stdout.readline() == b"leased\n"
    left = daemon.containers()
    assert left
    service.kill()
    await service.wait()
    await until(lambda: not daemon.containers("--filter", "status=running"))
    running = DockerSandbox(config)
    await running.start()
    assert not set(left) & set(daemon.containers())
    await running.stop()
    assert not daemon.containers()
    assert not daemon.run("volume", "ls", "--quiet").split()
    assert config.folder is not None
    assert [entry.name for entry in config.folder.iterdir()] == ["place"]


async def test_the_containers_of_another_service_that_lives_are_let_alone(
    config: DockerConfig, session: Session
) -> None:
    other = DockerSandbox(config)
    await other.start()
    await other.stop()
    assert end(await run(session, PRINTS)).status == "ok"


async def test_a_warm_container_that_ended_is_passed_over(sandbox: DockerSandbox, daemon: Daemon) -> None:
    await until(lambda: sandbox.stats().idle == 1)
    daemon.run("kill", *daemon.containers())
    session = await sandbox.acquire(SCOPE)
    assert end(await run(session, PRINTS)).status == "ok"
    await session.release()


async def test_a_session_whose_container_is_removed_is_lost(session: Session, daemon: Daemon) -> None:
    outputs = []
    async for output in session.execute(LOOPS, step_id="step", timeout_s=PATIENCE_S):
        outputs.append(output)
        if isinstance(output, TextOutput):
            name = (await session.info()).id
            await asyncio.to_thread(daemon.run, "rm", "--force", f"tablewright-{name}")
    assert (end(outputs).status, end(outputs).session_lost) == ("backend_lost", True)


async def test_memory_of_all_kinds_together_is_the_containers_to_end(config: DockerConfig) -> None:
    running = DockerSandbox(dataclasses.replace(config, limits=Limits(memory_bytes=120 * 1024**2)))
    await running.start()
    session = await running.acquire(SCOPE)
    code = "import os\nwith open('/tmp/full', 'wb') as file:\n    file.write(bytes(50 << 20))\nkept = b'x' * (40 << 20)"
    outputs = await run(session, code + "\nmore = [os.urandom(1 << 20) for _ in range(20)]\nraise MemoryError")
    assert end(outputs).status in {"oom", "oom_killed"}
    assert one(outputs, ErrorOutput).name == "MemoryError"
    await session.release()
    await running.stop()


async def test_a_container_has_only_what_a_session_needs(
    session: Session, daemon: Daemon, config: DockerConfig
) -> None:
    name = (await session.info()).id
    (found,) = json.loads(daemon.run("inspect", f"tablewright-{name}"))
    host = found["HostConfig"]
    assert (host["NetworkMode"], host["ReadonlyRootfs"], host["CapDrop"]) == ("none", True, ["ALL"])
    assert (host["Memory"], host["MemorySwap"], host["NanoCpus"]) == (512 * 1024**2, 512 * 1024**2, 10**9)
    assert (host["PidsLimit"], host["SecurityOpt"], host["Runtime"]) == (512, ["no-new-privileges"], config.runtime)
    assert not host["Privileged"]
    assert found["Config"]["User"].split(":")[0] not in {"", "0", "root"}
    mounts = {mount["Destination"]: (mount["Type"], mount["RW"]) for mount in found["Mounts"]}
    assert mounts == {
        "/data/shared": ("bind", False),
        f"/data/sessions/{name}": ("bind", True),
        "/tmp": ("volume", True),
    }


@pytest.mark.parametrize("runtime", ["runc"])
class TestRefusals:
    """With the reason, and with nothing left behind."""

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"socket": Path("/nowhere/docker.sock")}, "no Docker daemon answers at /nowhere/docker.sock .*start it"),
            ({"runtime": "kata"}, "no runtime kata, only .*runsc; install it"),
            ({"image": "nothing:here"}, "no image nothing:here; .*sandbox_image.sh makes it"),
            ({"network": "host"}, "host is not an internal one; set"),
            ({"min_isolation": Level.GVISOR}, "reaches level L1 in a container, and GVISOR is required"),
        ],
    )
    async def test_what_is_missing_or_too_weak_is_named(
        self, config: DockerConfig, daemon: Daemon, change: dict[str, object], reason: str
    ) -> None:
        running = DockerSandbox(dataclasses.replace(config, **change))  # type: ignore[arg-type]  # one field each
        with pytest.raises(SandboxUnavailable) as refused:
            await running.start()
        assert re.search(reason, describe(refused.value, "en"))
        await running.stop()
        assert not daemon.containers()

    async def test_an_image_with_another_worker_program_is_refused(self, config: DockerConfig, daemon: Daemon) -> None:
        old = daemon.run("create", "--network", "none", config.image).strip()
        daemon.run("cp", str(SERVICE), f"{old}:/opt/tablewright/worker/other.py")
        daemon.run("commit", old, "tablewright-sandbox:old")
        daemon.run("rm", old)
        running = DockerSandbox(dataclasses.replace(config, image="tablewright-sandbox:old"))
        with pytest.raises(SandboxUnavailable, match="docker_image_old"):
            await running.start()
        assert not daemon.containers()


@pytest.mark.parametrize("runtime", ["runc"])
async def test_when_the_daemon_restarts_sessions_are_lost_and_new_ones_can_be_had(
    config: DockerConfig, daemon: Daemon
) -> None:
    running = DockerSandbox(config)
    await running.start()
    session = await running.acquire(SCOPE)
    await asyncio.to_thread(daemon.terminate)
    assert end(await run(session, PRINTS)).status == "backend_lost"
    await session.release()
    with pytest.raises(SandboxUnavailable):
        await running.acquire(SCOPE)
    await asyncio.to_thread(daemon.start)
    session = await running.acquire(SCOPE)
    assert end(await run(session, PRINTS)).status == "ok"
    await session.release()
    await running.stop()
    assert os.listdir(config.folder) == ["place"]  # noqa: PTH208 - one name
