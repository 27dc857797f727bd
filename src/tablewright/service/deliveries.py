"""Files that runs of this process are expected to deliver.

A promise applies to a conversation whose only run begins right after it, in this process, and never waits for a person.
So promises need not outlive the process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Deliveries:
    """Maps a conversation to the name of the file in which its run is to deliver its result."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    @contextmanager
    def promised(self, conversation_id: str, name: str | None) -> Iterator[None]:
        """Within this context, have runs of the conversation deliver a file called `name`; None means no file."""
        if name is not None:
            self._names[conversation_id] = name
        try:
            yield
        finally:
            self._names.pop(conversation_id, None)

    def name(self, conversation_id: str) -> str | None:
        """Return the name of the file that a run of the conversation is to deliver, or None."""
        return self._names.get(conversation_id)
