"""A real MariaDB server of the session's own: Debian's, in a short private folder, reached by its socket."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S

SERVER = "/usr/sbin/mariadbd"
INSTALL = "mariadb-install-db"
USER = "mysql"
"""As root, the server runs as the user that its package made."""


@pytest.fixture(scope="session")
def mariadb_socket() -> Iterator[Path]:
    """The socket of a server whose user `root` has no password."""
    server = shutil.which("mariadbd") or (SERVER if Path(SERVER).exists() else None)
    if server is None or shutil.which(INSTALL) is None:
        pytest.skip("a MariaDB server needs: apt install mariadb-server")
    with tempfile.TemporaryDirectory(prefix="tw-my-", dir="/tmp") as folder:  # a socket's path has 107 characters
        data, path = Path(folder) / "data", Path(folder) / "s"
        owner = [f"--user={USER}"] if os.geteuid() == 0 else []
        if owner:
            shutil.chown(folder, USER)
        environment = {"PATH": os.environ["PATH"], "TMPDIR": folder}
        given = ["--no-defaults", f"--datadir={data}", *owner]
        made = [INSTALL, *given, "--auth-root-authentication-method=normal", "--skip-test-db"]
        subprocess.run(made, check=True, capture_output=True, env=environment)
        limits = [
            "--skip-networking",
            "--innodb-buffer-pool-size=16M",
            "--innodb-log-file-size=8M",
            "--secure-file-priv=",
        ]
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(
                [server, *given, f"--socket={path}", *limits], stdout=log, stderr=log, env=environment
            )
        try:
            _wait(process, path)
            yield path
        finally:
            process.terminate()
            process.wait()


def _wait(process: subprocess.Popen[bytes], path: Path) -> None:
    end = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < end:
        with socket.socket(socket.AF_UNIX) as client:
            if client.connect_ex(str(path)) == 0:
                return
        time.sleep(0.05)  # it gives no sign
    pytest.fail("the MariaDB server did not start")
