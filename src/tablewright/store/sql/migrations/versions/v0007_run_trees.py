"""Runs with parents, one stream of a run and all below it, inboxes, and what a run has used."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

LIVE_TOP = sa.text("state <> 'finished' AND parent_id IS NULL")
UNFINISHED = sa.text("state <> 'finished'")
OF_CHILD = sa.text("top_id IS NOT NULL")
UNTAKEN = sa.text("NOT taken")


def upgrade() -> None:
    """Add the columns. Answers that no attempt has taken yet move to the inboxes of their runs."""
    for column in (
        sa.Column("agent", sa.String(64)),
        sa.Column("parent_id", sa.String(64)),
        sa.Column("top_id", sa.String(64)),
        sa.Column("task_id", sa.String(255)),
        sa.Column("worked_us", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("working_since", sa.BigInteger),
        sa.Column("tokens", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("losses", sa.Integer, nullable=False, server_default="0"),
    ):
        op.add_column("runs", column)
    op.drop_index("uq_runs_live", "runs")
    op.create_index("ix_runs_top_id", "runs", ["top_id"])
    op.create_index("uq_runs_parent_id_task_id", "runs", ["parent_id", "task_id"], unique=True)
    op.create_index(
        "uq_runs_live_top", "runs", ["conversation_id"], unique=True, sqlite_where=LIVE_TOP, postgresql_where=LIVE_TOP
    )
    op.add_column("events", sa.Column("top_id", sa.String(64)))
    op.add_column("events", sa.Column("top_seq", sa.Integer))
    op.create_index(
        "uq_events_top_id_top_seq",
        "events",
        ["top_id", "top_seq"],
        unique=True,
        sqlite_where=OF_CHILD,
        postgresql_where=OF_CHILD,
    )
    _create_inbox()
    _move_answers()
    op.drop_column("requests", "taken")


def downgrade() -> None:
    """Drop what was added; answers that no attempt has taken are given again by the next."""
    op.add_column("requests", sa.Column("taken", sa.Boolean, nullable=False, server_default=sa.false()))
    op.drop_table("inbox")
    op.drop_index("uq_events_top_id_top_seq", "events")
    op.drop_column("events", "top_seq")
    op.drop_column("events", "top_id")
    for index in ("uq_runs_live_top", "uq_runs_parent_id_task_id", "ix_runs_top_id"):
        op.drop_index(index, "runs")
    op.create_index(
        "uq_runs_live", "runs", ["conversation_id"], unique=True, sqlite_where=UNFINISHED, postgresql_where=UNFINISHED
    )
    for column in ("losses", "tokens", "working_since", "worked_us", "task_id", "top_id", "parent_id", "agent"):
        op.drop_column("runs", column)


def _create_inbox() -> None:
    op.create_table(
        "inbox",
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("item", sa.Text, nullable=False),
        sa.Column("taken", sa.Boolean(create_constraint=False), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "place", name="pk_inbox"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_inbox_run_id", ondelete="CASCADE"),
    )
    op.create_index("ix_inbox_untaken", "inbox", ["run_id"], sqlite_where=UNTAKEN, postgresql_where=UNTAKEN)


def _move_answers() -> None:
    columns = ("run_id", "id", "tenant", "place", "body", "answered_at", "taken")
    requests = sa.table("requests", *map(sa.column, columns))
    inbox = sa.table(
        "inbox",
        sa.column("run_id"),
        sa.column("place", sa.Integer),
        sa.column("tenant"),
        sa.column("at", sa.BigInteger),
        sa.column("item"),
        sa.column("taken", sa.Boolean),
    )
    untaken = requests.c.answered_at.is_not(None) & requests.c.taken.is_(sa.false())
    bind = op.get_bind()
    for row in bind.execute(sa.select(requests).where(untaken)).all():
        item = {"type": "answer.given", "request_id": row.id, "answer": json.loads(row.body)["answer"]}
        values = {"run_id": row.run_id, "place": row.place, "tenant": row.tenant, "at": row.answered_at, "taken": False}
        bind.execute(sa.insert(inbox).values(**values, item=json.dumps(item, ensure_ascii=False)))
