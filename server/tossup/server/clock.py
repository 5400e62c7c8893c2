"""The server's day: the only time that is kept with a report."""

from datetime import UTC, date, datetime


def today() -> date:
    """Return the server's day: UTC."""
    return datetime.now(UTC).date()
