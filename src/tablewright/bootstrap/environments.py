"""The sandbox environment: finding it, or creating it in advance with progress reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

from tablewright.bootstrap.loader import FIND_ENVIRONMENT, INSTALL_ENVIRONMENT, load
from tablewright.settings.tree import Settings


def find_environment(settings: Settings) -> Path | None:
    """Return the sandbox interpreter, or None if there is none yet.

    Raises `SandboxUnavailable` for an invalid setting.
    """
    return cast(Path | None, load(FIND_ENVIRONMENT)(settings.sandbox.python))


def needs_environment(settings: Settings) -> bool:
    """Return whether code runs on an interpreter of this machine rather than in a container image."""
    return settings.sandbox.backend == "embedded"


def install_environment(progress: Callable[[str, str], None]) -> Path:
    """Create the environment in the user's cache unless it exists; `progress` receives each stage and package.

    Downloads several hundred megabytes, verifying hashes. Raises `SandboxUnavailable` with the installer's last output.
    """
    return cast(Path, load(INSTALL_ENVIRONMENT)(progress))
