"""What the device knows of surveys: their manifests as signed, and where each one stands.

Stage: before the ledger. Envelopes are kept as they came and verified again whenever they are
read, so that nothing in the store can change what a respondent is asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from tossup.client.errors import ManifestRefused, VersionMissing, pass_on
from tossup.client.settings import Link
from tossup.client.store.database import SERVERS_SCHEMA, Connection, rows_if_any
from tossup.shared.errors import ManifestError
from tossup.shared.signing import verify_manifest
from tossup.shared.survey import Survey

#: Versions that were fetched, and follow one that this device has not seen yet. Made when first
#: needed, so that an SDK which does not know it opens the store as before.
_AHEAD: Final = (
    "CREATE TABLE IF NOT EXISTS ahead (digest TEXT PRIMARY KEY, publisher TEXT NOT NULL,"
    " survey TEXT NOT NULL, envelope BLOB NOT NULL)"
)

#: How many versions a device may have missed: what is fetched is kept, and a store has an end.
MOST_MISSED: Final = 1024

#: How many manifests a process remembers as verified, for all its clients.
_REMEMBERED: Final = 16


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a survey stands on this device.

    Attributes
    ----------
    consent
        What the respondent said; None if they were never asked.
    closed
        The server said that it takes no more reports. What the device's clock says of the days
        in the manifest is asked anew each time (`tossup.client.asking.now`), and never kept here.
    failures, retry_at, delay
        Failed uploads in a row; when to try again (seconds since 1970 by the device's clock) and
        how long that was from then.
    problem
        The code of the last failure, or None after a success.
    """

    consent: bool | None = None
    closed: bool = False
    failures: int = 0
    retry_at: int = 0
    delay: int = 0
    problem: str | None = None


def publisher_of(link: Link) -> str:
    """Return the name under which the ledger keeps a publisher: its key in hex."""
    return link.key.hex()


def standing(connection: Connection, link: Link) -> Standing:
    """Return where a survey stands; the default for an unknown one."""
    row = connection.execute(
        "SELECT consent, closed, failures, retry_at, delay, problem FROM surveys"
        " WHERE publisher = ? AND survey = ?",
        (publisher_of(link), link.survey),
    ).fetchone()
    if row is None:
        return Standing()
    consent, closed, failures, retry_at, delay, problem = row
    return Standing(
        consent=None if consent is None else bool(consent),
        closed=bool(closed),
        failures=_integer(failures),
        retry_at=_integer(retry_at),
        delay=_integer(delay),
        problem=None if problem is None else str(problem),
    )


def set_standing(connection: Connection, link: Link, now: Standing) -> None:
    """Store where a survey stands."""
    connection.execute(
        "INSERT OR REPLACE INTO surveys VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            publisher_of(link),
            link.survey,
            None if now.consent is None else int(now.consent),
            int(now.closed),
            now.failures,
            now.retry_at,
            now.delay,
            now.problem,
        ),
    )


def change_standing(connection: Connection, link: Link, **changes: object) -> None:
    """Change some of a survey's standing and leave the rest."""
    before = standing(connection, link)
    after = replace(before, **changes)  # type: ignore[arg-type]
    if after != before:
        set_standing(connection, link, after)


def note_server(connection: Connection, link: Link) -> None:
    """Store where a survey's reports go, for a flush of the whole store."""
    row = (publisher_of(link), link.survey, link.server)
    same = "SELECT 1 FROM servers WHERE publisher = ? AND survey = ? AND server = ?"
    if not rows_if_any(connection, same, row):
        connection.execute(SERVERS_SCHEMA)
        connection.execute("INSERT OR REPLACE INTO servers VALUES (?, ?, ?)", row)


def known_links(connection: Connection) -> tuple[Link, ...]:
    """Return the links of all surveys of which a store says where their reports go."""
    rows = rows_if_any(connection, "SELECT publisher, survey, server FROM servers")
    links = (Link(str(server), str(name), bytes.fromhex(str(key))) for key, name, server in rows)
    return tuple(sorted(links, key=lambda link: (link.key, link.survey)))


