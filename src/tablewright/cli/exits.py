"""What a command's exit code says."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The fixed codes of the command line."""

    DONE = 0
    FAILED = 1
    WRONG_USE = 2
    DECLINED = 3
    """Not understood, or a person's answer is awaited."""
    STOPPED = 130


class WrongUse(Exception):
    """The command was not used as it can be; `code` names the message, `params` fill it."""

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params = params
        super().__init__(code)
