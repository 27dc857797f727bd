"""Code that a person has executed as it stands: how a run is given it, and read back."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.domain.message import Message, TextPart


def code_message(code: str) -> Message:
    """Return the message that opens the transcript of a run which executes `code`."""
    return Message(role="user", parts=(TextPart(text=code, origin="file"),))


def supplied_code(transcript: Sequence[Message]) -> str:
    """Return the code that the transcript opens with; empty if there is none."""
    return transcript[0].text if transcript else ""
