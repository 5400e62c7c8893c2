"""Members, what they sign in by, and the record of who changed what.

Stage: who may look. Secrets come as digests; rules about them live above, in `web.auth`.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any, Final, Literal, get_args

from tossup.shared.errors import TossupError

#: What a role may do grows from left to right; each may do what those before it may.
Role = Literal["viewer", "analyst", "owner"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)

_MEMBER: Final = "SELECT number, name, role, created_on, password FROM members"
_LAST_NUMBER: Final = (1 << 63) - 1
_LINE: Final = "SELECT number, at, who, what, subject, digest FROM record"


class MemberUnknown(TossupError):  # noqa: N818 - reads as the condition, like SurveyUnknown
    """No member has this number or name."""


class NameTaken(TossupError):  # noqa: N818
    """Another member has this name."""


@dataclass(frozen=True, slots=True)
class Member:
    """A person with a role. ``password`` is scrypt's output, None before one is chosen."""

    number: int
    name: str
    role: Role
    created: date
    password: str | None


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """An API key as it is kept: never the key itself.

    ``used`` is the last day on which it was sent; None if it was not since that is noted.
    """

    number: int
    digest: bytes
    name: str
    created: date
    revoked: bool
    role: Role = "owner"
    used: date | None = None


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A signed-in browser: when it signed in and was last seen, in seconds since 1970.

    ``member`` is None for a browser that was signed in by a link of the machine's owner.
    """

    began: int
    seen: int
    digest: bytes
    member: int | None


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A line of the record: at which second since 1970 who did what to which subject."""

    number: int
    at: int
    who: str
    what: str
    subject: str
    digest: bytes

    def continues(self, before: bytes) -> bool:
        """Return whether the line stands as it was written after a line with this digest."""
        return self.digest == _chained(before, self.at, self.who, self.what, self.subject)


