"""The settings of a client, checked once: the respondent's link, the store, and the caps."""

import os
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final
from urllib.parse import SplitResult, urlsplit

from tossup.client.errors import Misconfigured, suppress
from tossup.client.store.places import StorePath, plain_path, store_path
from tossup.shared.errors import WireError
from tossup.shared.signing import unb64url

#: The chance, over all answers of a device's life, for which a report may tell more than its odds:
#: enough for ten answers at the usual one in a million.
DELTA_CAP: Final = Fraction(1, 100_000)


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


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a client needs to know; see `tossup.client.Client` for the meaning."""

    link: Link
    store: str
    question_cap: Fraction
    publisher_cap: Fraction
    device_cap: Fraction
    delta_cap: Fraction
    require_consent: bool
    manifest: bytes | None
    ca_file: str | None
    timeout_seconds: int


def checked(
    *,
    url: str,
    publisher_key: bytes | str | None,
    store: StorePath | None,
    question_cap: int | Fraction,
    publisher_cap: int | Fraction,
    device_cap: int | Fraction,
    delta_cap: int | Fraction | None,
    require_consent: bool,
    manifest: bytes | None,
    ca_file: StorePath | None,
    timeout_seconds: int,
) -> Settings:
    """Return the settings, or refuse them.

    Raises
    ------
    Misconfigured
        If any of them is invalid. Nothing has been written then.
    """
    if type(timeout_seconds) is not int or not 1 <= timeout_seconds <= 3600:
        raise Misconfigured("timeout_seconds must be an int from 1 to 3600")
    return Settings(
        link=Link.parse(url, publisher_key),
        store=store_path(store),
        question_cap=_cap(question_cap, "question_cap"),
        publisher_cap=_cap(publisher_cap, "publisher_cap"),
        device_cap=_cap(device_cap, "device_cap"),
        delta_cap=_chance(delta_cap),
        require_consent=bool(require_consent),
        manifest=_bytes(manifest, "manifest"),
        ca_file=None if ca_file is None else _readable(ca_file),
        timeout_seconds=timeout_seconds,
    )


def _bytes(value: bytes | None, what: str) -> bytes | None:
    if value is not None and type(value) is not bytes:
        raise Misconfigured(f"{what} must be bytes, as Client.manifest() returns them")
    return value


def _readable(ca_file: StorePath) -> str:
    path = os.path.abspath(plain_path(ca_file, "ca_file"))
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        raise Misconfigured(f"ca_file must be a file that can be read: there is none at {path}")
    return path


def _chance(cap: int | Fraction | None) -> Fraction:
    if cap is None:
        return DELTA_CAP
    if type(cap) not in (int, Fraction) or not 0 <= cap < 1:
        raise Misconfigured("delta_cap must be a chance: 0, or a Fraction below 1")
    return Fraction(cap)


def _cap(cap: int | Fraction, what: str) -> Fraction:
    if type(cap) not in (int, Fraction) or cap < 1:
        raise Misconfigured(f"{what} must be odds: an int or a Fraction of at least 1")
    return Fraction(cap)


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
