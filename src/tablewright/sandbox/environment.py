"""Finds the interpreter that runs user code: an environment of its own, never the service's."""

from __future__ import annotations

import sys
from pathlib import Path

from tablewright.errors import SandboxUnavailable


def find() -> Path:
    """Return the sandbox interpreter."""
    beside = Path(sys.prefix).parent / ".venv-sandbox" / "bin" / "python"
    if beside.is_file():
        return beside
    raise SandboxUnavailable("no sandbox environment; `tablewright sandbox install` makes one")
