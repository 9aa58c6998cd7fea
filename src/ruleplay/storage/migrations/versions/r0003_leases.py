"""Add leases: which process plays a session's turn now."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table, unlogged on PostgreSQL: after a crash no turn runs, so no lease holds."""
    op.create_table(
        "leases",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        prefixes=["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else [],
    )
