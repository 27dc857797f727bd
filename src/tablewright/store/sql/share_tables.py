"""The table of links to conversations, in the form of `tables`."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table

from tablewright.store.sql.tables import metadata

shares = Table(
    "shares",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("conversation_id", ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("through", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("revoked_at", BigInteger),
    Index(None, "tenant", "owner", "created_at"),
    Index(None, "conversation_id"),
    Index("uq_shares_sha256", "sha256", unique=True),
)
