"""Clear messages for what the jail refuses anyway, and for questions that nobody can answer."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
import warnings
from typing import Any, NoReturn

NO_SHELL = "Shell commands are not available here: use Python."
_NO_PROCESSES = "Processes cannot be started here: use threads."
_NO_INPUT = "input() is not available here: nobody is there to answer."
_NO_DEBUGGER = "A debugger is not available here: print what you need to see."


def refuse_shell(*_arguments: Any, **_options: Any) -> NoReturn:
    """Replacement for functions that run a command."""
    raise PermissionError(NO_SHELL)


def _refuse_process(*_arguments: Any, **_options: Any) -> NoReturn:
    raise PermissionError(_NO_PROCESSES)


def _refuse_input(*_arguments: Any, **_options: Any) -> NoReturn:
    raise EOFError(_NO_INPUT)


def _refuse_debugger(*_arguments: Any, **_options: Any) -> NoReturn:
    raise PermissionError(_NO_DEBUGGER)


def install() -> None:
    """Install the replacements in this process; call it before forking."""
    for name in ("system", "popen"):
        setattr(os, name, refuse_shell)
    for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp"):
        setattr(os, name, _refuse_process)
    setattr(subprocess, "_fork_exec", _refuse_process)  # noqa: B010 - it is no public name
    builtins.input = _refuse_input
    sys.breakpointhook = _refuse_debugger
    # A cell that exits gets an explanation; advice on leaving a terminal would not help.
    warnings.filterwarnings("ignore", "To exit: use")
