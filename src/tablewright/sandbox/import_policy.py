"""The modules that code may import.

This is guidance for whoever writes the code, not a security boundary: that is the jail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPolicy:
    """Which packages may be imported.

    `only`: just these; if empty, all installed ones except those that make no sense in a session (processes, sockets).
    `refused`: additional ones that may not be imported.
    """

    checked: bool = True
    only: Sequence[str] = ()
    refused: Sequence[str] = ()

    def told(self) -> dict[str, object]:
        """Return the policy in the form sent to a worker."""
        return {"checked": self.checked, "only": [*self.only], "refused": [*self.refused]}
