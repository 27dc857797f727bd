"""The tables. Times are microseconds since 1970; values that are only read as a whole are JSON text.

`tenant` and `owner` identify the owner of a row. A row without `owner` belongs to the owner of its conversation or run.
"""

from __future__ import annotations

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
# What indexes are limited to is said for SQLite alone. The migrations make them on PostgreSQL too; to say it here for
# both would import what PostgreSQL needs wherever a file is opened.
UNFINISHED = text("state <> 'finished'")
TO_WAKE = text("wake_at IS NOT NULL")
LIVE_TOP = text("state <> 'finished' AND parent_id IS NULL")
OF_CHILD = text("top_id IS NOT NULL")
UNTAKEN = text("NOT taken")

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
    Column("current_workflow_uuid", String(64)),
    Column("current_runtime_uuid", String(64)),
    Column("workflow_state", String(32), nullable=False, server_default="IDLE"),
    Index(None, "tenant", "owner", "updated_at", "id"),
)

conversation_keys = Table(
    "conversation_keys",
    metadata,
    Column("tenant", String(255), primary_key=True),
    Column("owner", String(255), primary_key=True),
    Column("face", String(32), primary_key=True),
    Column("key", String(512), primary_key=True),
    Column("conversation_id", ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
    Index(None, "conversation_id"),
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
    Column("provider_name", String(64)),
    Column("base_name", String(64)),
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
    Column("downloaded", Boolean),
    Column("computed", String(64)),
    Index(None, "tenant", "owner", "id"),
    Index(None, "tenant", "owner", "name"),
    Index(
        "uq_files_name_of_runs",
        "tenant",
        "owner",
        "name",
        unique=True,
        sqlite_where=text("run_id IS NOT NULL"),
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

workbooks = Table(
    "workbooks",
    metadata,
    Column("id", ForeignKey("files.id", ondelete="CASCADE"), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("head", Integer, nullable=False),
    Column("latest", Integer, nullable=False),
)

versions = Table(
    "versions",
    metadata,
    Column("workbook_id", ForeignKey("workbooks.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("body", Text, nullable=False),
)

rounds = Table(
    "rounds",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("owner", String(255), nullable=False),
    Column("workbook_id", ForeignKey("workbooks.id", ondelete="CASCADE"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("run_id", String(64), nullable=False),
    Column("plan_id", String(64), nullable=False),
    Column("number", Integer, nullable=False),
    Column("body", Text, nullable=False),
    UniqueConstraint("workbook_id", "plan_id", "number"),
    UniqueConstraint("workbook_id", "place"),
)

face_messages = Table(
    "face_messages",
    metadata,
    Column("tenant", String(255), primary_key=True),
    Column("owner", String(255), primary_key=True),
    Column("face", String(32), primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("message_id", String(512), nullable=False),
    Column("channel_id", String(512), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Index(None, "tenant", "owner", "face", "message_id"),
    Index(None, "tenant", "owner", "face", "channel_id"),
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
    Column("agent", String(64)),
    Column("parent_id", String(64)),
    Column("top_id", String(64)),
    Column("task_id", String(255)),
    Column("worked_us", BigInteger, nullable=False, server_default="0"),
    Column("working_since", BigInteger),
    Column("tokens", BigInteger, nullable=False, server_default="0"),
    Column("losses", Integer, nullable=False, server_default="0"),
    Column("wake_at", BigInteger),
    Index(None, "conversation_id"),
    Index(None, "top_id"),
    Index("uq_runs_parent_id_task_id", "parent_id", "task_id", unique=True),
    Index("uq_runs_live_top", "conversation_id", unique=True, sqlite_where=LIVE_TOP),
    Index("ix_runs_wake_at", "wake_at", sqlite_where=TO_WAKE),
    Index("ix_runs_unfinished", "state", "owner_instance", sqlite_where=UNFINISHED),
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
    Column("from_seq", Integer),
    Column("top_id", String(64)),
    Column("top_seq", Integer),
    Index(None, "run_id", "type", "seq"),
    Index("uq_events_top_id_top_seq", "top_id", "top_seq", unique=True, sqlite_where=OF_CHILD),
)

compacted = Table(
    "compacted",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("tenant", String(255), nullable=False),
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
)

inbox = Table(
    "inbox",
    metadata,
    Column("run_id", ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("tenant", String(255), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("item", Text, nullable=False),
    Column("taken", Boolean(create_constraint=False), nullable=False),
    Index("ix_inbox_untaken", "run_id", sqlite_where=UNTAKEN),
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

connections = Table(
    "connections",
    metadata,
    Column("tenant", String(255), primary_key=True),
    Column("name", String(255), primary_key=True),
    Column("body", Text, nullable=False),
)