class Members:
    """The part of a store that keeps members, keys, links, sessions and the record, in tables."""

    _rows: Callable[..., list[Any]]
    _change: Callable[..., list[Any]]
    _changing: Callable[[], AbstractContextManager[Any]]
    today: Callable[[], date]

    def add_member(self, name: str, role: Role) -> Member:
        """Keep a new member, who has no password yet.

        Raises
        ------
        NameTaken
            If there is one with this name.
        """
        rows = self._change(
            "INSERT INTO members (name, role, created_on) VALUES (?, ?, ?)"
            " ON CONFLICT (name) DO NOTHING RETURNING number",
            name,
            role,
            self.today().isoformat(),
        )
        if not rows:
            raise NameTaken("there is a member with this name; take another one")
        return self.member(rows[0][0])

    def members(self) -> list[Member]:
        """Return all members, by name."""
        return [*map(_member_of, self._rows(f"{_MEMBER} ORDER BY lower(name)"))]

    def member(self, number: int) -> Member:
        """Return a member.

        Raises
        ------
        MemberUnknown
            If there is none with this number.
        """
        rows = self._rows(f"{_MEMBER} WHERE number = ?", number)
        if not rows:
            raise MemberUnknown("no member has this number; the list of members shows them")
        return _member_of(rows[0])

    def set_role(self, number: int, role: Role) -> None:
        """Give a member another role, from the next request on."""
        self._change("UPDATE members SET role = ? WHERE number = ?", role, number)

    def set_password(self, number: int, password: str) -> None:
        """Give a member a password, and end the member's sessions and links."""
        with self._changing() as connection:
            connection.execute(
                "UPDATE members SET password = ? WHERE number = ?", (password, number)
            )
            _end_all(connection, number)

    def remove_member(self, number: int) -> None:
        """Forget a member, with sessions and links."""
        with self._changing() as connection:
            _end_all(connection, number)
            connection.execute("DELETE FROM members WHERE number = ?", (number,))

    def add_key(self, digest: bytes, name: str, role: Role = "owner") -> int:
        """Keep the digest of a new API key; return its number."""
        rows = self._change(
            "INSERT INTO api_keys (digest, name, role, created_on) VALUES (?, ?, ?, ?)"
            " RETURNING number",
            digest,
            name,
            role,
            self.today().isoformat(),
        )
        return int(rows[0][0])

    def keys(self) -> list[KeyRecord]:
        """Return all API keys, revoked ones too, oldest first."""
        rows = self._rows(
            "SELECT number, digest, name, created_on, revoked, role, used_on FROM api_keys"
            " ORDER BY number"
        )
        return [*map(_key_of, rows)]

    def use_key(self, number: int) -> None:
        """Note that an API key was sent today."""
        day = self.today().isoformat()
        self._change("UPDATE api_keys SET used_on = ? WHERE number = ?", day, number)

    def revoke_key(self, number: int) -> None:
        """Make an API key useless."""
        self._change("UPDATE api_keys SET revoked = 1 WHERE number = ?", number)

    def add_link(self, digest: bytes, expires: int, member: int | None = None) -> None:
        """Keep the digest of a one-time link that ends at ``expires`` (seconds since 1970)."""
        self._change(
            "INSERT INTO setup_links (digest, expires, member) VALUES (?, ?, ?)",
            digest,
            expires,
            member,
        )

    def link(self, digest: bytes, now: int) -> tuple[int | None] | None:
        """Return whose link this is, as a tuple of one; None if there is none or it ended."""
        sql = "SELECT member FROM setup_links WHERE digest = ? AND expires > ?"
        rows = self._rows(sql, digest, now)
        return (rows[0][0],) if rows else None

    def take_link(self, digest: bytes, now: int) -> tuple[int | None] | None:
        """Use up a one-time link; return as `link`."""
        with self._changing() as connection:
            connection.execute("DELETE FROM setup_links WHERE expires <= ?", (now,))
            rows = connection.execute(
                "DELETE FROM setup_links WHERE digest = ? RETURNING member", (digest,)
            ).fetchall()
        return (rows[0][0],) if rows else None

    def add_session(self, digest: bytes, now: int, member: int | None = None) -> None:
        """Keep the digest of a new session's token."""
        self._change(
            "INSERT INTO sessions (digest, began, seen, member) VALUES (?, ?, ?, ?)",
            digest,
            now,
            now,
            member,
        )

    def session(self, digest: bytes) -> SessionRecord | None:
        """Return the session of a token."""
        rows = self._rows(
            "SELECT began, seen, digest, member FROM sessions WHERE digest = ?", digest
        )
        return SessionRecord(*rows[0]) if rows else None

    def sessions(self) -> list[SessionRecord]:
        """Return all sessions, the one last seen first."""
        rows = self._rows("SELECT began, seen, digest, member FROM sessions ORDER BY seen DESC")
        return [SessionRecord(*row) for row in rows]

    def touch_session(self, digest: bytes, now: int) -> None:
        """Note that a session was seen."""
        self._change("UPDATE sessions SET seen = ? WHERE digest = ?", now, digest)

    def end_sessions(self, *, digest: bytes | None = None, idle: int = 0, began: int = 0) -> None:
        """End a session, and all that were last seen or began before the given seconds."""
        self._change(
            "DELETE FROM sessions WHERE digest = ? OR seen < ? OR began < ?", digest, idle, began
        )

    def count_attempt(self, name: bytes, now: int, since: int) -> int:
        """Count an attempt to sign in by this digest of a name; return how many there were.

        Attempts whose count began at or before ``since`` are forgotten first.
        """
        with self._changing() as connection:
            connection.execute("DELETE FROM sign_in_attempts WHERE since <= ?", (since,))
            rows = connection.execute(
                "INSERT INTO sign_in_attempts (name, since, attempts) VALUES (?, ?, 1)"
                " ON CONFLICT (name) DO UPDATE SET attempts = sign_in_attempts.attempts + 1"
                " RETURNING attempts",
                (name, now),
            ).fetchall()
        return int(rows[0][0])

    def forget_attempts(self, name: bytes) -> None:
        """Forget the attempts by a name, after one that succeeded."""
        self._change("DELETE FROM sign_in_attempts WHERE name = ?", name)

    def note(self, at: int, who: str, what: str, subject: str) -> None:
        """Add a line to the record."""
        with self._changing() as connection:
            last = connection.execute(
                "SELECT digest FROM record ORDER BY number DESC LIMIT 1"
            ).fetchone()
            digest = _chained(last[0] if last else b"", at, who, what, subject)
            connection.execute(
                "INSERT INTO record (at, who, what, subject, digest) VALUES (?, ?, ?, ?, ?)",
                (at, who, what, subject, digest),
            )

    def record(self, before: int | None = None, most: int = 100) -> list[RecordLine]:
        """Return the last lines of the record that are before a number, newest first."""
        last = _LAST_NUMBER if before is None else before
        rows = self._rows(f"{_LINE} WHERE number < ? ORDER BY number DESC LIMIT ?", last, most)
        return [RecordLine(*row) for row in rows]


def _end_all(connection: Any, number: int) -> None:
    for table in ("sessions", "setup_links"):
        connection.execute(f"DELETE FROM {table} WHERE member = ?", (number,))  # noqa: S608


def _chained(before: bytes, at: int, who: str, what: str, subject: str) -> bytes:
    """Return the digest of a line; each part's length is in it, so that no two lines share one."""
    parts = [before, str(at).encode(), who.encode(), what.encode(), subject.encode()]
    return sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()


def _member_of(row: tuple[int, str, Role, str, str | None]) -> Member:
    number, name, role, created_on, password = row
    return Member(number, name, role, date.fromisoformat(created_on), password)


def _key_of(row: tuple[int, bytes, str, str, int, Role, str | None]) -> KeyRecord:
    number, digest, name, created_on, revoked, role, used_on = row
    used = None if used_on is None else date.fromisoformat(used_on)
    return KeyRecord(
        number, digest, name, date.fromisoformat(created_on), bool(revoked), role, used
    )
