"""Entries, what they add up to, and which topics are new: all that a new answer asks of the ledger.

Stage: beside the ledger. One row, written with every entry, holds what was spent and a Bloom
filter of the topics, which may take a new topic for a known one, and never a known one for new.
It carries its own hash and the last entry's. Where it does not fit the ledger, or the filter
cannot tell, the whole ledger is read and verified instead, so an answer to a new topic takes the
same time however many there were.

References
----------
B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors", CACM 13 (7), 1970.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Final

from tossup.client.errors import pass_on
from tossup.client.store.database import TOTALS_SCHEMA, Connection, Value
from tossup.shared import strict_json
from tossup.shared.errors import WireError
from tossup.shared.figures import in_full, read_in_full
from tossup.shared.odds import compose

#: Eight bits of 16 for every topic: a new one is taken for a known one in 6 of 10,000.
_BITS_A_TOPIC: Final = 16
_HASHES: Final = 8
_SMALLEST_BYTES: Final = 512
_LARGEST_BYTES: Final = 1 << 20
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
    topics
        The filter of the topics; empty where it has not been made.
    """

    entries: int
    link: bytes
    spent: Mapping[str, tuple[Fraction, Fraction]]
    topics: bytes = b""

    def plus(self, new: Iterable[Entry], link: bytes) -> "Totals":
        """Return the totals with further entries, the last of which has this hash."""
        added = tuple(new)
        spent, topics = dict(self.spent), bytearray(self.topics)
        for entry in added:
            odds, delta = spent.get(entry.publisher, (Fraction(1), Fraction(0)))
            spent[entry.publisher] = (odds * entry.odds, delta + entry.delta)
            if topics:
                _add(topics, entry.publisher, entry.topic)
        return Totals(self.entries + len(added), link, spent, bytes(topics))

    def with_topics(self, entries: Sequence[Entry]) -> "Totals":
        """Return the totals with the filter of these entries, large enough for twice as many."""
        known = {(entry.publisher, entry.topic) for entry in entries}
        wanted = 2 * len(known) * _BITS_A_TOPIC // 8
        size = min(max(_SMALLEST_BYTES, 1 << wanted.bit_length()), _LARGEST_BYTES)
        topics = bytearray(size)
        for publisher, topic in known:
            _add(topics, publisher, topic)
        return replace(self, topics=bytes(topics))

    def may_know(self, publisher: str, topic: str) -> bool:
        """Return False only if no entry is about this topic."""
        return all(self.topics[byte] & bit for byte, bit in _bits(self.topics, publisher, topic))

    def odds(self, publisher: str | None = None) -> Fraction:
        """Return the odds spent with one publisher, or altogether."""
        return compose(odds for name, (odds, _) in self.spent.items() if publisher in (None, name))

    def delta(self, publisher: str | None = None) -> Fraction:
        """Return the chance spent with one publisher, or altogether."""
        chances = (delta for name, (_, delta) in self.spent.items() if publisher in (None, name))
        return sum(chances, start=Fraction(0))


def read(connection: Connection) -> Totals | None:
    """Return the stored totals, or None where there are none, or not as they were written."""
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'totals'").fetchone()
    if there is None:
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
    connection.execute(TOTALS_SCHEMA)
    connection.execute(
        "INSERT OR REPLACE INTO totals VALUES (1, ?, ?, ?)",
        (sums, totals.topics, _seal(sums, totals.topics)),
    )


def _parse(sums: Value, topics: Value, _seal: Value) -> Totals | None:
    try:
        match strict_json.loads(str(sums).encode(), _MAX_TEXT_BYTES), topics:
            case [int(entries), str(link), dict(spent)], bytes(topics):
                by_name = {name: (_ratio(o), _ratio(d)) for name, (o, d) in spent.items()}
                return Totals(entries, bytes.fromhex(link), by_name, topics)
    except (TypeError, ValueError, WireError) as error:
        pass_on(error)
    return None


def _is_whole(sums: Value, topics: Value, seal: Value) -> bool:
    is_typed = isinstance(sums, str) and isinstance(topics, bytes) and bool(topics)
    return is_typed and _seal(sums, topics) == seal  # type: ignore[arg-type]


def _seal(sums: str, topics: bytes) -> bytes:
    return sha256(b"tossup ledger totals " + sums.encode() + b"\n" + topics).digest()


@lru_cache(maxsize=64)
def _ratio(text: str) -> Fraction:
    return read_in_full(text)


def _add(topics: bytearray, publisher: str, topic: str) -> None:
    for byte, bit in _bits(topics, publisher, topic):
        topics[byte] |= bit


def _bits(topics: bytes | bytearray, publisher: str, topic: str) -> Iterable[tuple[int, int]]:
    """Return the places of a topic's bits: each a byte and a bit in it."""
    digest = sha256(f"{publisher}\n{topic}".encode()).digest()
    for start in range(0, 4 * _HASHES, 4):
        place = int.from_bytes(digest[start : start + 4], "big") % (8 * len(topics))
        yield place >> 3, 1 << (place & 7)
