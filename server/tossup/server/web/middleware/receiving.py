"""Views whose answer waits for a durable commit, and what they declare of it.

Stage: HTTP. Behind ``tossup serve`` such a request holds a future while it waits, and not a thread:
`tossup.server.web.serving.reports` does what the view does, by what is declared here. Any other
WSGI server calls the view itself. The guard of the view holds on both roads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from flask import Flask, Response

from tossup.server.ingest.group import Work
from tossup.shared.wire import RECEIPT_TYPE, Receipt, encode_receipt

View = TypeVar("View", bound=Callable[..., Any])


class Decode(Protocol):
    """A method of `tossup.server.ingest.core.Ingest` that makes work of a body."""

    def __call__(self, ingest: Any, body: bytes, /, *, at_once: bool) -> Work: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Receiving:
    """How a body becomes work: its decoder, and the media types it may be of."""

    decode: Decode
    media_types: tuple[str, ...]


def commits(decode: Decode, *media_types: str) -> Callable[[View], View]:
    """Declare that a view commits the work in its body, and answers with the receipt."""

    def declare(view: View) -> View:
        view.receiving = Receiving(decode, media_types)  # type: ignore[attr-defined]
        return view

    return declare


def committing(app: Flask) -> dict[str, Receiving]:
    """Return what every view with such a declaration declares, by its path; they are for POST.

    Raises
    ------
    RuntimeError
        If one is not open to anyone, from any page: the road past Flask asks for no key.
    """
    found = {}
    for rule in app.url_map.iter_rules():
        view = app.view_functions[rule.endpoint]
        receiving = getattr(view, "receiving", None)
        if receiving is None:
            continue
        shared = getattr(view, "cross_origin", False)
        access = getattr(view, "access", None)  # what `tossup.server.web.access.public` declares
        if not shared or access is None or access.by != "public" or rule.arguments:
            raise RuntimeError(f"{rule.rule} commits, so it must be public and for any origin")
        found[rule.rule] = receiving
    return found


def receipt(received: Receipt) -> Response:
    """Return the answer to what is durably received."""
    return Response(_encoded(received), content_type=RECEIPT_TYPE)


@lru_cache(maxsize=1024)
def _encoded(received: Receipt) -> bytes:
    return encode_receipt(received)
