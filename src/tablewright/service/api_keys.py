"""Keys for use over a network: random, shown once, and stored as SHA-256 in one file of the data folder."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from dataclasses import asdict, dataclass
from hmac import compare_digest
from pathlib import Path

from tablewright.domain.ids import Clock
from tablewright.domain.scope import LOCAL_OWNER, LOCAL_TENANT, Scope
from tablewright.errors import Conflict

PREFIX = "tw_"
FILE_NAME = "keys.json"
SECRET_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyEntry:
    """A key as stored, without the key itself. `created_at` is ISO 8601; `operator`: it may make connections."""

    name: str
    owner: str
    sha256: str
    created_at: str
    operator: bool = False


class ApiKeys:
    """The keys of a data folder.

    The file is read again when it has changed, so that a running service notices new keys.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._read_at: int | None = None
        self._entries: tuple[KeyEntry, ...] = ()

    def all(self) -> tuple[KeyEntry, ...]:
        """Return all keys."""
        try:
            changed_at = self._path.stat().st_mtime_ns
        except FileNotFoundError:
            return ()
        if changed_at != self._read_at:
            self._entries = tuple(KeyEntry(**entry) for entry in json.loads(self._path.read_text(encoding="utf-8")))
            self._read_at = changed_at
        return self._entries

    def create(self, name: str, clock: Clock, owner: str = LOCAL_OWNER, *, operator: bool = False) -> str:
        """Create a key for `owner` and return it; it cannot be shown again. Raises `Conflict` if the name is taken."""
        entries = self.all()
        if any(entry.name == name for entry in entries):
            raise Conflict("key_exists", name=name)
        key = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
        at = clock.now().isoformat()
        made = KeyEntry(name=name, owner=owner, sha256=_digest(key), created_at=at, operator=operator)
        self._write((*entries, made))
        return key

    def delete(self, name: str) -> bool:
        """Delete a key; return False if there is none with that name."""
        entries = self.all()
        kept = tuple(entry for entry in entries if entry.name != name)
        if len(kept) == len(entries):
            return False
        self._write(kept)
        return True

    def scope_of(self, key: str) -> Scope | None:
        """Return the scope that `key` grants, or None for an unknown key."""
        digest = _digest(key)
        found: Scope | None = None
        for entry in self.all():
            if compare_digest(entry.sha256, digest):
                found = Scope(tenant=LOCAL_TENANT, owner=entry.owner, operator=entry.operator)
        return found

    def _write(self, entries: tuple[KeyEntry, ...]) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self._path.with_suffix(".new")
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump([asdict(entry) for entry in entries], file, ensure_ascii=False, indent=2)
        beside.replace(self._path)
        self._read_at = None


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
