"""Where a run in structured rounds keeps what its model read and wrote: each call in a transcript of its own."""

from __future__ import annotations

MAIN = "main"
"""The scope of the answers alone, by which a run that goes on is told from one that begins."""


def call_scope(number: int, place: int) -> str:
    """Return the scope of the transcript of a call: the `place`-th, from 1, of a round.

    Its messages are those that are new since the call before, and last what the model wrote, once it has ended.
    """
    return f"round {number} call {place}"
