"""Add the index from chat histories to turns, for clients that send no session id."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table, empty: older sessions can only be found by their ids."""
    op.create_table(
        "histories",
        sa.Column("hash", sa.String(32), primary_key=True),
        sa.Column("session", sa.String(64), primary_key=True),
        sa.Column("turn", sa.String(64), primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("histories_hash", "histories", ["hash", "at"])
    op.create_index("histories_session", "histories", ["session"])
