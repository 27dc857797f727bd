"""Which modules code may name in an import. Guidance for whoever writes the code, not a boundary: the jail is the boundary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPolicy:
    """`only`: packages that may be imported, and no others; none given: all that are there but those that make no sense
    in a session (processes, sockets). `refused`: further ones that may not."""

    checked: bool = True
    only: Sequence[str] = ()
    refused: Sequence[str] = ()

    def told(self) -> dict[str, object]:
        """Return it as a worker is told of it."""
        return {"checked": self.checked, "only": [*self.only], "refused": [*self.refused]}
