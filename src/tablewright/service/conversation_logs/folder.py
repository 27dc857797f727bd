"""The files of the logs: one for each run in structured rounds, in one folder, for the service's user alone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from datetime import UTC
from pathlib import Path

from tablewright.domain.run import Run
from tablewright.service.conversation_logs.fold import Line

KEPT_BYTES = 1024**3
"""Beyond this size of all logs, the oldest are removed."""
REMOVED = "removed.json"
"""Names the logs that made room, which are not written again at the next start."""
REMEMBERED = 20_000
_END = b'{"type": "round_end"'
_END_BYTES = 200
"""As long as a last line can be."""


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

    def complete(self, run: Run, removed: Mapping[str, float] | None = None) -> bool:
        """Return whether the log of a finished run was written after its end, even if it is among `removed` since.

        Its time alone does not tell: what was read before the end may have been written after it.
        """
        path = self.path_of(run)
        if not path.exists():
            written = (removed or {}).get(path.name, 0.0)
        else:
            written = path.stat().st_mtime if _has_end(path) else 0.0
        return run.finished_at is not None and written >= run.finished_at.timestamp()

    def remove(self, conversation_id: str) -> None:
        """Remove the logs of a conversation, and that they were there."""
        prefix = f"conversation_{conversation_id}_"
        for path in self._folder.glob(f"{prefix}*.jsonl"):
            path.unlink(missing_ok=True)
        removed = self.removed()
        if any(name.startswith(prefix) for name in removed):
            self._remember({name: at for name, at in removed.items() if not name.startswith(prefix)})

    def removed(self) -> Mapping[str, float]:
        """Return the names of logs that made room for others, with the times at which they were written."""
        try:
            found = json.loads((self._folder / REMOVED).read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(name): float(at) for name, at in found.items()} if isinstance(found, dict) else {}

    def _remember(self, removed: Mapping[str, float]) -> None:
        newest = sorted(removed.items(), key=lambda entry: entry[1])[-REMEMBERED:]
        part = self._folder / f"{REMOVED}.part"
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(dict(newest), file)
        part.replace(self._folder / REMOVED)

    def rotate(self) -> None:
        """Remove the oldest logs, but never the last, until the rest is no larger than what is kept."""
        found = [(path, path.stat()) for path in self._folder.glob("conversation_*.jsonl")]
        left = sum(stat.st_size for _, stat in found)
        gone: dict[str, float] = {}
        for path, stat in sorted(found, key=lambda entry: entry[1].st_mtime)[:-1]:
            if left <= self._kept_bytes:
                break
            gone[path.name] = stat.st_mtime if _has_end(path) else 0.0
            left -= stat.st_size
        if gone:
            self._remember({**self.removed(), **gone})
        for name in gone:
            (self._folder / name).unlink(missing_ok=True)


def _has_end(path: Path) -> bool:
    """Return whether a log ends as one of a run that has ended: with the end of its last round."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _END_BYTES))
        return file.read().rstrip(b"\n").rpartition(b"\n")[2].startswith(_END)
