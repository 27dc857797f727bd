"""Databases of a tenant: connections as they are stored, and tables that were read into a conversation."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseConnection:
    """A database that the runs of a tenant may query under `name`.

    `address` is its URL without the password; `sealed` is the password as `store.sealing` wrote it, empty if there is
    none.
    """

    name: str
    address: str
    sealed: str = field(repr=False)
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNote:
    """Something about what was read that a person has to know: a code of the catalogue with its parameters."""

    code: str
    params: dict[str, str | int]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachedTables:
    """The files that now hold tables of the database, and what was left out."""

    file_ids: tuple[str, ...]
    notes: tuple[TableNote, ...]
