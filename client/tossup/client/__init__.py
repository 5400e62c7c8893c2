"""The device SDK: the truth goes in, coins are tossed, a report comes out.

Stage: answer to upload. ``Client`` is all that most host apps need::

    client = Client(link)
    client.answer({"ever_tried": True, "region": "north"})
    client.flush()
"""

from typing import TYPE_CHECKING

from tossup.client.errors import Outcome
from tossup.client.sdk import Client

if TYPE_CHECKING:
    from tossup.client.flushing import flush_store
    from tossup.client.preview import Preview
    from tossup.client.results import FlushResult, Spending, Status, WaveStatus
    from tossup.client.upload.transport import Response, Transport

__all__ = [
    "Client",
    "FlushResult",
    "Outcome",
    "Preview",
    "Response",
    "Spending",
    "Status",
    "Transport",
    "WaveStatus",
    "flush_store",
]

__version__: str  # of the distribution tossup, read when it is first named

_LAZY = {
    "FlushResult": "tossup.client.results",
    "Preview": "tossup.client.preview",
    "Response": "tossup.client.upload.transport",
    "Spending": "tossup.client.results",
    "Status": "tossup.client.results",
    "Transport": "tossup.client.upload.transport",
    "WaveStatus": "tossup.client.results",
    "flush_store": "tossup.client.flushing",
}


def __getattr__(name: str) -> object:
    """Import the values that a client returns when they are first named."""
    if name == "__version__":
        from importlib.metadata import version

        return version("tossup")
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)
