"""Conversations, files, and runs with their logs."""

from __future__ import annotations

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
revision = "0001"
down_revision = None

UNFINISHED = text("state <> 'finished'")

conversations = Table(
    "conversations",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("title", Text, nullable=False),
    Column("language", String(8), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Index(None, "tenant", "owner", "updated_at", "id"),
)

messages = Table(
    "messages",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("conversation_id", ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("author", String(16), nullable=False),
    Column("text", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("run_id", String(64)),
    Column("file_ids", Text, nullable=False),
    Column("answer", Text),
    UniqueConstraint("conversation_id", "ordinal"),
)

files = Table(
    "files",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("name", Text, nullable=False),
    Column("mime", Text, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("run_id", String(64)),
    Column("datasets", Text, nullable=False),
    Index(None, "tenant", "owner", "id"),
    Index(None, "tenant", "owner", "name"),
    Index(
        "uq_files_name_of_runs",
        "tenant",
        "owner",
        "name",
        unique=True,
        sqlite_where=text("run_id IS NOT NULL"),
        postgresql_where=text("run_id IS NOT NULL"),
    ),
)

conversation_files = Table(
    "conversation_files",
    metadata,
    Column("conversation_id", ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True),
    Column("file_id", ForeignKey("files.id", ondelete="CASCADE"), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("place", Integer, nullable=False),
    Index(None, "file_id"),
)

blob_refs = Table(
    "blob_refs",
    metadata,
    Column("tenant", String(255), primary_key=True),
    Column("sha256", String(64), primary_key=True),
    Column("owner_kind", String(16), primary_key=True),
    Column("owner_id", String(64), primary_key=True),
    Index(None, "owner_id"),
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("conversation_id", ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Column("given", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("owner_instance", String(64)),
    Column("lease_until", BigInteger),
    Column("cancel_requested_at", BigInteger),
    Column("finished_at", BigInteger),
    Column("outcome", String(16)),
    Column("answer", Text),
    Column("failure", Text),
    Index(None, "conversation_id"),
    Index("uq_runs_live", "conversation_id", unique=True, sqlite_where=UNFINISHED, postgresql_where=UNFINISHED),
    Index("ix_runs_unfinished", "state", "owner_instance", sqlite_where=UNFINISHED, postgresql_where=UNFINISHED),
)

events = Table(
    "events",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("type", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Index(None, "run_id", "type", "seq"),
)

transcript = Table(
    "transcript",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("scope", String(255), nullable=False),
    Column("message", Text, nullable=False),
)

requests = Table(
    "requests",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("id", String(255), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("place", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("answered_at", BigInteger),
    Column("taken", Boolean(create_constraint=False), nullable=False),
)

instances = Table(
    "instances",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("host", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("boot_id", String(64), nullable=False),
    Column("heartbeat_at", BigInteger, nullable=False),
)


def upgrade() -> None:
    """Create the tables."""
    metadata.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    """Drop the tables with all their rows."""
    metadata.drop_all(op.get_bind(), checkfirst=False)
