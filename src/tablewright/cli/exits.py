"""Exit codes of commands."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The fixed exit codes of the command line."""

    DONE = 0
    FAILED = 1
    WRONG_USE = 2
    DECLINED = 3
    """The request was not understood, or a person's answer is needed."""
    STOPPED = 130


class WrongUse(Exception):
    """The command was used incorrectly; `code` names the message and `params` are its parameters."""

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params = params
        super().__init__(code)
