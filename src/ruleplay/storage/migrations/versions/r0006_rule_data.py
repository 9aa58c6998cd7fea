"""The rules' data that sessions began with, once for all that share it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the table; sessions that are older take the rules of the release they go on with."""
    op.create_table(
        "rule_data",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("texts", sa.Text, nullable=False),
    )
