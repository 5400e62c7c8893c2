"""How many connections a server may hold, so that idle ones do not keep others out.

Stage: HTTP. Above the limit a connection is answered that the server is busy, and ended.
"""

import sys
from contextlib import suppress
from typing import Final

MOST_CONNECTIONS: Final = 4096
#: A client whose turn it is has this long; one that waits for its answer may wait longer.
IDLE_SECONDS: Final = 20
#: A body may take longer by its length at this rate: half a megabyte takes nine minutes at most.
LEAST_BYTES_A_SECOND: Final = 1024
#: Seconds between two looks for idle connections.
SWEEP_SECONDS: Final = 5

#: A thread may hold the database, its log and its index, each a file, and one to spare.
_FILES_OF_A_THREAD: Final = 4
_OTHER_FILES: Final = 64


def connection_limit(threads: int) -> int:
    """Return how many connections to hold, within what the system lets the process open.

    Raises the process's soft limit of open files towards its hard limit where that is needed.
    """
    kept = _OTHER_FILES + _FILES_OF_A_THREAD * threads
    return within(_open_files(MOST_CONNECTIONS + kept), kept)


def within(files: int, kept: int) -> int:
    """Return the connections that ``files`` open files allow when ``kept`` serve other ends.

    >>> within(1024, 320), within(1_000_000, 320), within(256, 320)
    (704, 4096, 64)
    """
    return max(_OTHER_FILES, min(MOST_CONNECTIONS, files - kept))


def _open_files(wanted: int) -> int:
    """Return how many files the process may open, at least ``wanted`` where it may say so."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < wanted:
        more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        # A system may refuse more than it says; then the limit stays as it is.
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
