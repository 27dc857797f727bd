"""The table of the notes, in the form of `tables`."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, String, Table, Text

from tablewright.store.sql.tables import metadata

notes = Table(
    "notes",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("text", Text, nullable=False),
    Column("run_id", String(64)),
    Column("created_at", BigInteger, nullable=False),
    Index(None, "tenant", "owner", "created_at"),
)
