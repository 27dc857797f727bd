"""Deliver SIGINT to user code only: never to the worker's own code, and never in the middle of a frame."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what `signal` wraps: its enumerations take longer than the calls
import signal
import threading
from types import FrameType
from typing import Self

_SIGINT, _UNBLOCK = int(signal.SIGINT), int(signal.SIG_UNBLOCK)


class Interrupts:
    """Raises KeyboardInterrupt in the main thread while user code runs; deferred to the end of a held section."""

    def __init__(self) -> None:
        self.executing = False
        self._held = 0
        self._pending = False

    def install(self) -> None:
        """Take over SIGINT."""
        _signal.signal(_SIGINT, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if not self.executing:
            return
        if self._held:
            self._pending = True
            return
        raise KeyboardInterrupt

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._held += 1
        return self

    def __exit__(self, *exc: object) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self._held -= 1
        if self._pending and not self._held:
            self._pending = False
            if self.executing and exc[0] is None:
                raise KeyboardInterrupt

    def begin(self) -> None:
        """Note that user code starts, and undo what an earlier cell did to the signal's handler."""
        self._pending = False
        self.install()
        _signal.pthread_sigmask(_UNBLOCK, (_SIGINT,))
        self.executing = True

    def end(self) -> None:
        """Note that user code has ended; later signals are ignored."""
        self.executing = False
