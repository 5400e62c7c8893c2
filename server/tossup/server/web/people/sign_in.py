"""Signing in by name and password: slowly for who guesses, alike for every name.

Stage: HTTP. Attempts are counted before the password is looked at: by name in the store, so that a
restart forgives nothing, and by network address in memory alone, since no address is ever stored.
"""

import re
from collections import OrderedDict
from hashlib import sha256
from ipaddress import ip_address, ip_network
from threading import Lock
from typing import Final
from unicodedata import normalize

from flask import request

from tossup.server.refusals import Refused
from tossup.server.store.base import Store
from tossup.server.store.members import Member, NameTaken, Role
from tossup.server.web.auth import Auth
from tossup.server.web.people import passwords

WINDOW_SECONDS: Final = 15 * 60
BY_NAME: Final = 10
BY_ADDRESS: Final = 50
_MOST_ADDRESSES: Final = 4096
_MOST_NAME: Final = 60
#: An address with a port, or in the brackets that one needs.
_PORT: Final = re.compile(r"^(?:\[([^]]*)\](?::\d+)?|([^:]*):\d+)$", re.ASCII)


class SignIn:
    """Checks names and passwords.

    Parameters
    ----------
    store, auth
        Members and attempts, and the clock that never goes back.
    trusted_proxies
        How many proxies stand before the server; each adds one address to ``X-Forwarded-For``.
    """

    def __init__(self, store: Store, auth: Auth, *, trusted_proxies: int) -> None:
        self._store = store
        self._auth = auth
        self._hops = trusted_proxies
        self._lock = Lock()
        self._addresses: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def member(self, name: str, password: str) -> Member:
        """Return who signs in.

        Raises
        ------
        Refused
            ``sign-in-refused``, whether the name is unknown, has no password yet or has another;
            ``too-many-attempts`` for names that are unknown, too.
        """
        now, name = self._auth.time(), normalized(name)
        digest = sha256(name.encode("utf-8", "replace")).digest()
        self._count_address(now)
        if self._store.count_attempt(digest, now, now - WINDOW_SECONDS) > BY_NAME:
            raise _too_many()
        # Every member is looked at, and one scrypt is worked out, whatever the name is.
        named = [member for member in self._store.members() if normalized(member.name) == name]
        if not passwords.fits(password, named[0].password if named else None):
            raise Refused(
                "the name or the password is another; an owner can send a new link",
                "sign-in-refused",
            )
        self._store.forget_attempts(digest)
        return named[0]

    def _count_address(self, now: int) -> None:
        address = self._address()
        with self._lock:
            since, attempts = self._addresses.pop(address, (now, 0))
            if now - since >= WINDOW_SECONDS:
                since, attempts = now, 0
            self._addresses[address] = (since, attempts + 1)
            while len(self._addresses) > _MOST_ADDRESSES:
                self._addresses.popitem(last=False)
        if attempts >= BY_ADDRESS:
            raise _too_many()

    def _address(self) -> str:
        """Return where the request comes from, as the outermost trusted proxy saw it."""
        seen = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
        if self._hops and len(seen) >= self._hops:
            return _counted(seen[-self._hops])
        return _counted(request.remote_addr or "")


def _counted(address: str) -> str:
    """Return what attempts are counted by: of IPv6 the network, all of which one client may use.

    Some proxies write the client's port, too, which is another for each connection.

    >>> _counted("2001:db8:0:7::5"), _counted("::ffff:192.0.2.7"), _counted("192.0.2.7")
    ('2001:db8:0:7::/64', '192.0.2.7', '192.0.2.7')
    >>> _counted("[2001:db8:0:7::5]:443"), _counted("192.0.2.7:5678")
    ('2001:db8:0:7::/64', '192.0.2.7')
    """
    bare = _PORT.sub(r"\1\2", address)
    try:
        found = ip_address(bare)
    except ValueError:
        return address
    if found.version == 4:
        return bare
    return str(found.ipv4_mapped or ip_network((found, 64), strict=False))


def normalized(name: str) -> str:
    """Return a name as it is compared: composed, in lower case, with single spaces.

    >>> normalized("  Ada   Lovelace ")
    'ada lovelace'
    """
    return " ".join(normalize("NFKC", name).lower().split())


def add(store: Store, name: str, role: Role) -> Member:
    """Keep a new member, called as it was typed: composed, with single spaces.

    Call it within `Store.together`, which undoes it where the name is taken.

    Raises
    ------
    Refused
        ``member-invalid``.
    NameTaken
        If there is one with this name in any spelling of upper and lower case.
    """
    kept = " ".join(normalize("NFKC", name).split())
    if not 1 <= len(kept) <= _MOST_NAME or not kept.isprintable():
        raise Refused(f"a name has 1 to {_MOST_NAME} printable signs", "member-invalid")
    made = store.add_member(kept, role)  # first, so that nobody else adds one meanwhile
    if [normalized(member.name) for member in store.members()].count(normalized(kept)) > 1:
        raise NameTaken("there is a member with this name; take another one")
    return made


def _too_many() -> Refused:
    return Refused(
        f"too many attempts; wait {WINDOW_SECONDS // 60} minutes, or ask an owner for a link",
        "too-many-attempts",
    )
