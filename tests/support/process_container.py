"""Becomes the agent of a session in namespaces of its own: `process_container.py JSON`. See process_daemon."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from tablewright.sandbox.worker import program
from tablewright.sandbox.worker.jail import identity, mounts, stages

_TMP_BYTES = 64 * 1024**2
_SHM_BYTES = 16 * 1024**2


def main() -> None:
    given = json.loads(sys.argv[1])
    root = os.geteuid() == 0
    own = [sys.prefix, sys.base_prefix, *(path for path in sys.path if Path(path).is_dir()), *given["read_only"]]
    house = stages.JailMounts(
        base=given["base"],
        sessions=given["sessions"],
        read_only=tuple(mounts.outermost({path for entry in own for path in (entry, os.path.realpath(entry))})),
        users=(given["user"],) if root else (),
        tmp_bytes=_TMP_BYTES,
        shm_bytes=_SHM_BYTES,
    )
    stages.enter(house, user_namespace=not root)
    child = os.fork()
    if child:
        for descriptor in range(3):
            os.close(descriptor)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 0xFF)
    stages.settle()
    mounts.private_memory(house.read_only, tmp_bytes=_TMP_BYTES, shm_bytes=_SHM_BYTES)
    mounts.enter_session(given["name"], shared=given["shared"], work=given["work"])
    if root:
        identity.become(given["user"])
    identity.renounce()
    identity.die_with_parent()
    os.chdir("/")
    python = given["python"]
    os.execv(python, [python, "-I", "-X", "utf8", str(program.FOLDER / "launch.py"), "agent"])


if __name__ == "__main__":
    main()
