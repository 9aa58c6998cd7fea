"""Add the rule data that sessions began with, stored once by hash."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the table; older sessions use the rule data of the installed release."""
    op.create_table(
        "rule_data",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("texts", sa.Text, nullable=False),
    )
