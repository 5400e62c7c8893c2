"""The respondent's link: where a survey lives and whose signature it must carry."""

import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from tossup.client.errors import Misconfigured
from tossup.shared.errors import WireError
from tossup.shared.signing import unb64url

_PATH = re.compile(r"(?P<prefix>(?:/[^/?#]+)*)/v1/surveys/(?P<survey>[a-z0-9][a-z0-9_-]{0,63})")
_LOOPBACK = re.compile(r"localhost|127(?:\.\d{1,3}){3}|::1")
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Link:
    """A survey's address and the publisher key pinned for it.

    Attributes
    ----------
    server
        Scheme, host, port and path prefix; requests go to ``server + "/v1/..."``.
    survey
        The survey's id.
    key
        The publisher's 32-byte Ed25519 key.
    """

    server: str
    survey: str
    key: bytes

    @classmethod
    def parse(cls, url: str, publisher_key: bytes | str | None = None) -> "Link":
        """Return the link of ``https://host/v1/surveys/<id>#key=<base64url>``.

        Raises
        ------
        Misconfigured
            If the address is not such a link, uses plain http to another machine, carries no
            key while none is given, or carries another key than the one given.
        """
        parts = _split(url)
        path = _PATH.fullmatch(parts.path)
        if path is None:
            raise Misconfigured("the link's path must end in /v1/surveys/<survey id>")
        return cls(
            server=f"{parts.scheme}://{parts.netloc}{path['prefix']}",
            survey=path["survey"],
            key=_pinned_key(parts.fragment, publisher_key),
        )


def _split(url: str) -> SplitResult:
    if type(url) is not str or not url.isascii() or not url.isprintable() or " " in url:
        raise Misconfigured("the link must be a str of printable ASCII without spaces")
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        raise Misconfigured("the link is not a valid URL") from None
    if not host or "@" in parts.netloc or "?" in url:
        raise Misconfigured("the link needs a host, and carries no user name and no query")
    if parts.scheme != "https" and not (parts.scheme == "http" and _LOOPBACK.fullmatch(host)):
        raise Misconfigured("the link must use https:// (http:// only to this machine itself)")
    return parts


def _pinned_key(fragment: str, publisher_key: bytes | str | None) -> bytes:
    carried = _key(fragment.removeprefix("key=")) if fragment.startswith("key=") else None
    if fragment and carried is None:
        raise Misconfigured("the link's fragment must be key=<the publisher's key>")
    given = None if publisher_key is None else _key(publisher_key)
    if carried and given and carried != given:
        raise Misconfigured("the link names another publisher key than the app has pinned")
    key = given or carried
    if key is None:
        raise Misconfigured("give publisher_key, or a link that ends in #key=<publisher key>")
    return key


def _key(key: bytes | str) -> bytes:
    raw = b""
    if isinstance(key, bytes | bytearray | memoryview):  # bytes(n) would make n of them
        raw = bytes(key)
    elif isinstance(key, str):
        with suppress(WireError):
            raw = unb64url(key)
    if len(raw) != _KEY_BYTES:
        raise Misconfigured("a publisher key has 32 bytes, or 43 characters of base64url")
    return raw
