"""The ledger: what this device has answered and spent, for life.

Stage: between the answer and the coins. Entries are only ever added. Each carries a hash over
itself and the one before, and the head row holds their count and the last hash, all in the same
transaction: whoever reads the whole ledger notices an entry that is altered, hidden or removed.
An answer reads the entries that it rests on, and the rest where anything does not fit
(`tossup.client.store.totals`); what is not as it was written stops every toss that rests on it.
The chain detects damage; it cannot stop someone who rewrites the whole file on purpose.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Final

from tossup.client.errors import CapExceeded, LedgerDamaged
from tossup.client.store import totals
from tossup.client.store.database import Connection, Row, Value
from tossup.client.store.totals import Counts, Entry, Past, Topic, Totals, first, ratio, topic_of
from tossup.shared.figures import brief, in_full
from tossup.shared.odds import chance_as_text, compose

_START: Final = bytes(32)

#: How many of the last entries are verified, whatever is asked: what was written last is what a
#: failing disk is most likely to have lost.
_LAST: Final = 4
_PLACES_A_STATEMENT: Final = 512  # SQLite before 2020 takes 999 values


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
    """A ledger as far as it was read and verified.

    Attributes
    ----------
    totals
        What all entries add up to.
    past
        What is known of topics: of those asked for, or of all where all entries were read.
    is_whole
        Whether all entries were read, so that totals and topics are to be written anew.
    """

    totals: Totals
    past: Mapping[Topic, Past]
    is_whole: bool

    def names(self, connection: Connection, publisher: str) -> tuple[str, ...]:
        """Return the topics of a publisher that have been answered, in order."""
        stored = None if self.is_whole else totals.names(connection, publisher, self.totals.entries)
        past = read(connection).past if stored is None and not self.is_whole else self.past
        known = sorted(topic for name, topic in past if name == publisher)
        return tuple(known) if stored is None else stored


def entries(connection: Connection) -> tuple[Entry, ...]:
    """Return all entries of the ledger, every hash recomputed.

    Raises
    ------
    LedgerDamaged
        If entries and head do not add up.
    """
    return tuple(entry for entry, _ in _linked(connection))


def read(connection: Connection) -> Ledger:
    """Return the whole ledger.

    It reads the table without an index, and recomputes every hash.

    Raises
    ------
    LedgerDamaged
        If entries and head do not add up.
    """
    linked, past = _linked(connection), dict[Topic, Past]()
    for place, (entry, link) in enumerate(linked, start=1):
        topic, known = topic_of(entry), past.get(topic_of(entry))
        past[topic] = first(entry, place, link) if known is None else known.plus(entry, place, link)
    link = linked[-1][1] if linked else _START
    empty = Totals(0, _START, {}, Counts.for_topics(len(past)))
    return Ledger(empty.plus([entry for entry, _ in linked], link), past, is_whole=True)


def about(connection: Connection, publisher: str, names: Iterable[str]) -> Ledger:
    """Return the ledger as far as it is about some topics of a publisher.

    The last entries, and the last ones about these topics, are verified, and that head, totals
    and topics fit them: that is all that an answer rests on. Otherwise all is read.

    Raises
    ------
    LedgerDamaged
        If entries and head do not add up.
    """
    found = totals.read(connection)
    if found is None or _head(connection) != (found.entries, found.link):
        return read(connection)
    wanted = [(publisher, name) for name in names]
    past = totals.read_topics(connection, found.counts, wanted)
    if past is None:
        return read(connection)
    ends = {each.place: each.link for each in past.values()} | {found.entries: found.link}
    if not _are_there(connection, ends):
        return read(connection)
    return Ledger(found, past, is_whole=False)


def append(connection: Connection, ledger: Ledger, new: Sequence[Entry]) -> None:
    """Write entries after those of the ledger, within the caller's transaction."""
    link, past = ledger.totals.link, dict(ledger.past) if ledger.is_whole else {}
    for place, entry in enumerate(new, start=ledger.totals.entries + 1):
        fields, topic = _fields(entry), topic_of(entry)
        link = _next_link(link, place, fields)
        connection.execute(
            "INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (place, *fields, link)
        )
        known = past.get(topic) or ledger.past.get(topic)
        past[topic] = known.plus(entry, place, link) if known else first(entry, place, link)
    after = ledger.totals.plus(new, link)
    connection.execute(
        "UPDATE head SET entries = ?, link = ? WHERE one = 1", (after.entries, after.link)
    )
    if ledger.is_whole:
        totals.write_all_topics(connection, past)
        totals.write_anew(connection, after)
    else:
        totals.write_topics(connection, past)
        totals.write(connection, after)


