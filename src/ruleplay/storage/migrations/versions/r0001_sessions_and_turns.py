"""Sessions, turns and static prompts."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("agent", sa.String(64), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("models", sa.Text, nullable=False),
        sa.Column("head", sa.String(64)),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("state_version", sa.Integer, nullable=False),
        sa.Column("spent", sa.String(32), nullable=False),
        sa.Column("origin", sa.String(64)),
        sa.Column("forked", sa.String(64)),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("updated", sa.String(40), nullable=False),
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("parent", sa.String(64), index=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.String(128), nullable=False),
        sa.Column("key", sa.String(200)),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("given", sa.Text, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("reply", sa.Text, nullable=False),
        sa.Column("cites", sa.Text, nullable=False),
        sa.Column("messages", sa.Text, nullable=False),
        sa.Column("calls", sa.Text, nullable=False),
        sa.Column("outside", sa.Text, nullable=False),
        sa.Column("state_hash", sa.String(64), nullable=False),
        sa.Column("state", sa.Text),
        sa.Column("state_version", sa.Integer),
        sa.Column("ms", sa.Integer, nullable=False),
        sa.UniqueConstraint("session", "key", name="turns_key"),
    )
    op.create_index("turns_session", "turns", ["session", "number"])
    op.create_table(
        "prompts",
        sa.Column("hash", sa.String(32), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
