"""The program of the process outside the zygote's namespaces: `wait.py <process id>`.

It takes the place of what has prepared the jail, waits for its child, the zygote, and exits with its status. Alone in a
fresh interpreter, it does not keep a copy of everything that was imported for that.
"""

from __future__ import annotations

import os
import sys


def exit_with(child: int) -> None:
    """Wait for a child and exit with its code, or with the low byte of its negative signal."""
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


if __name__ == "__main__":
    exit_with(int(sys.argv[1]))
