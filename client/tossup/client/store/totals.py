"""Entries, and what they add up to as they come: altogether, by publisher, and by topic.

Stage: beside the ledger, and written with every entry, so that what an answer costs does not grow
with the answers given. One row, the totals, holds what was spent with whom, and how many entries
there are about the topics of each bucket. Each topic has a row with what its entries say together.
Every row carries its own hash; the totals name the last entry of the ledger, and a topic's row its
own last one. That a topic's row is missing, or an older one than it should be, the counts of its
bucket tell: it only ever counts up. Where anything does not fit, the whole ledger is read and
verified instead, and all rows are made anew with the next entry.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Final

from tossup.client.errors import pass_on
from tossup.client.store.database import (
    TOPICS_SCHEMA,
    TOTALS_SCHEMA,
    Connection,
    Row,
    Value,
    rows_if_any,
)
from tossup.shared import strict_json
from tossup.shared.errors import WireError
from tossup.shared.figures import in_full, read_in_full
from tossup.shared.odds import compose

_MAX_TEXT_BYTES: Final = 1 << 24

#: How many bits the hash of a topic has: what SQLite holds in a column of integers.
_HASH_BITS: Final = 63
_COUNT_BYTES: Final = 2
_SMALLEST: Final = 256
_LARGEST: Final = 1 << 19

#: More topics than this in one bucket: then there should be more buckets.
_CROWDED: Final = 16

Topic = tuple[str, str]


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


@lru_cache(maxsize=64)
def hash_of(publisher: str, topic: str) -> int:
    """Return the place of a topic among all that there could be, which spread evenly."""
    digest = sha256(f"{publisher}\n{topic}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - _HASH_BITS)


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of all buckets; a bucket is a stretch of hashes.

    Attributes
    ----------
    data
        Two bytes a bucket, for a power of two of them. A count goes on after 65,535 at 1: 0 is
        that of a bucket without a topic alone.
    """

    data: bytes

    @classmethod
    def for_topics(cls, number: int) -> "Counts":
        """Return counts of 0, in a bucket for every two to four of so many topics, or more."""
        size = min(max(_SMALLEST, (1 << number.bit_length()) >> 2), _LARGEST)
        return cls(bytes(_COUNT_BYTES * size))

    @property
    def may_grow(self) -> bool:
        """Return whether there may be more buckets."""
        return self._size < _LARGEST

    def plus(self, hashes: Iterable[int]) -> "Counts":
        """Return the counts with further entries, by the hashes of their topics."""
        data = bytearray(self.data)
        for place in hashes:
            start = self._start(place)
            count = int.from_bytes(data[start : start + _COUNT_BYTES], "big") + 1
            data[start : start + _COUNT_BYTES] = _wrapped(count).to_bytes(_COUNT_BYTES, "big")
        return Counts(bytes(data))

    def bucket(self, place: int) -> tuple[int, int]:
        """Return the lowest and the highest hash in the bucket of a topic."""
        within = self._bits_within
        low = place >> within << within
        return low, low + (1 << within) - 1

    def fits(self, place: int, entries: int) -> bool:
        """Return whether the topics in the bucket of one have this many entries."""
        start = self._start(place)
        count = int.from_bytes(self.data[start : start + _COUNT_BYTES], "big")
        return count == _wrapped(entries)

    def _start(self, place: int) -> int:
        return _COUNT_BYTES * (place >> self._bits_within)

    @property
    def _size(self) -> int:
        """Return the number of buckets, as a power of two."""
        return 1 << (len(self.data) // _COUNT_BYTES).bit_length() >> 1

    @property
    def _bits_within(self) -> int:
        return _HASH_BITS - self._size.bit_length() + 1


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


@dataclass(frozen=True, slots=True)
class Past:
    """All entries about one topic, taken together.

    Attributes
    ----------
    survey
        The survey that they are all of; empty if there are several.
    entries
        How many there are.
    waves
        The waves that they are of: bit n for wave n.
    odds
        What they cost together.
    place, link
        Of the last one: its number in the ledger, and its hash.
    """

    survey: str
    entries: int
    waves: int
    odds: Fraction
    place: int
    link: bytes

    def plus(self, entry: Entry, place: int, link: bytes) -> "Past":
        """Return it with one more entry."""
        return Past(
            self.survey if self.survey == entry.survey else "",
            self.entries + 1,
            self.waves | 1 << entry.wave,
            self.odds * entry.odds,
            place,
            link,
        )

    def has(self, wave: int) -> bool:
        """Return whether an entry is of a wave; 0 for one of a survey without waves."""
        return bool(self.waves >> wave & 1)


def first(entry: Entry, place: int, link: bytes) -> Past:
    """Return what one entry says, where there is no other about its topic."""
    return Past(entry.survey, 1, 1 << entry.wave, entry.odds, place, link)


def topic_of(entry: Entry) -> Topic:
    """Return which topic an entry is about."""
    return entry.publisher, entry.topic


def read(connection: Connection) -> Totals | None:
    """Return the stored totals, or None where there are none, or not as they were written."""
    rows = rows_if_any(connection, "SELECT sums, topics, seal FROM totals WHERE one = 1")
    return _parse_totals(*rows[0]) if rows and _are_whole(*rows[0]) else None


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
        "INSERT OR REPLACE INTO totals VALUES (1, ?, ?, ?)",
        (sums, counts, _seal_of_totals(sums, counts)),
    )


