"""Reports in PostgreSQL: several servers write at once, each report is counted once.

Stage: ingest to tally. It needs psycopg, which the extra ``postgres`` brings. See
``docs/decisions/0026-postgresql.md``.
"""

from tossup.server.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
