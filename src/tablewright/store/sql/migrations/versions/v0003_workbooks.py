"""Versions and rounds of workbooks, and messages of faces."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "workbooks",
        sa.Column("id", sa.String(64), nullable=False),
        *_whose(),
        sa.Column("head", sa.Integer, nullable=False),
        sa.Column("latest", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workbooks"),
        sa.ForeignKeyConstraint(["id"], ["files.id"], name="fk_workbooks_id", ondelete="CASCADE"),
    )
    op.create_table(
        "versions",
        sa.Column("workbook_id", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        *_whose(),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("workbook_id", "number", name="pk_versions"),
        _of_workbook("versions"),
    )
    op.create_table(
        "rounds",
        sa.Column("id", sa.String(64), nullable=False),
        *_whose(),
        sa.Column("workbook_id", sa.String(64), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("run_id", sa.String(64), nullable=False),
        sa.Column("plan_id", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rounds"),
        _of_workbook("rounds"),
        sa.UniqueConstraint("workbook_id", "plan_id", "number", name="uq_rounds_workbook_id_plan_id_number"),
        sa.UniqueConstraint("workbook_id", "place", name="uq_rounds_workbook_id_place"),
    )
    op.create_table(
        "face_messages",
        *_whose(),
        sa.Column("face", sa.String(32), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("message_id", sa.String(512), nullable=False),
        sa.Column("channel_id", sa.String(512), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("tenant", "owner", "face", "id", name="pk_face_messages"),
    )
    for column in ("message_id", "channel_id"):
        name = f"ix_face_messages_tenant_owner_face_{column}"
        op.create_index(name, "face_messages", ["tenant", "owner", "face", column])


def downgrade() -> None:
    """Drop the tables."""
    for table in ("face_messages", "rounds", "versions", "workbooks"):
        op.drop_table(table)


def _whose() -> tuple[sa.Column[str], sa.Column[str]]:
    return sa.Column("tenant", sa.String(255), nullable=False), sa.Column("owner", sa.String(255), nullable=False)


def _of_workbook(table: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_workbook_id"
    return sa.ForeignKeyConstraint(["workbook_id"], ["workbooks.id"], name=name, ondelete="CASCADE")