def write_anew(connection: Connection, totals: Totals) -> None:
    """Store the totals where there may be none, or not as they were written."""
    connection.execute(TOTALS_SCHEMA)
    write(connection, totals)


def _parse_totals(sums: Value, counts: Value, _seal: Value) -> Totals | None:
    try:
        match strict_json.loads(str(sums).encode(), _MAX_TEXT_BYTES), counts:
            case [int(entries), str(link), dict(spent)], bytes(data):
                by_name = {name: (ratio(o), ratio(d)) for name, (o, d) in spent.items()}
                return Totals(entries, bytes.fromhex(link), by_name, Counts(data))
    except (TypeError, ValueError, WireError) as error:
        pass_on(error)
    return None


def _are_whole(sums: Value, counts: Value, seal: Value) -> bool:
    is_typed = isinstance(sums, str) and isinstance(counts, bytes)
    return is_typed and _seal_of_totals(sums, counts) == seal  # type: ignore[arg-type]


def _seal_of_totals(sums: str, counts: bytes) -> bytes:
    # Not the hash that SDKs before counts wrote, whose filter this is not, nor theirs ours.
    return sha256(b"tossup ledger totals and counts " + sums.encode() + b"\n" + counts).digest()


def read_topics(
    connection: Connection, counts: Counts, topics: Iterable[Topic]
) -> dict[Topic, Past] | None:
    """Return what is known of topics, without those of which nothing is.

    Returns
    -------
    dict or None
        None if a bucket is not as it was written, or has so many topics that there should be more
        buckets: then the ledger is to be read.
    """
    found: dict[Topic, Past] = {}
    for topic in topics:
        place = hash_of(*topic)
        if counts.fits(place, 0):
            continue
        rows = rows_if_any(
            connection, "SELECT * FROM topics WHERE hash BETWEEN ? AND ?", counts.bucket(place)
        )
        past = dict(map(_parse, rows)) if all(map(_is_whole, rows)) else {}
        is_crowded = len(rows) > _CROWDED and counts.may_grow
        if is_crowded or not counts.fits(place, sum(each.entries for each in past.values())):
            return None
        if topic in past:
            found[topic] = past[topic]
    return found


def names(connection: Connection, publisher: str, entries: int) -> tuple[str, ...] | None:
    """Return the topics of a publisher, in order; None if the rows of all topics are not complete.

    Parameters
    ----------
    entries
        How many entries the ledger has, of all publishers.
    """
    rows = rows_if_any(
        connection,
        "SELECT total(entries), group_concat(CASE WHEN publisher = ? THEN topic END, char(10))"
        " FROM topics",
        (publisher,),
    )
    if not rows or rows[0][0] != entries:
        return None
    return tuple(sorted(str(rows[0][1] or "").split()))  # no id holds a space or a line break


def write_topics(connection: Connection, past: Mapping[Topic, Past]) -> None:
    """Write rows, or write them anew, within the transaction that appends their entries."""
    for topic, known in past.items():
        fields = _fields(topic, known)
        connection.execute(
            "INSERT OR REPLACE INTO topics VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*fields, _seal(fields)),
        )


def write_all_topics(connection: Connection, past: Mapping[Topic, Past]) -> None:
    """Write the rows of all topics, in the place of whatever was there."""
    connection.execute(TOPICS_SCHEMA)
    connection.execute("DELETE FROM topics")
    write_topics(connection, past)


def _fields(topic: Topic, past: Past) -> tuple[Value, ...]:
    return (
        hash_of(*topic),
        *topic,
        past.survey,
        past.entries,
        f"{past.waves:x}",
        in_full(past.odds),
        past.place,
        past.link,
    )


def _is_whole(row: Row) -> bool:
    return _seal(row[:-1]) == row[-1]


def _parse(row: Row) -> tuple[Topic, Past]:
    """Return a row that is as it was written."""
    _hash, publisher, topic, survey, entries, waves, odds, place, link, _seal_of_it = row
    past = Past(
        str(survey),
        int(entries or 0),
        int(str(waves), 16),
        ratio(str(odds)),
        int(place or 0),
        link,  # type: ignore[arg-type] # the seal tells
    )
    return (str(publisher), str(topic)), past


def _seal(fields: Sequence[Value]) -> bytes | None:
    *texts, link = fields
    if not isinstance(link, bytes):
        return None
    return sha256(b"tossup topic " + link + "\n".join(map(str, texts)).encode()).digest()


def _wrapped(count: int) -> int:
    return (count - 1) % (256**_COUNT_BYTES - 1) + 1 if count else 0


@lru_cache(maxsize=64)
def ratio(text: str) -> Fraction:
    """Return odds or a chance, as stored; few different ones occur.

    Raises
    ------
    ValueError
        If the text is none that is ever stored.
    """
    return read_in_full(text)
