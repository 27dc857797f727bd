"""Where Genie's page finds files: by addresses that are the permission, as its page sends nothing with them. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from tablewright.domain.artifact import ArtifactRef

FILES = 100
DOCUMENTS = {"html": "report.html", "docs": "report.md", "ppt": "report.slides.html", "table": "report.xlsx"}
"""What an answer is also written as, by the style that was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenieLinks:
    """`base` is the address of the service without a slash at the end; `permit` opens the files of a conversation.

    The address for looking and the one for saving differ in one word: the page makes the second of the first.
    """

    base: str
    permit: str

    def info(self, file: ArtifactRef) -> dict[str, Any]:
        """Return what the page is told of a file. Its kind is the ending of its name."""
        return {
            "fileName": file.name,
            "ossUrl": self._address("download", file),
            "domainUrl": self._address("preview", file),
            "fileSize": file.size_bytes,
        }

    def infos(self, files: Iterable[ArtifactRef]) -> list[dict[str, Any]]:
        """Return what the page is told of files."""
        return [self.info(file) for file in list(files)[:FILES]]

    def document(self, run_id: str, style: str | None) -> list[dict[str, Any]]:
        """Return the document that an answer is written as when it is opened, if the style asks for one."""
        name = DOCUMENTS.get(style or "")
        if name is None:
            return []
        saved, seen = (
            f"{self.base}/genie/{kind}/{self.permit}/runs/{run_id}/{name}" for kind in ("download", "preview")
        )
        return [{"fileName": name, "ossUrl": saved, "domainUrl": seen, "fileSize": 0}]

    def _address(self, kind: str, file: ArtifactRef) -> str:
        return f"{self.base}/genie/{kind}/{self.permit}/{file.id}/{quote(file.name, safe='')}"
