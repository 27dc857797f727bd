"""Files that runs of this process are to leave behind.

A promise stands for a conversation whose one run begins right after it, in this process, and waits for nobody; so it
need not outlive the process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Deliveries:
    """Which conversation's run is to leave its result in a file, and under which name."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    @contextmanager
    def promised(self, conversation_id: str, name: str | None) -> Iterator[None]:
        """Have runs of the conversation leave a file called `name`, within this context; None: none."""
        if name is not None:
            self._names[conversation_id] = name
        try:
            yield
        finally:
            self._names.pop(conversation_id, None)

    def name(self, conversation_id: str) -> str | None:
        """Return the name of the file that a run of the conversation is to leave."""
        return self._names.get(conversation_id)
