"""The service as compose runs it: in a container that has the daemon's socket, and sessions in containers beside it.

Its image cannot be built without a registry: its own interpreter and packages are this machine's, shown at their own
paths.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from tests.integration.sandbox.docker.conftest import IMAGE
from tests.integration.sandbox.docker.daemon import Daemon
from tests.support.compose import ROOT, mounts, service


@pytest.mark.requirement("sandbox-compose-runs")
def test_the_service_of_the_compose_file_runs_code_in_containers_beside_it(
    daemon: Daemon, runtime: str, tmp_path: Path
) -> None:
    found = service({"TABLEWRIGHT_RUNTIME": runtime})
    sessions = found["environment"]["TABLEWRIGHT_SANDBOX__DATA__SESSIONS_PATH"]
    environment = found["environment"] | {
        "TABLEWRIGHT_SANDBOX__WORKER__IMAGE": IMAGE,
        "TABLEWRIGHT_SANDBOX__DATA__SESSIONS_PATH": str(tmp_path / "sessions"),
    }
    places = {"/var/run/docker.sock": str(daemon.socket), str(tmp_path / "sessions"): str(tmp_path / "sessions")}
    assert set(mounts(found)) - {"/var/run/docker.sock", sessions} == {environment["TABLEWRIGHT_DATA_DIR"]}
    shown = sorted({str(ROOT), sys.prefix, sys.base_prefix})
    said = daemon.run(
        "run",
        "--rm",
        "--network=none",
        "--user=0:0",
        "--tmpfs=/tmp",
        f"--tmpfs={environment['TABLEWRIGHT_DATA_DIR']}",
        *(f"--env={name}={value}" for name, value in environment.items()),
        *(f"--volume={source}:{target}" for target, source in places.items()),
        *(f"--volume={path}:{path}:ro" for path in shown),
        "--entrypoint=/bin/sh",
        IMAGE,
        "-c",
        f"{Path(sys.prefix) / 'bin' / 'tablewright'} doctor --json || true",
    )
    findings = {finding["topic"]: finding for finding in json.loads(said.splitlines()[-1])}
    assert findings["sandbox"]["state"] == "ok", findings["sandbox"]
    assert findings["sandbox"]["params"]["level"] == ("GVISOR" if runtime == "runsc" else "L1")
    assert findings["fonts"]["state"] == "ok"
    assert not daemon.containers()
