"""Stored workflows, their versions and settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "workflows",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("owner", sa.String(255), nullable=False),
        sa.Column("visibility", sa.String(16), nullable=False),
        sa.Column("draft", sa.Text, nullable=False),
        *_words(),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("latest", sa.Integer, nullable=False),
        sa.Column("published", sa.Integer),
        sa.PrimaryKeyConstraint("id", name="pk_workflows"),
    )
    for column in ("owner", "visibility"):
        op.create_index(f"ix_workflows_tenant_{column}_id", "workflows", ["tenant", column, "id"])
    op.create_table(
        "workflow_versions",
        sa.Column("workflow_id", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("tenant", sa.String(255), nullable=False),
        *_words(),
        sa.Column("definition", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.String(255), nullable=False),
        sa.PrimaryKeyConstraint("workflow_id", "number", name="pk_workflow_versions"),
        sa.ForeignKeyConstraint(
            ["workflow_id"], ["workflows.id"], name="fk_workflow_versions_workflow_id", ondelete="CASCADE"
        ),
    )
    _settings()


def downgrade() -> None:
    """Drop the tables, with every stored workflow."""
    for table in ("system_choices", "workflow_choices", "workflow_changes", "workflow_versions", "workflows"):
        op.drop_table(table)


def _settings() -> None:
    op.create_table(
        "workflow_changes",
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("tenant", name="pk_workflow_changes"),
    )
    op.create_table(
        "workflow_choices",
        sa.Column("tenant", sa.String(255), nullable=False),
        sa.Column("level", sa.String(16), nullable=False),
        sa.Column("person", sa.String(255), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("tenant", "level", "person", name="pk_workflow_choices"),
    )
    op.create_table(
        "system_choices",
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("subject", name="pk_system_choices"),
    )


def _words() -> tuple[sa.Column[str], ...]:
    return (
        sa.Column("definition_id", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("examples", sa.Text, nullable=False),
    )
