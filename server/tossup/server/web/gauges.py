"""What is so at the moment, for those who watch the server: disk, memory, clock.

Stage: HTTP. It says nothing of a survey, and what cannot be known is left out.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from shutil import disk_usage
from typing import Final

from tossup.server.ingest.known_day import doubt
from tossup.server.store.records import StorageFailed
from tossup.server.web.metrics import Gauge
from tossup.server.web.services import Services

_START: Final = time.time()
_MEMORY: Final = Path("/proc/self/statm")


def gauges(services: Services) -> Iterator[Gauge]:
    """Return every gauge of a running server."""
    yield Gauge("process_start_time_seconds", "When the process started.", _START)
    yield _ready(services)
    yield _clock(services)
    yield from _damaged(services)
    yield from _backup(services)
    yield from _disk(services.config.data)
    yield from _memory()


def _ready(services: Services) -> Gauge:
    try:
        services.store.check_writable()
        is_ready = True
    except StorageFailed:
        is_ready = False
    return Gauge("tossup_ready", "1 while reports can be stored, as /readyz says.", is_ready)


def _clock(services: Services) -> Gauge:
    store = services.store
    try:
        wrong = doubt(store, store.clock())
    except StorageFailed:
        wrong = None  # `tossup_ready` says what is wrong
    return Gauge(
        "tossup_clock_jumped",
        "1 while the clock is not believed; `tossup clock` says why.",
        wrong is not None,
    )


def _damaged(services: Services) -> Iterator[Gauge]:
    with suppress(StorageFailed):  # `tossup_ready` says what is wrong
        yield Gauge(
            "tossup_damaged_surveys",
            "Surveys that cannot be read; `tossup doctor` names them.",
            len(services.store.readable()[1]),
        )


def _backup(services: Services) -> Iterator[Gauge]:
    with suppress(StorageFailed):  # `tossup_ready` says what is wrong
        yield Gauge(
            "tossup_last_backup_timestamp_seconds",
            "When the last backup was begun, 0 for none.",
            services.store.last_backup(),
        )


def _disk(folder: Path) -> Iterator[Gauge]:
    try:
        free, held = disk_usage(folder).free, sum(f.stat().st_size for f in folder.iterdir())
    except OSError:
        return
    yield Gauge("tossup_disk_free_bytes", "Bytes that are free where the data is.", free)
    yield Gauge("tossup_data_bytes", "Bytes of the data folder.", held)


def _memory() -> Iterator[Gauge]:
    try:
        pages = int(_MEMORY.read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return
    size = pages * os.sysconf("SC_PAGE_SIZE")
    yield Gauge("process_resident_memory_bytes", "Memory that the process holds.", size)
