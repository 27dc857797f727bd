"""Where programs find the files of tool services: by addresses that are the permission. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import quote

from tablewright.api.genie_tools.paths import FILE


class NamedFile(Protocol):
    """What is told of a file: `ArtifactRef`, `StoredFile`."""

    @property
    def name(self) -> str:
        """What its owner calls it."""
        ...

    @property
    def size_bytes(self) -> int:
        """How long it is."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLinks:
    """`base` is the address of the service without a slash at the end; `permit` opens the files of a session."""

    base: str
    permit: str

    def addresses(self, name: str) -> dict[str, str]:
        """Return the addresses of a file."""
        saved, seen = (
            f"{self.base}{FILE}{kind}/{self.permit}/{quote(name, safe='')}" for kind in ("download", "preview")
        )
        return {"ossUrl": saved, "downloadUrl": saved, "domainUrl": seen}

    def infos(self, files: Iterable[NamedFile]) -> list[dict[str, Any]]:
        """Return what a stream tells of files."""
        return [{"fileName": file.name, **self.addresses(file.name), "fileSize": file.size_bytes} for file in files]
