"""What a worker writes past its streams."""

from __future__ import annotations

import asyncio
import os

from tablewright.sandbox.embedded.worker import StrayOutput


async def test_what_was_written_is_there_though_the_event_loop_has_not_turned() -> None:
    reading, writing = os.pipe()
    transport, stray = await asyncio.get_running_loop().connect_read_pipe(StrayOutput, os.fdopen(reading, "rb", 0))
    try:
        assert stray.take() == ""
        os.write(writing, b"Fatal error")
        assert stray.take() == "Fatal error"
        os.write(writing, b"x" * 50_000)
        assert len(stray.take()) == 16 * 1024
        assert stray.take() == ""
    finally:
        os.close(writing)
        transport.close()
    await stray.closed
    assert stray.take() == ""
