"""A service with a session in a container, which waits to be killed: `service_process.py socket image runtime
folder`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tablewright.sandbox.base import LeaseScope
from tablewright.sandbox.docker.config import DockerConfig
from tablewright.sandbox.docker.sandbox import DockerSandbox
from tablewright.sandbox.pool import PoolSize


async def main() -> None:
    socket, image, runtime, folder = sys.argv[1:]
    config = DockerConfig(
        socket=Path(socket),
        image=image,
        runtime=runtime,
        folder=Path(folder),
        preload=(),
        size=PoolSize(minimum=2, maximum=2),
    )
    sandbox = DockerSandbox(config)
    await sandbox.start()
    await sandbox.acquire(LeaseScope(run_id="killed"))
    print("leased", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
