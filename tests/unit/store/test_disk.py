"""What SQLite says of a disk, and what it means."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest

from tablewright.errors import StorageFull, StorageUnwritable, TablewrightError
from tablewright.store.sql.disk import disk_trouble


@pytest.mark.parametrize(
    ("code", "free", "writable", "meaning"),
    [
        (sqlite3.SQLITE_IOERR_SHMSIZE, 0, True, StorageFull),
        (sqlite3.SQLITE_CANTOPEN, 0, False, StorageUnwritable),
        (sqlite3.SQLITE_READONLY, 10**9, False, StorageUnwritable),
        (sqlite3.SQLITE_CANTOPEN, 10**9, True, None),
        (sqlite3.SQLITE_CORRUPT, 0, False, None),
    ],
)
def test_a_disk_that_is_full_or_only_read_is_told_from_a_broken_database(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    free: int,
    writable: bool,
    meaning: type[TablewrightError] | None,
) -> None:
    monkeypatch.setattr("os.access", lambda _path, _mode: writable)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=free))
    trouble = disk_trouble(tmp_path / "store.db", code, "disk I/O error")
    assert (type(trouble) if trouble else None) is meaning
