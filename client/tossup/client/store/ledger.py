"""The ledger: what this device has answered and spent, for life.

Stage: between the answer and the coins. Entries are only ever added. Each carries a hash over
itself and the one before, and the head row holds their count and the last hash, all in the same
transaction: an entry that is altered, hidden or removed is noticed, and then nothing is tossed.
The chain detects damage; it cannot stop someone who rewrites the whole file on purpose.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Final

from tossup.client.errors import CapExceeded, LedgerDamaged
from tossup.client.store import totals
from tossup.client.store.database import Connection, Row, Value
from tossup.client.store.totals import Entry, Totals
from tossup.shared.figures import brief, in_full, read_in_full
from tossup.shared.odds import chance_as_text, compose

_START: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class Caps:
    """Lifetime caps: odds for a question, a publisher and the device, and delta for the device.

    ``delta`` is the chance, over everything that this device ever answers, for which a report may
    tell more than the odds.
    """

    question: Fraction
    publisher: Fraction
    device: Fraction
    delta: Fraction


@dataclass(frozen=True, slots=True)
class Ledger:
    """A ledger as it was read and verified: its totals, and all entries or none (`about`)."""

    entries: tuple[Entry, ...]
    totals: Totals

    def by_topic(self, publisher: str) -> Mapping[str, Sequence[Entry]]:
        """Return the entries of a publisher by topic: one of each, or one for each wave."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            if entry.publisher == publisher:
                found.setdefault(entry.topic, []).append(entry)
        return found


def read(connection: Connection) -> Ledger:
    """Return the ledger.

    It reads the whole table without an index, and recomputes every hash.

    Raises
    ------
    LedgerDamaged
        If entries and head do not add up.
    """
    rows = connection.execute("SELECT * FROM ledger ORDER BY place").fetchall()
    link, entries = _START, []
    for place, row in enumerate(rows, start=1):
        fields = _stored_fields(row)
        link = _next_link(link, place, fields)
        if row[0] != place or row[-1] != link:
            raise LedgerDamaged
        entries.append(_entry(fields))
    if _head(connection) != (len(entries), link):
        raise LedgerDamaged
    return Ledger(tuple(entries), _sums(entries, link))


def about(connection: Connection, publisher: str, topics: Iterable[str]) -> Ledger:
    """Return the ledger as far as it is about some topics: without entries if all are new to it.

    Raises
    ------
    LedgerDamaged
        If entries and head do not add up. Where all topics are new, only the last entry, the head
        and the totals are looked at, which hold what an answer to them needs to know.
    """
    found = totals.read(connection)
    if found is None or any(found.may_know(publisher, topic) for topic in topics):
        return read(connection)
    last = connection.execute(
        "SELECT place, link FROM ledger ORDER BY place DESC LIMIT 1"
    ).fetchone()
    ends = {(found.entries, found.link), _head(connection), tuple(last or (0, _START))}
    return Ledger((), found) if len(ends) == 1 else read(connection)


def append(connection: Connection, ledger: Ledger, new: Sequence[Entry]) -> None:
    """Write entries after those of the ledger, within the caller's transaction."""
    link = ledger.totals.link
    for place, entry in enumerate(new, start=ledger.totals.entries + 1):
        fields = _fields(entry)
        link = _next_link(link, place, fields)
        connection.execute(
            "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (place, *fields, link)
        )
    after = ledger.totals.plus(new, link)
    connection.execute(
        "UPDATE head SET entries = ?, link = ? WHERE one = 1", (after.entries, after.link)
    )
    if not after.topics:
        after = after.with_topics([*ledger.entries, *new])
    totals.write(connection, after)


def _head(connection: Connection) -> tuple[Value, ...]:
    row = connection.execute("SELECT entries, link FROM head WHERE one = 1").fetchone()
    return tuple(row or ())


def _sums(entries: Sequence[Entry], link: bytes) -> Totals:
    """Return the totals of entries, equal odds taken together."""
    spent: dict[str, tuple[Fraction, Fraction]] = {}
    counts = Counter((entry.publisher, entry.odds, entry.delta) for entry in entries)
    for (publisher, odds, delta), times in counts.items():
        so_far = spent.get(publisher, (Fraction(1), Fraction(0)))
        spent[publisher] = (so_far[0] * odds**times, so_far[1] + delta * times)
    return Totals(len(entries), link, spent)


def check_caps(ledger: Ledger, new: Iterable[Entry], caps: Caps) -> None:
    """Refuse entries, all from one publisher, that would exceed a lifetime cap.

    Raises
    ------
    CapExceeded
        If they would. Which cap is named; nothing has been spent.
    """
    added = tuple(new)
    _check_odds(ledger, added, caps)
    _check_delta(ledger, added, caps)


def _check_odds(ledger: Ledger, added: tuple[Entry, ...], caps: Caps) -> None:
    asked = compose(entry.odds for entry in added)
    publisher = added[0].publisher if added else None
    for name, spent, cap in (
        ("publisher", ledger.totals.odds(publisher), caps.publisher),
        ("device", ledger.totals.odds(), caps.device),
    ):
        if spent * asked > cap:
            raise CapExceeded(
                f"these answers cost odds of {brief(asked)}; {brief(spent)} of the {name}'s"
                f" lifetime cap of {brief(cap)} are spent. Nothing was tossed"
            )


def _check_delta(ledger: Ledger, added: tuple[Entry, ...], caps: Caps) -> None:
    asked = sum((entry.delta for entry in added), start=Fraction(0))
    if not asked:  # and so never refused for what others have spent
        return
    spent = ledger.totals.delta()
    if spent + asked > caps.delta:
        raise CapExceeded(
            f"with a chance of up to {chance_as_text(asked)} a report would tell more than these"
            f" odds allow; the device's lifetime cap is {chance_as_text(caps.delta)}, of which"
            f" {chance_as_text(spent)} is spent. Nothing was tossed"
        )


def _fields(entry: Entry) -> tuple[str, ...]:
    return (
        entry.publisher,
        entry.topic,
        entry.survey,
        entry.manifest,
        entry.question,
        in_full(entry.odds),
        in_full(entry.delta),
        str(entry.wave),
    )


def _stored_fields(row: Row) -> tuple[str, ...]:
    fields = tuple(value for value in row[1:-1] if isinstance(value, str))
    if len(fields) != 8 or len(row) != 10:
        raise LedgerDamaged
    return fields


def _entry(fields: tuple[str, ...]) -> Entry:
    publisher, topic, survey, manifest, question, odds, delta, wave = fields
    about = (publisher, topic, survey, manifest, question)
    try:
        return Entry(*about, odds=_ratio(odds), delta=_ratio(delta), wave=int(wave))
    except ValueError:
        raise LedgerDamaged from None


@lru_cache(maxsize=64)
def _ratio(text: str) -> Fraction:
    """Read odds or a delta from the store; few different ones occur."""
    return read_in_full(text)


def _next_link(link: bytes, place: int, fields: tuple[str, ...]) -> bytes:
    # No field can hold a line break: they are ids, hex digits and fractions.
    return sha256(link + "\n".join((str(place), *fields)).encode()).digest()
