"""The sandbox that the settings describe."""

from __future__ import annotations

from typing import cast

from tablewright.bootstrap.loading import EMBEDDED_SANDBOX, load
from tablewright.sandbox.base import Sandbox
from tablewright.settings.tree import SandboxSettings

LEAST = ("pandas", "numpy")


def sandbox_of(settings: SandboxSettings, *, least: bool) -> Sandbox:
    """Return the embedded sandbox, not yet started."""
    return cast(Sandbox, load(EMBEDDED_SANDBOX)())
