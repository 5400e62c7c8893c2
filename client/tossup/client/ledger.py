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

from tossup.client.database import Connection, Row
from tossup.client.errors import CapExceeded, LedgerDamaged
from tossup.shared.figures import brief, in_full, read_in_full
from tossup.shared.odds import chance_as_text, compose

_START: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class Entry:
    """One answered question: whose, about what, at what odds, and but for what chance.

    ``wave`` is the wave of a survey that asks in waves, from 1, and 0 for all others. What was
    tossed before and is only reported again costs nothing: odds of 1.
    """

    publisher: str
    topic: str
    survey: str
    manifest: str
    question: str
    odds: Fraction
    delta: Fraction = Fraction(0)
    wave: int = 0


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
    """All entries, verified, and the hash of the last one."""

    entries: tuple[Entry, ...]
    link: bytes

    def spent(self, publisher: str | None = None) -> Fraction:
        """Return the odds spent with one publisher, or by the device altogether."""
        counts = Counter(e.odds for e in self.entries if publisher in (None, e.publisher))
        return compose(odds**times for odds, times in counts.items())

    def delta(self, publisher: str | None = None) -> Fraction:
        """Return the chance spent with one publisher, or altogether: the odds hold but for it."""
        chances = (e.delta for e in self.entries if publisher in (None, e.publisher))
        return sum(chances, start=Fraction(0))

    def by_topic(self, publisher: str) -> Mapping[str, Sequence[Entry]]:
        """Return the entries of a publisher by topic: one of each, or one for each wave."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries:
            if entry.publisher == publisher:
                found.setdefault(entry.topic, []).append(entry)
        return found


def read(connection: Connection) -> Ledger:
    """Return the ledger.

    The whole table is read, past any index, and every hash recomputed: a device has few entries.

    Raises
    ------
    LedgerDamaged
        If entries and head do not add up.
    """
    rows = connection.execute("SELECT * FROM ledger ORDER BY place").fetchall()
    head = connection.execute("SELECT entries, link FROM head WHERE one = 1").fetchone()
    link, entries = _START, []
    for place, row in enumerate(rows, start=1):
        fields = _stored_fields(row)
        link = _next_link(link, place, fields)
        if row[0] != place or row[-1] != link:
            raise LedgerDamaged
        entries.append(_entry(fields))
    if head is None or tuple(head) != (len(entries), link):
        raise LedgerDamaged
    return Ledger(tuple(entries), link)


def append(connection: Connection, ledger: Ledger, new: Sequence[Entry]) -> None:
    """Write entries after those of the ledger, within the caller's transaction."""
    link = ledger.link
    for place, entry in enumerate(new, start=len(ledger.entries) + 1):
        fields = _fields(entry)
        link = _next_link(link, place, fields)
        connection.execute(
            "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (place, *fields, link)
        )
    count = len(ledger.entries) + len(new)
    connection.execute("UPDATE head SET entries = ?, link = ? WHERE one = 1", (count, link))


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
        ("publisher", ledger.spent(publisher), caps.publisher),
        ("device", ledger.spent(), caps.device),
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
    spent = ledger.delta()
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
