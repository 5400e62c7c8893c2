"""Where reports and surveys rest: a small interface and what implements it.

Stage: ingest to tally. Nothing outside this package speaks SQL.
"""

from tossup.server.store.base import (
    Chunk,
    Count,
    Cursor,
    IdBlock,
    KeyRecord,
    ManifestUnknown,
    ReportsExpired,
    SchemaTooNew,
    SessionRecord,
    Standing,
    State,
    StorageFailed,
    Store,
    StoreError,
    StoreInconsistent,
    SurveyDeleted,
    SurveyRecord,
    SurveyUnknown,
    Transaction,
)
from tossup.server.store.sqlite import SQLiteStore

__all__ = [
    "Chunk",
    "Count",
    "Cursor",
    "IdBlock",
    "KeyRecord",
    "ManifestUnknown",
    "ReportsExpired",
    "SQLiteStore",
    "SchemaTooNew",
    "SessionRecord",
    "Standing",
    "State",
    "StorageFailed",
    "Store",
    "StoreError",
    "StoreInconsistent",
    "SurveyDeleted",
    "SurveyRecord",
    "SurveyUnknown",
    "Transaction",
]
