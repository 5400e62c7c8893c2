"""Who may look: API keys, one-time set-up links and sessions.

Stage: HTTP. The only module that makes or compares secrets. All of them are 256 random bits, so
SHA-256 keeps them safe at rest; each is shown once.

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
from hashlib import sha256
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from flask import request
from werkzeug.wrappers import Response

from tossup.server.clock import ForwardClock
from tossup.server.refusals import Refused
from tossup.server.store.base import Store
from tossup.shared.signing import b64url

KEY_PREFIX: Final = "tsk_"
LINK_SECONDS: Final = 3600
IDLE_SECONDS: Final = 30 * 60
LIFE_SECONDS: Final = 12 * 3600
CSRF_FIELD: Final = "csrf_token"
CSRF_HEADER: Final = "X-CSRF-Token"

_TOUCH_SECONDS: Final = 60


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

    def create_key(self, name: str) -> str:
        """Return a new API key. It cannot be shown again."""
        key = KEY_PREFIX + _secret()
        self._store.add_key(_digest(key), name)
        return key

    def has_key(self) -> bool:
        """Return whether the request carries an API key that was not revoked."""
        scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
        digest = _digest(sent)
        keys = self._store.keys()
        kept = [key.digest for key in keys if not key.revoked]
        # Every digest is compared, in constant time, whichever fits.
        matches = [hmac.compare_digest(digest, other) for other in kept]
        return scheme.lower() == "bearer" and any(matches)

    def create_link(self, seconds: int = LINK_SECONDS) -> str:
        """Return the secret of a set-up link that signs in one browser, once."""
        secret = _secret()
        self._store.add_link(_digest(secret), self._time() + seconds)
        return secret

    def redeem_link(self, secret: str) -> str | None:
        """Use up a set-up link; return a new session's token, or None if the link is invalid."""
        if not self._store.take_link(_digest(secret), self._time()):
            return None
        self._end_old_sessions()
        token = _secret()
        self._store.add_session(_digest(token), self._time())
        return token

    def has_session(self) -> bool:
        """Return whether the request comes from a signed-in browser, and note that it did."""
        digest = _digest(self._token())
        session = self._store.session(digest)
        if session is None:
            return False
        now = self._time()
        if now - session.began >= LIFE_SECONDS or now - session.seen >= IDLE_SECONDS:
            self._end_old_sessions(self._token())
            return False
        if now - session.seen >= _TOUCH_SECONDS:
            self._store.touch_session(digest, now)
        return True

    def set_cookie(self, response: Response, token: str) -> None:
        """Sign the browser in with a session's token."""
        response.set_cookie(
            self.cookie, token, secure=self._secure, httponly=True, samesite="Strict", path="/"
        )

    def sign_out(self, response: Response) -> None:
        """End the request's session, on the server and in the browser."""
        self._end_old_sessions(self._token())
        response.delete_cookie(
            self.cookie, secure=self._secure, httponly=True, samesite="Strict", path="/"
        )

    def csrf_token(self) -> str:
        """Return the token that every unsafe request of this session must carry."""
        return b64url(hmac.digest(self._token().encode(), b"tossup csrf", "sha256"))

    def check_csrf(self) -> None:
        """Refuse an unsafe request that a page of another site could have made.

        Raises
        ------
        Refused
            ``cross-site``.
        """
        check_same_origin()
        sent = request.headers.get(CSRF_HEADER) or request.form.get(CSRF_FIELD, "")
        if not hmac.compare_digest(sent.encode(), self.csrf_token().encode()):
            raise Refused("the form's token is missing or old; load the page again", "cross-site")

    def _time(self) -> int:
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
        now = self._time()
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


def _digest(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
