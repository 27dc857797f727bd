"""A Docker daemon with a place of its own: nothing of another one is seen or touched.

Its images are kept in the cache between runs: to unpack and to remove them takes most of a minute. A run that finds
them in use has images of its own.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from tests.support.patience import PATIENCE_S

_ROOT = Path(__file__).parents[4]
_PROGRAMS = {"dockerd": "docker.io", "docker": "docker.io", "runsc": "runsc", "debootstrap": "debootstrap"}
_UV_CACHE = os.environ.get("UV_CACHE_DIR") or str(
    Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "uv"
)
"""Where the packages of the sandbox are already; read before the environment is scrubbed."""
_UP_S = PATIENCE_S
_BUILD_S = 4 * PATIENCE_S


def missing_packages() -> list[str]:
    """Return the Debian packages that these tests need and that are not there; all of them for who is not root."""
    if os.geteuid() != 0:
        return sorted(set(_PROGRAMS.values()))
    return sorted({package for program, package in _PROGRAMS.items() if shutil.which(program) is None})


class Daemon:
    """One process with its folder; `stop` removes both."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        # The path of a socket is short.
        self._folder = Path(tempfile.mkdtemp(prefix="tw-docker-"))
        self.socket = self._folder / "docker.sock"
        cache.mkdir(parents=True, exist_ok=True)
        self._lock = (cache / "daemon.lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._images = cache.resolve() / "daemon"
        except BlockingIOError:
            self._images = self._folder / "images"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        runsc = {"path": shutil.which("runsc"), "runtimeArgs": ["--network=none"]}
        settings = self._folder / "daemon.json"
        settings.write_text(json.dumps({"runtimes": {"runsc": runsc}}))
        places = {"data-root": self._images, "exec-root": self._folder / "exec", "pidfile": self._folder / "pid"}
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    "dockerd",
                    f"--config-file={settings}",
                    f"--host=unix://{self.socket}",
                    *(f"--{name}={path}" for name, path in places.items()),
                    "--bridge=none",
                    "--iptables=false",
                    "--ip6tables=false",
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + _UP_S
        while self._docker("version").returncode != 0:
            log_end = (self._folder / "log").read_text()[-2000:]
            assert self._process.poll() is None, log_end
            assert time.monotonic() < deadline, log_end
            time.sleep(0.05)

    def _docker(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["docker", "--host", f"unix://{self.socket}", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def build(self, tag: str) -> None:
        """Build the image of sessions with the project's script."""
        environment = {
            **os.environ,
            "DOCKER_HOST": f"unix://{self.socket}",
            "TABLEWRIGHT_CACHE": str(self._cache),
            "UV_CACHE_DIR": _UV_CACHE,
        }
        made = subprocess.run(
            [str(_ROOT / "scripts" / "sandbox_image.sh"), tag],
            env=environment,
            capture_output=True,
            text=True,
            timeout=_BUILD_S,
            check=False,
        )
        assert made.returncode == 0, made.stderr
        self._forget_old_images()

    def _forget_old_images(self) -> None:
        kept, *old = self._checked("images", "--format", "{{.ID}}", "tablewright-sandbox-packages").split()
        for image in old:
            if image != kept:
                self._docker("rmi", "--force", image)
        self._docker("image", "prune", "--force")

    def clear(self) -> None:
        """Remove every container and volume: of this run, or of one that was cut short."""
        for container in self.containers():
            self._docker("rm", "--force", "--volumes", container)
        self._docker("volume", "prune", "--force")

    def containers(self, *filters: str) -> list[str]:
        """Return the ids of all containers."""
        return self._checked("ps", "--all", "--quiet", "--no-trunc", *filters).split()

    def run(self, *arguments: str) -> str:
        """Run the docker command; return what it said."""
        return self._checked(*arguments)

    def _checked(self, *arguments: str) -> str:
        done = self._docker(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def terminate(self) -> None:
        """End the process only."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(_UP_S)
            self._process = None

    def stop(self) -> None:
        """End it and remove what it had."""
        if self._process is not None and self._docker("version").returncode == 0:
            self.clear()
        self.terminate()
        # The daemon mounts its folder onto itself, and leaves that behind when it was ended with containers running.
        subprocess.run(["umount", str(self._images)], capture_output=True, check=False)
        shutil.rmtree(self._folder)
        self._lock.close()
