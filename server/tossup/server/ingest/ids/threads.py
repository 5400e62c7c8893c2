"""Threads that sort and merge report ids, beside commits and without the interpreter's lock.

Stage: ingest, under `ids.settled`. All surveys share them; they begin with the first piece of work.
"""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

#: Processors beside that of commits. More threads than eight would need much memory.
SPARE: Final = min(8, (os.cpu_count() or 1) - 1)

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


class _Threads:
    """The threads; others take their place where one could not be had."""

    pool = ThreadPoolExecutor(max(1, SPARE), "tossup-ids")


def begin(
    work: Callable[_Given, _Made], *args: _Given.args, **options: _Given.kwargs
) -> Future[_Made] | None:
    """Let a thread do a piece of work; None if no thread can be had now."""
    try:
        return _Threads.pool.submit(work, *args, **options)
    except RuntimeError:  # the work stays with a pool that nobody asks again
        _Threads.pool = ThreadPoolExecutor(max(1, SPARE), "tossup-ids")
        return None
