"""Where reports and surveys rest: what they do alike, and the two databases.

Stage: ingest to tally. Nothing outside this package speaks SQL.
"""

from tossup.server.store.base import Store
from tossup.server.store.opening import holds_data, open_store
from tossup.server.store.records import StorageFailed, StoreError
from tossup.server.store.sqlite import SQLiteStore

__all__ = ["SQLiteStore", "StorageFailed", "Store", "StoreError", "holds_data", "open_store"]
