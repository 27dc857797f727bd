"""The worker's main loop: handles the supervisor's requests for one session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .emitter import Emitter
from .framing import FrameWriter
from .interrupts import Interrupts
from .policy import Policy
from .runner import Runner

Lease = Callable[[dict[str, Any]], str]
"""Locks the process down as the lease requires, and returns the session's working folder as its code sees it."""


class Worker:
    """One process serving one session."""

    def __init__(
        self, wire: FrameWriter, emitter: Emitter, runner: Runner, interrupts: Interrupts, lease: Lease
    ) -> None:
        self._wire = wire
        self._emitter = emitter
        self._runner = runner
        self._interrupts = interrupts
        self._lease = lease

    def serve(self) -> None:
        """Handle requests until told to stop or the supervisor is gone."""
        self._interrupts.install()
        self._wire.send("ready")
        while True:
            frame = self._wire.receive()
            if frame is None or frame[0]["kind"] == "exit":
                return
            self._answer(frame[0])

    def _answer(self, header: dict[str, Any]) -> None:
        kind = header["kind"]
        if kind == "lease":
            folder = self._lease(header)
            self._emitter.aliases.use(header["aliases"])
            self._runner.enter(folder)
            self._runner.policy = Policy(**header["imports"])
            self._wire.send("leased")
        elif kind == "exec":
            self._emitter.begin(text_chars=header["text_chars"], images=header["images"])
            self._wire.send("done", id=header["id"], **self._runner.execute(header["code"]))
        elif kind == "check":
            self._wire.send("checked", verdict=self._runner.check(header["code"]))
        elif kind == "ping":
            self._wire.send("pong")
