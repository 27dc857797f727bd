"""The interpreter that runs user code, in an environment separate from the service's and never below its data.

It is searched for in this order:

1. the setting, if given
2. `.venv-sandbox` beside the service's own environment
3. a folder in the user's cache, named by the lock's hash and the Python version; created on first use
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from tablewright.errors import SandboxUnavailable

LOCK = Path(__file__).with_name("sandbox.lock")
_BESIDE = ".venv-sandbox"
_COMPLETE = ".complete"
_KEPT_LINES = 20

Stage = Literal["waiting", "creating", "installing", "ready"]
Progress = Callable[[Stage, str], None]
"""Called at each stage, and for each package during installation."""


def silent(_stage: Stage, _detail: str) -> None:
    """Ignore progress."""


def default_cache() -> Path:
    """Return the folder for environments in the user's cache."""
    return Path.home() / ".cache" / "tablewright"


def _interpreter(folder: Path) -> Path:
    return folder / "bin" / "python"


def cached(cache: Path) -> Path:
    """Return the folder of the environment for this lock and this Python version."""
    digest = hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]
    return cache / f"sandbox-{digest}-py{sys.version_info.major}.{sys.version_info.minor}"


def find(setting: Path | None = None, *, cache: Path | None = None) -> Path | None:
    """Return the interpreter, or None if no environment has been created.

    Raises SandboxUnavailable for an invalid setting.
    """
    if setting is not None:
        if not os.access(setting, os.X_OK) or setting.is_dir():
            raise SandboxUnavailable("sandbox_python_wrong", path=str(setting))
        return setting
    beside = _interpreter(Path(sys.prefix).parent / _BESIDE)
    if beside.is_file():
        return beside
    folder = cached(cache or default_cache())
    return _interpreter(folder) if (folder / _COMPLETE).is_file() else None


def install(progress: Progress = silent, *, cache: Path | None = None) -> Path:
    """Create the cached environment unless it exists, and return its interpreter.

    Downloads the packages listed in `sandbox.lock`, requiring hashes; several processes may call it at the same time.
    Raises SandboxUnavailable with the installer's last output.
    """
    folder = cached(cache or default_cache())
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(folder.with_suffix(".lock"), progress):
        if not (folder / _COMPLETE).is_file():
            shutil.rmtree(folder, ignore_errors=True)
            _make(folder, progress)
            (folder / _COMPLETE).touch()
    progress("ready", str(folder))
    return _interpreter(folder)


def ensure(setting: Path | None = None, progress: Progress = silent, *, cache: Path | None = None) -> Path:
    """Return the interpreter, creating the environment if there is none."""
    return find(setting, cache=cache) or install(progress, cache=cache)


@contextmanager
def _locked(path: Path, progress: Progress) -> Iterator[None]:
    with path.open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress("waiting", str(path))
            fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _make(folder: Path, progress: Progress) -> None:
    """Use uv if it is available and works, being several times faster; else pip, which may know mirrors that uv
    does not."""
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    python = str(base) if base.is_file() else sys.executable
    target = str(_interpreter(folder))
    lock = ["--no-deps", "--require-hashes", "-r", str(LOCK)]  # it names everything that belongs there
    attempts: list[list[list[str]]] = []
    if (uv := shutil.which("uv")) is not None:
        install_by_uv = [uv, "pip", "install", "--python", target, "--compile-bytecode"]
        attempts.append([[uv, "venv", "--python", python, str(folder)], [*install_by_uv, *lock]])
    install_by_pip = [target, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    attempts.append([[python, "-m", "venv", str(folder)], [*install_by_pip, *lock]])
    words = ""
    for commands in attempts:
        shutil.rmtree(folder, ignore_errors=True)
        words = _each(commands, progress)
        if not words:
            return
    shutil.rmtree(folder, ignore_errors=True)
    raise SandboxUnavailable("sandbox_environment_failed", words=words)


def _each(commands: Sequence[Sequence[str]], progress: Progress) -> str:
    """Run the commands in turn. Returns the last output of the first that failed, or an empty string."""
    stages: tuple[Stage, Stage] = ("creating", "installing")
    for stage, command in zip(stages, commands, strict=True):
        progress(stage, command[0])
        failed = _run(command, progress)
        if failed:
            return failed
    return ""


def _run(command: Sequence[str], progress: Progress) -> str:
    kept: list[str] = []
    try:
        # Other users' sessions read it, whatever this user's umask.
        with subprocess.Popen(  # noqa: S603 - our own command lines
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, umask=0o022
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                kept = [*kept[-_KEPT_LINES:], line.rstrip()]
                progress("installing", line.strip())
    except OSError as error:
        return str(error)
    return "" if process.returncode == 0 else "\n".join(kept) or f"{command[0]} failed"
