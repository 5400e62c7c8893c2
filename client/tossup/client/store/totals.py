"""Entries, and what all of them add up to: what was spent, and how many there are where.

Stage: beside the ledger. One row, written with every entry, holds what was spent with whom, and
the counts that tell whether what is known of a topic is all (`tossup.client.store.counts`). It
carries its own hash and the last entry's. Where it does not fit the ledger, the whole ledger is
read and verified instead, and the row is made anew with the next entry.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Final

from tossup.client.errors import pass_on
from tossup.client.store.counts import Counts, hash_of
from tossup.client.store.database import TOTALS_SCHEMA, Connection, Value, has_table
from tossup.shared import strict_json
from tossup.shared.errors import WireError
from tossup.shared.figures import in_full, read_in_full
from tossup.shared.odds import compose

_MAX_TEXT_BYTES: Final = 1 << 24


@dataclass(frozen=True, slots=True)
class Entry:
    """One answered question: publisher, topic, odds, and the chance for which they may fail.

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
class Totals:
    """Sums over all entries of a ledger.

    Attributes
    ----------
    entries, link
        How many there are, and the hash of the last one.
    spent
        By publisher: the odds, multiplied, and the chances beyond them, added up.
    counts
        How many there are about the topics of each bucket.
    """

    entries: int
    link: bytes
    spent: Mapping[str, tuple[Fraction, Fraction]]
    counts: Counts

    def plus(self, new: Iterable[Entry], link: bytes) -> "Totals":
        """Return the totals with further entries, the last of which has this hash."""
        added, spent = tuple(new), dict(self.spent)
        for entry in added:
            odds, delta = spent.get(entry.publisher, (Fraction(1), Fraction(0)))
            spent[entry.publisher] = (odds * entry.odds, delta + entry.delta)
        counts = self.counts.plus(hash_of(entry.publisher, entry.topic) for entry in added)
        return Totals(self.entries + len(added), link, spent, counts)

    def odds(self, publisher: str | None = None) -> Fraction:
        """Return the odds spent with one publisher, or altogether."""
        return compose(odds for name, (odds, _) in self.spent.items() if publisher in (None, name))

    def delta(self, publisher: str | None = None) -> Fraction:
        """Return the chance spent with one publisher, or altogether."""
        chances = (delta for name, (_, delta) in self.spent.items() if publisher in (None, name))
        return sum(chances, start=Fraction(0))


def read(connection: Connection) -> Totals | None:
    """Return the stored totals, or None where there are none, or not as they were written."""
    if not has_table(connection, "totals"):
        return None
    row = connection.execute("SELECT sums, topics, seal FROM totals WHERE one = 1").fetchone()
    if row is None or not _is_whole(*row):
        return None
    return _parse(*row)


def write(connection: Connection, totals: Totals) -> None:
    """Store the totals, within the transaction that appends what they count."""
    sums = strict_json.dumps(
        [
            totals.entries,
            totals.link.hex(),
            {name: [in_full(part) for part in spent] for name, spent in totals.spent.items()},
        ]
    ).decode()
    counts = totals.counts.data
    connection.execute(
        "INSERT OR REPLACE INTO totals VALUES (1, ?, ?, ?)", (sums, counts, _seal(sums, counts))
    )


def write_anew(connection: Connection, totals: Totals) -> None:
    """Store the totals where there may be none, or not as they were written."""
    connection.execute(TOTALS_SCHEMA)
    write(connection, totals)


def _parse(sums: Value, counts: Value, _seal: Value) -> Totals | None:
    try:
        match strict_json.loads(str(sums).encode(), _MAX_TEXT_BYTES), counts:
            case [int(entries), str(link), dict(spent)], bytes(data):
                by_name = {name: (ratio(o), ratio(d)) for name, (o, d) in spent.items()}
                return Totals(entries, bytes.fromhex(link), by_name, Counts(data))
    except (TypeError, ValueError, WireError) as error:
        pass_on(error)
    return None


def _is_whole(sums: Value, counts: Value, seal: Value) -> bool:
    is_typed = isinstance(sums, str) and isinstance(counts, bytes)
    return is_typed and _seal(sums, counts) == seal  # type: ignore[arg-type]


def _seal(sums: str, counts: bytes) -> bytes:
    # Not the hash that SDKs before counts wrote, whose filter this is not, nor theirs ours.
    return sha256(b"tossup ledger totals and counts " + sums.encode() + b"\n" + counts).digest()


@lru_cache(maxsize=64)
def ratio(text: str) -> Fraction:
    """Return odds or a chance, as stored; few different ones occur.

    Raises
    ------
    ValueError
        If the text is none that is ever stored.
    """
    return read_in_full(text)
