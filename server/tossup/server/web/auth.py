"""Who asks, and in which role: by an API key, or by a session that a link or a password began.

Stage: HTTP. The only module that makes or compares secrets, but for passwords, which are those of
`people`. All are 256 random bits, so SHA-256 keeps them safe at rest; each is shown once.

For a dashboard::

    auth = services().auth
    token = auth.redeem_link(link)              # from a POST, guarded by check_same_origin()
    auth.set_cookie(response, token)            # the browser is signed in
    auth.csrf_token()                           # for the form field or header of every POST
    auth.sign_out(response)
"""

import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from flask import has_request_context, request
from werkzeug.wrappers import Response

from tossup.server.clock import ForwardClock
from tossup.server.refusals import Refused
from tossup.server.store.base import Store
from tossup.server.store.members import Member, MemberUnknown, Role
from tossup.shared.signing import b64url

KEY_PREFIX: Final = "tsk_"
LINK_SECONDS: Final = 3600
INVITATION_SECONDS: Final = 3 * 24 * 3600
IDLE_SECONDS: Final = 30 * 60
LIFE_SECONDS: Final = 12 * 3600
CSRF_FIELD: Final = "csrf_token"
CSRF_HEADER: Final = "X-CSRF-Token"

_TOUCH_SECONDS: Final = 60


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. ``name`` stands in the record; ``member`` is None for keys and the machine's owner.

    ``session`` is the digest of the session's token; None for an API key.
    """

    name: str
    role: Role
    member: int | None = None
    session: bytes | None = None


class Auth:
    """Secrets, made and checked.

    Parameters
    ----------
    store
        Keeps their digests.
    secure
        Whether browsers come over https: then the cookie is Secure and bound to the host.
    now
        Returns the seconds since 1970.
    """

    def __init__(
        self, store: Store, *, secure: bool, now: Callable[[], int] = lambda: int(time.time())
    ) -> None:
        self._store = store
        self._secure = secure
        self._now = now
        self._clock: ForwardClock | None = None
        self._noted = 0
        self.cookie = "__Host-tossup" if secure else "tossup"
        self._form_cookie = f"{self.cookie}-form"

    def create_key(self, name: str, role: Role = "owner") -> str:
        """Return a new API key. It cannot be shown again."""
        key = KEY_PREFIX + _secret()
        self._store.add_key(_digest(key), name, role)
        return key

    def key_caller(self) -> Caller | None:
        """Return who sent an API key that was not revoked, and note the day."""
        scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
        digest = _digest(sent)
        keys = self._store.keys()
        kept = [key for key in keys if not key.revoked]
        # Every digest is compared, in constant time, whichever fits.
        matches = [key for key in kept if hmac.compare_digest(digest, key.digest)]
        if scheme.lower() != "bearer" or not matches:
            return None
        if matches[0].used != self._store.today():
            self._store.use_key(matches[0].number)
        return Caller(f"key {matches[0].number} ({matches[0].name})", matches[0].role)

    def has_key(self) -> bool:
        """Return whether the request carries an API key that was not revoked."""
        return self.key_caller() is not None

    def create_link(self, seconds: int = LINK_SECONDS, member: int | None = None) -> str:
        """Return the secret of a link that signs in one browser, once.

        A member's link asks for a new password first.
        """
        secret = _secret()
        self._store.add_link(_digest(secret), self.time() + seconds, member)
        return secret

    def invited(self, secret: str) -> Member | None:
        """Return whose link this is, without using it up; None if it is no member's."""
        found = self._store.link(_digest(secret), self.time())
        return self._store.member(found[0]) if found and found[0] is not None else None

    def opens(self, secret: str) -> bool:
        """Return whether a link works still, without using it up."""
        return self._store.link(_digest(secret), self.time()) is not None

    def redeem_link(self, secret: str, password: str | None = None) -> str | None:
        """Use up a one-time link; return a new session's token, or None if the link is invalid.

        A member's link gives the member ``password``, as `people.passwords` keeps it; a link of
        the machine's owner has none.
        """
        found = self._store.take_link(_digest(secret), self.time())
        if found is None or (found[0] is None) != (password is None):
            return None
        if found[0] is not None and password is not None:
            self._store.set_password(found[0], password)
        return self.begin_session(found[0])

    def begin_session(self, member: int | None) -> str:
        """Return a new session's token, whatever token the browser sent; its session ends."""
        self._end_old_sessions(self._token() if has_request_context() else None)
        token = _secret()
        self._store.add_session(_digest(token), self.time(), member)
        return token

    def session_caller(self) -> Caller | None:
        """Return who uses the signed-in browser, and note that it was seen."""
        digest = _digest(self._token())
        session = self._store.session(digest)
        if session is None:
            return None
        now = self.time()
        if now - session.began >= LIFE_SECONDS or now - session.seen >= IDLE_SECONDS:
            self._end_old_sessions(self._token())
            return None
        if now - session.seen >= _TOUCH_SECONDS:
            self._store.touch_session(digest, now)
        if session.member is None:
            return Caller("owner of the machine", "owner", session=digest)
        try:
            member = self._store.member(session.member)
        except MemberUnknown:  # removed since the session was read
            return None
        return Caller(member.name, member.role, member.number, digest)

    def has_session(self) -> bool:
        """Return whether the request comes from a signed-in browser, and note that it did."""
        return self.session_caller() is not None

    def set_cookie(self, response: Response, token: str) -> None:
        """Sign the browser in with a session's token."""
        self._set(response, self.cookie, token)

    def sign_out(self, response: Response) -> None:
        """End the request's session, on the server and in the browser."""
        self._end_old_sessions(self._token())
        for cookie in (self.cookie, self._form_cookie):
            response.delete_cookie(
                cookie, secure=self._secure, httponly=True, samesite="Strict", path="/"
            )

    def csrf_token(self) -> str:
        """Return the token that every unsafe request of this session must carry."""
        return _token_of(self._token(), b"tossup csrf")

    def form_secret(self) -> str:
        """Return the browser's secret for forms that outlive their session: its own, or a new one.

        A form that is refused for want of a session is sent again after signing in, when nobody
        knows the new session's token yet; it has `form_token` instead.
        """
        return request.cookies.get(self._form_cookie) or _secret()

    def form_token(self, secret: str) -> str:
        """Return the token that a form has until its browser is signed in."""
        return _token_of(secret, b"tossup form")

    def set_form_cookie(self, response: Response, secret: str) -> None:
        """Give the browser its secret for forms, as long as a session can last."""
        self._set(response, self._form_cookie, secret, LIFE_SECONDS)

    def _set(self, response: Response, cookie: str, value: str, seconds: int | None = None) -> None:
        response.set_cookie(
            cookie,
            value,
            max_age=seconds,
            secure=self._secure,
            httponly=True,
            samesite="Strict",
            path="/",
        )

    def check_csrf(self) -> None:
        """Refuse an unsafe request that a page of another site could have made.

        Raises
        ------
        Refused
            ``cross-site``.
        """
        check_same_origin()
        sent = request.headers.get(CSRF_HEADER) or request.form.get(CSRF_FIELD, "")
        known, secret = [self.csrf_token()], request.cookies.get(self._form_cookie)
        if secret:
            known.append(self.form_token(secret))
        if not any(hmac.compare_digest(sent.encode(), each.encode()) for each in known):
            raise Refused("the form's token is missing or old; load the page again", "cross-site")

    def time(self) -> int:
        """Return seconds since 1970, which never go back: see `ForwardClock`.

        The latest is kept in the store once a minute. Where the machine's clock is behind that at
        the first look, nobody can tell how long ago it was, and all sessions end.
        """
        wall = self._now()
        if self._clock is None:
            self._noted = self._store.latest_time()
            if wall < self._noted - _TOUCH_SECONDS:
                self._store.end_sessions(idle=self._noted + 1)
            self._clock = ForwardClock(self._noted, monotonic=monotonic)
        now = self._clock.at(wall)
        if now - self._noted >= _TOUCH_SECONDS:
            self._store.note_time(now)
            self._noted = now
        return now

    def _token(self) -> str:
        return request.cookies.get(self.cookie, "")

    def _end_old_sessions(self, token: str | None = None) -> None:
        now = self.time()
        self._store.end_sessions(
            digest=None if token is None else _digest(token),
            idle=now - IDLE_SECONDS,
            began=now - LIFE_SECONDS,
        )


def check_same_origin() -> None:
    """Refuse a request that a browser made for a page of another site.

    Raises
    ------
    Refused
        ``cross-site``.
    """
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        # Decisive where it is sent. Origin is not: under a referrer policy of no-referrer, a
        # browser sends "null" even to the page's own site.
        if site != "same-origin":
            raise Refused("the request comes from another site", "cross-site")
        return
    if origin is not None and _netloc(origin) != request.host:
        raise Refused("the request comes from another site", "cross-site")
    if origin is None:
        raise Refused("the browser does not say which page it comes from", "cross-site")


def _netloc(origin: str) -> str | None:
    """Return host and port of an origin; None if it is no address, such as ``http://[``."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _secret() -> str:
    return b64url(secrets.token_bytes(32))


def _token_of(secret: str, purpose: bytes) -> str:
    """Return what a form tells of a cookie's secret, and nobody can make without it."""
    return b64url(hmac.digest(secret.encode(), purpose, "sha256"))


def _digest(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
