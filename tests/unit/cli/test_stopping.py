"""Ctrl-C while a run is followed: it stops the run, and what takes its time is said."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import cast

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.cli.clients.base import Client
from tablewright.cli.terminal import stopping


class Stopped:
    """A client whose runs have ended, or not, when their cancellation returns."""

    def __init__(self, *, ended: bool) -> None:
        self._ended = ended
        self.cancelled = asyncio.Event()

    async def cancel(self, run_id: str) -> bool:
        self.cancelled.set()
        return self._ended


@pytest.mark.parametrize(("ended", "words"), [(True, ""), (False, "Stopping … Ctrl-C again leaves without waiting")])
async def test_a_run_that_does_not_end_at_once_is_said_to_be_stopping(
    ended: bool, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    client = Stopped(ended=ended)
    with stopping(cast(Client, client), "r-1", "en"):
        os.kill(os.getpid(), signal.SIGINT)
        async with asyncio.timeout(PATIENCE_S):
            await client.cancelled.wait()
    said = capsys.readouterr().err
    assert said.startswith(words)
    assert bool(said) == bool(words)
