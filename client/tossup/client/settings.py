"""The settings of a client, checked once."""

import os
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from tossup.client.errors import Misconfigured
from tossup.client.link import Link
from tossup.client.store.places import StorePath, plain_path, store_path

if TYPE_CHECKING:
    from tossup.client.upload.transport import Transport

#: The chance, over all answers of a device's life, for which a report may tell more than its odds:
#: enough for ten answers at the usual one in a million.
DELTA_CAP: Final = Fraction(1, 100_000)


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
    transport: "Transport | None"
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
    transport: "Transport | None",
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
        transport=transport,
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
