"""Say why a call was refused: one line to the logger ``tossup``, once for each cause.

Stage: the host app's side of the device. A line says what happened, why, and what to do next. It
never holds an answer: it is made from the SDK's own messages, after the answers are gone.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tossup.client.errors import suppress

if TYPE_CHECKING:
    from tossup.client.errors import ClientError
    from tossup.client.results import FlushResult

LOGGER: Final = "tossup"

#: How many causes are remembered in a process; a cause that was forgotten is said again.
_CAUSES: Final = 1024

#: A message that goes on after this says itself what to do next.
_GOES_ON: Final = "Nothing was tossed. "

#: Why a flush stopped although nothing is wrong.
_FINE: Final = {None, "waiting", "flushing"}


def warn_of_refusal(failure: "ClientError") -> None:
    """Log a refused call, unless its cause has been logged by this process."""
    reason, advice = failure.reason, failure.outcome.explanation
    is_whole = str(failure) == advice or _GOES_ON in reason
    _warn(reason if is_whole else f"{reason.rstrip('.')}. {advice}")


def warn_of_upload(result: "FlushResult") -> None:
    """Log an upload that failed or that the server refused, unless its cause has been logged."""
    if result.reason not in _FINE:
        _warn(f"upload stopped, {result.reason}: {result.explanation}")
    elif result.quarantined and result.reason is None:
        _warn(f"upload: {result.explanation}")


@lru_cache(maxsize=_CAUSES)
def _warn(line: str) -> None:
    with suppress(Exception):  # a host app's handlers may raise
        import logging

        logging.getLogger(LOGGER).warning("%s", " ".join(line.split()))
