"""The tables of schedules, in the form of `tables`."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from tablewright.store.sql.tables import metadata

schedules = Table(
    "workflow_schedules",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("next_at", BigInteger),
    Column("body", Text, nullable=False),
    Index(None, "tenant", "owner", "id"),
    Index(None, "next_at"),
)

firings = Table(
    "workflow_firings",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("schedule_id", ForeignKey("workflow_schedules.id", ondelete="CASCADE"), nullable=False),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("due_at", BigInteger, nullable=False),
    Column("stage", String(16), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("act_at", BigInteger),
    Column("body", Text, nullable=False),
    Index(None, "schedule_id", "due_at"),
    Index(None, "stage", "act_at"),
)
