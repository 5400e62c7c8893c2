"""What the ledger says of one topic, in a row of its own: all that a further answer to it asks.

Stage: beside the ledger. A row is written anew with every entry about its topic, in the same
transaction. It carries its own hash; that it is the latest one, the totals tell
(`tossup.client.store.counts`); and the entry that it was last written for is read from the ledger
and verified. So what an answer costs does not grow with the answers given, to this topic or others.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Final

from tossup.client.errors import LedgerDamaged, pass_on
from tossup.client.store.counts import Counts, hash_of
from tossup.client.store.database import TOPICS_SCHEMA, Connection, Row, Value, translate
from tossup.client.store.totals import Entry, ratio
from tossup.shared.figures import in_full

#: More topics than this in one bucket: then there should be more buckets.
_CROWDED: Final = 8

Topic = tuple[str, str]


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


def read(
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
        rows = _rows(
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
    rows = _rows(
        connection,
        "SELECT total(entries), group_concat(CASE WHEN publisher = ? THEN topic END, char(10))"
        " FROM topics",
        (publisher,),
    )
    if not rows or rows[0][0] != entries:
        return None
    return tuple(sorted(str(rows[0][1] or "").split()))  # no id holds a space or a line break


def write(connection: Connection, past: Mapping[Topic, Past]) -> None:
    """Write rows, or write them anew, within the transaction that appends their entries."""
    for topic, known in past.items():
        fields = _fields(topic, known)
        connection.execute(
            "INSERT OR REPLACE INTO topics VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*fields, _seal(fields)),
        )


def write_all(connection: Connection, past: Mapping[Topic, Past]) -> None:
    """Write the rows of all topics, in the place of whatever was there."""
    connection.execute(TOPICS_SCHEMA)
    connection.execute("DELETE FROM topics")
    write(connection, past)


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


def _rows(connection: Connection, sql: str, parameters: Sequence[Value]) -> list[Row]:
    """Return the rows of a query; none where the table is not there or cannot be read."""
    try:
        return connection.execute(sql, parameters).fetchall()
    except sqlite3.Error as error:
        pass_on(error)
        translated = translate(error)
    if isinstance(translated, LedgerDamaged):
        return []
    raise translated