class Manifests:
    """The manifests of one survey, verified with its pinned key.

    It remembers verified surveys by digest for as long as the client lives.
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        self._verified: dict[str, Survey] = {}

    def newest(self, connection: Connection) -> Survey | None:
        """Return the newest stored manifest, or None if no stored one can be trusted."""
        newest_first = reversed(tuple(self._digests(connection)))
        found = (self.by_digest(connection, digest) for digest in newest_first)
        return next((survey for survey in found if survey is not None), None)

    def versions(self, connection: Connection) -> tuple[Survey, ...]:
        """Return all stored manifests that can be trusted, from the oldest to the newest."""
        found = (self.by_digest(connection, digest) for digest in self._digests(connection))
        return tuple(survey for survey in found if survey is not None)

    def _digests(self, connection: Connection) -> Mapping[str, int]:
        """Return the versions that this device has seen, by digest, unreadable ones included."""
        rows = connection.execute(
            "SELECT digest, version FROM manifests WHERE publisher = ? AND survey = ?"
            " ORDER BY version",
            (publisher_of(self._link), self._link.survey),
        ).fetchall()
        return {str(digest): _integer(version) for digest, version in rows}

    def by_digest(self, connection: Connection, digest: str) -> Survey | None:
        """Return a stored manifest by its digest, or None if it is missing or unsigned."""
        if digest not in self._verified:
            try:
                self._remember(verified(self.envelope(connection, digest), self._link))
            except ManifestRefused as error:
                pass_on(error)
                return None
        return self._verified.get(digest)

    def envelope(self, connection: Connection, digest: str) -> bytes:
        """Return a stored manifest as it came, by its digest; empty if it is missing."""
        row = connection.execute(
            "SELECT envelope FROM manifests WHERE digest = ?", (digest,)
        ).fetchone()
        return row[0] if row is not None and isinstance(row[0], bytes) else b""

    def handed_on(self, connection: Connection, envelope: bytes) -> Survey:
        """Return the newest of the stored manifests and one that the host app has, stored now.

        Raises
        ------
        ManifestRefused
            As for `accept`; a manifest older than the newest is no error, since nobody needs it.
        """
        known = self.newest(connection)
        if known is not None and verified(envelope, self._link).version < known.version:
            return known
        return self.accept(connection, envelope)

    def accept(self, connection: Connection, envelope: bytes) -> Survey:
        """Verify a fetched manifest, store it, and return the survey.

        Raises
        ------
        ManifestRefused
            If it is not the pinned publisher's, is for another survey, or is not a proper
            successor of all that this device has seen, whether it can still read them or not.
        VersionMissing
            If it follows a version that this device has not seen: that one comes first.
        """
        survey = self._remember(verified(envelope, self._link))
        _check_succession(self._digests(connection), survey)
        known = self.newest(connection)
        if known is None or known.digest != survey.digest:
            connection.execute(
                "INSERT OR REPLACE INTO manifests VALUES (?, ?, ?, ?, ?)",
                (survey.digest, publisher_of(self._link), survey.id, survey.version, envelope),
            )
        return survey

    def keep(self, connection: Connection, survey: Survey, envelope: bytes) -> None:
        """Keep a version that follows one which this device has not seen, to go on from there."""
        connection.execute(_AHEAD)
        connection.execute(
            "INSERT OR REPLACE INTO ahead VALUES (?, ?, ?, ?)",
            (survey.digest, publisher_of(self._link), survey.id, envelope),
        )

    def follow(self, connection: Connection, missing: VersionMissing) -> str | None:
        """Accept the versions that are kept, up to one that was missing, if they lead there.

        Returns
        -------
        str or None
            The digest of the version to be fetched and kept first; None if none is missing.

        Raises
        ------
        ManifestRefused
            As for `accept`; and if a version does not come right before the one that names it.
        """
        connection.execute(_AHEAD)
        seen, digest, kept = self._digests(connection), missing.digest, list[bytes]()
        while digest not in seen and (version := self._kept(connection, digest)):
            survey, envelope = version
            if survey.version != missing.version - len(kept):
                raise ManifestRefused(
                    f"version {missing.version - len(kept) + 1} names one before it whose number"
                    f" is {survey.version}; ask the publisher why"
                )
            kept.insert(0, envelope)
            digest = survey.previous or ""
        try:
            for envelope in kept:
                self.accept(connection, envelope)
        except VersionMissing as further:
            return further.digest
        if not kept and digest not in seen:
            return digest
        connection.execute(
            "DELETE FROM ahead WHERE publisher = ? AND survey = ?",
            (publisher_of(self._link), self._link.survey),
        )
        return None

    def _kept(self, connection: Connection, digest: str) -> tuple[Survey, bytes] | None:
        """Return a kept version and its bytes; None if it is not kept, or not as it was."""
        row = connection.execute(
            "SELECT envelope FROM ahead WHERE digest = ?", (digest,)
        ).fetchone()
        envelope = row[0] if row else None
        if not isinstance(envelope, bytes):
            return None
        try:
            return self._verified.get(digest) or verified(envelope, self._link), envelope
        except ManifestRefused:
            return None

    def _remember(self, survey: Survey) -> Survey:
        return self._verified.setdefault(survey.digest, survey)


@lru_cache(maxsize=_REMEMBERED)
def verified(envelope: bytes, link: Link) -> Survey:
    """Return the survey of an envelope, if the link's publisher signed it for the link's survey.

    A process that answers for many respondents verifies the same bytes once.

    Raises
    ------
    ManifestRefused
        If the publisher did not, or the manifest is malformed or of an unknown version.
    """
    try:
        survey = Survey.parse(verify_manifest(envelope, link.key))
    except ManifestError as error:
        raise ManifestRefused(str(error)) from None
    if survey.publisher.key != link.key:
        raise ManifestRefused("the manifest names another publisher key than the pinned one")
    if survey.id != link.survey:
        raise ManifestRefused(f"the manifest is for another survey than {link.survey!r}")
    return survey


def _check_succession(seen: Mapping[str, int], survey: Survey) -> None:
    """Refuse what is older than the newest version seen, or does not follow from those seen."""
    newest = max(seen.values(), default=0)
    if survey.version < newest:
        raise ManifestRefused(
            f"the server offers version {survey.version} of the manifest, but this device has"
            f" seen version {newest}; ask the publisher why"
        )
    if survey.version == newest and survey.digest not in seen:
        raise ManifestRefused(
            f"two different manifests claim to be version {newest}; ask the publisher why"
        )
    before = survey.version - 1
    expected = [digest for digest, version in seen.items() if version == before]
    if (expected and survey.previous not in expected) or seen.get(
        survey.previous or "", before
    ) != before:
        raise ManifestRefused(
            f"version {survey.version} does not follow from the versions that this device has"
            f" seen, up to {newest}; ask the publisher why"
        )
    if seen and not expected and survey.digest not in seen:
        if before - newest > MOST_MISSED:
            raise ManifestRefused(
                f"{before - newest} versions of the survey are new to this device, which follows"
                f" at most {MOST_MISSED}; ask the publisher why there are so many"
            )
        raise VersionMissing(
            f"version {survey.version} follows version {before}, and this device has seen versions"
            f" up to {newest} only",
            survey.previous or "",
            before,
        )


def _integer(value: object) -> int:
    return value if type(value) is int else 0