def _linked(connection: Connection) -> list[tuple[Entry, bytes]]:
    """Return all entries with their hashes, recomputed."""
    rows = connection.execute("SELECT * FROM ledger ORDER BY place").fetchall()
    link, found = _START, list[tuple[Entry, bytes]]()
    for place, row in enumerate(rows, start=1):
        fields = _stored_fields(row)
        link = _next_link(link, place, fields)
        if row[0] != place or row[-1] != link:
            raise LedgerDamaged
        found.append((_entry(fields), link))
    if _head(connection) != (len(found), link):
        raise LedgerDamaged
    return found


def _are_there(connection: Connection, ends: Mapping[int, bytes]) -> bool:
    """Return whether entries have these hashes, and the last of them are the ledger's last.

    The hashes are recomputed from the entries themselves and the ones before them.
    """
    last = max(ends)
    places = {*ends, *range(max(1, last - _LAST + 1), last + 1)} - {0}
    wanted = (places | {place - 1 for place in places}) - {0}
    rows = _from(connection, max(0, last - _LAST))
    rows |= _at(connection, sorted(wanted - set(rows)))
    if not wanted <= set(rows) <= wanted | {last - _LAST}:
        return False
    links = {0: _START} | {place: _link(row) for place, row in rows.items()}
    return all(links[place] == link for place, link in ends.items()) and all(
        _next_link(links[place - 1], place, _stored_fields(rows[place])) == links[place]
        for place in places
    )


def _from(connection: Connection, place: int) -> dict[Value, Row]:
    """Return the rows from a place on, by their places."""
    found = connection.execute("SELECT * FROM ledger WHERE place >= ?", (place,)).fetchall()
    return {row[0]: row for row in found}


def _at(connection: Connection, places: Sequence[int]) -> dict[Value, Row]:
    """Return the rows at some places, by these; without those that are not there."""
    rows: dict[Value, Row] = {}
    for start in range(0, len(places), _PLACES_A_STATEMENT):
        some = places[start : start + _PLACES_A_STATEMENT]
        marks = ", ".join("?" * len(some))
        found = connection.execute(
            f"SELECT * FROM ledger WHERE place IN ({marks})",  # noqa: S608
            some,
        ).fetchall()
        rows |= {row[0]: row for row in found}
    return rows


def _link(row: Row) -> bytes:
    return row[-1] if isinstance(row[-1], bytes) else b""


def _head(connection: Connection) -> tuple[Value, ...]:
    row = connection.execute("SELECT entries, link FROM head WHERE one = 1").fetchone()
    return tuple(row or ())


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
    _place, *fields, _link = row
    if set(map(type, fields)) != {str}:
        raise LedgerDamaged
    return tuple(map(str, fields))


def _entry(fields: tuple[str, ...]) -> Entry:
    publisher, topic, survey, manifest, question, odds, delta, wave = fields
    about = (publisher, topic, survey, manifest, question)
    try:
        return Entry(*about, odds=ratio(odds), delta=ratio(delta), wave=int(wave))
    except ValueError:
        raise LedgerDamaged from None


def _next_link(link: bytes, place: int, fields: tuple[str, ...]) -> bytes:
    # No field can hold a line break: they are ids, hex digits and fractions.
    return sha256(link + "\n".join((str(place), *fields)).encode()).digest()
