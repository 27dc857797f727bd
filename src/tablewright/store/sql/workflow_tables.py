"""The tables of stored workflows, in the form of `tables`. `system_choices` belongs to no tenant."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from tablewright.store.sql.tables import metadata

workflows = Table(
    "workflows",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("visibility", String(16), nullable=False),
    Column("draft", Text, nullable=False),
    Column("definition_id", String(64), nullable=False),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("examples", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("latest", Integer, nullable=False),
    Column("published", Integer),
    Index(None, "tenant", "owner", "id"),
    Index(None, "tenant", "visibility", "id"),
)

workflow_versions = Table(
    "workflow_versions",
    metadata,
    Column("workflow_id", ForeignKey("workflows.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("definition_id", String(64), nullable=False),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("examples", Text, nullable=False),
    Column("definition", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", String(255), nullable=False),
)

workflow_changes = Table(
    "workflow_changes",
    metadata,
    Column("tenant", String(255), primary_key=True),
    Column("number", BigInteger, nullable=False),
)

workflow_choices = Table(
    "workflow_choices",
    metadata,
    Column("tenant", String(255), primary_key=True),
    Column("level", String(16), primary_key=True),
    Column("person", String(255), primary_key=True),
    Column("body", Text, nullable=False),
)

workflow_corrections = Table(
    "workflow_corrections",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("message", Text, nullable=False),
    Column("workflow_id", String(64)),
    Column("wanted_id", String(64)),
    Column("created_at", BigInteger, nullable=False),
    Index(None, "tenant", "owner", "created_at"),
)

system_choices = Table(
    "system_choices",
    metadata,
    Column("subject", String(64), primary_key=True),
    Column("body", Text, nullable=False),
)
