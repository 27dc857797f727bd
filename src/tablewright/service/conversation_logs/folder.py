"""The files of the logs: one for each run in structured rounds, in one folder, for the service's user alone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import UTC
from pathlib import Path

from tablewright.domain.run import Run
from tablewright.service.conversation_logs.fold import Line

KEPT_BYTES = 1024**3
"""Beyond this size of all logs, the oldest are removed."""


class LogFolder:
    """Writes and removes log files; blocking."""

    def __init__(self, folder: Path, *, kept_bytes: int = KEPT_BYTES) -> None:
        self._folder = folder
        self._kept_bytes = kept_bytes

    def path_of(self, run: Run) -> Path:
        """Return the file of a run, which its conversation and its beginning name."""
        begun = run.created_at.astimezone(UTC)
        stamp = f"{begun:%Y%m%dT%H%M%S}{begun.microsecond // 1000:03d}Z"
        return self._folder / f"conversation_{run.conversation_id}_{stamp}.jsonl"

    def write(self, run: Run, lines: Iterable[Line]) -> Path:
        """Write the log of a run in place of what was there; a reader sees the old or the new, never a part."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self.path_of(run)
        part = path.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
        part.replace(path)
        return path

    def complete(self, run: Run) -> bool:
        """Return whether there is a log of a finished run that was written after its end."""
        path = self.path_of(run)
        return path.exists() and run.finished_at is not None and path.stat().st_mtime >= run.finished_at.timestamp()

    def remove(self, conversation_id: str) -> None:
        """Remove the logs of a conversation."""
        for path in self._folder.glob(f"conversation_{conversation_id}_*.jsonl"):
            path.unlink(missing_ok=True)

    def rotate(self) -> None:
        """Remove the oldest logs, but never the last, until the rest is no larger than what is kept."""
        found = [(path, path.stat()) for path in self._folder.glob("conversation_*.jsonl")]
        left = sum(stat.st_size for _, stat in found)
        for path, stat in sorted(found, key=lambda entry: entry[1].st_mtime)[:-1]:
            if left <= self._kept_bytes:
                return
            path.unlink(missing_ok=True)
            left -= stat.st_size
