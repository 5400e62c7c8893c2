"""Where reports and surveys rest: a small interface and what implements it.

Stage: ingest to tally. Nothing outside this package speaks SQL.
"""

from tossup.server.store.base import (
    Chunk,
    Count,
    Cursor,
    IdBlock,
    ManifestUnknown,
    ReportsExpired,
    SchemaTooNew,
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
from tossup.server.store.members import ROLES, KeyRecord, Line, Member, Role, SessionRecord
from tossup.server.store.opening import DriverMissing, holds_data, open_store
from tossup.server.store.sqlite import SQLiteStore

__all__ = [
    "ROLES",
    "Chunk",
    "Count",
    "Cursor",
    "DriverMissing",
    "IdBlock",
    "KeyRecord",
    "Line",
    "ManifestUnknown",
    "Member",
    "ReportsExpired",
    "Role",
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
    "holds_data",
    "open_store",
]
