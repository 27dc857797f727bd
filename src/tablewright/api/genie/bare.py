"""Frames as programs read them that ask for an agent: bare, in lines that begin `data:` without a space."""

from __future__ import annotations

from sse_starlette import ServerSentEvent

from tablewright.api.genie.frames import AgentFrame, written

HEARTBEAT = "heartbeat"
THOUGHTS = frozenset({"plan_thought", "tool_thought"})
"""What comes in pieces, the last of which is the whole."""


class BareEvent(ServerSentEvent):
    """A line `data:` with what follows at once: some programs cut off five characters and compare the rest."""

    def encode(self) -> bytes:
        head = "" if self.id is None else f"id: {self.id}\n"
        return f"{head}data:{self.data}\n\n".encode()


def bare(frame: AgentFrame, seq: int | None = None) -> ServerSentEvent:
    """Return what is sent of a frame."""
    return BareEvent(written(frame.response), id=None if seq is None else str(seq))


def is_piece(frame: AgentFrame) -> bool:
    """Whether a frame is a piece of what also comes whole."""
    return frame.response["messageType"] in THOUGHTS and not frame.response["isFinal"]
