"""The environment of the sandbox: found, or made ahead with its progress told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from tablewright.bootstrap.loading import FIND_ENVIRONMENT, INSTALL_ENVIRONMENT, load
from tablewright.settings.tree import Settings


def find_environment(settings: Settings) -> Path | None:
    """Return the sandbox interpreter, None where there is none yet; `SandboxUnavailable` for a setting that is wrong."""
    return cast(Path | None, load(FIND_ENVIRONMENT)(settings.sandbox.python))


def needs_environment(settings: Settings) -> bool:
    """Tell whether code runs on this machine's own interpreters, not on those of an image."""
    return settings.sandbox.backend == "embedded"


def install_environment(progress: Callable[[str, str], None]) -> Path:
    """Make the environment in the user's cache, unless it is there; `progress` is told of each stage and package.

    Downloads several hundred megabytes, with hashes required. `SandboxUnavailable` with the installer's last words."""
    return cast(Path, load(INSTALL_ENVIRONMENT)(progress))
