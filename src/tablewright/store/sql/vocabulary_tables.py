"""The table of the vocabulary, in the form of `tables`."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, String, Table, Text

from tablewright.store.sql.tables import metadata

vocabulary = Table(
    "vocabulary",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("phrase", Text, nullable=False),
    Column("meaning", Text, nullable=False),
    Column("created_by", String(255), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index(None, "tenant", "kind", "created_at"),
)
