"""Which wave it is, and which waves are this device's.

Stage: before an answer is looked at. Where a device tosses afresh in some of the waves only, its
coins choose which, once, before it has seen any answer: a report then tells of one wave alone, and
in every wave each device is asked with the same chance.
"""

from collections.abc import Iterable

from tossup.client.asking import now
from tossup.client.errors import AnswerRefused, LedgerDamaged, NotAsked
from tossup.client.store.database import Connection
from tossup.shared.coins import Coins
from tossup.shared.survey import Survey
from tossup.shared.waves import Waves


def current(survey: Survey) -> int | None:
    """Return the wave that is on today, by the device's clock (UTC); None if none is.

    A wrong clock labels a report wrongly. It cannot add to what is spent: the ledger counts waves.
    """
    if survey.waves is None:
        return None
    return survey.waves.on(now.today())


def wanted(survey: Survey, wave: object) -> int:
    """Return the wave that an answer is for: the one given, or today's; 0 without waves.

    Raises
    ------
    NotAsked
        If no wave is on today.
    AnswerRefused
        If the wave given is none of the survey's.
    """
    if survey.waves is None:
        if wave is not None:
            raise AnswerRefused(f"survey {survey.id!r} has no waves. Nothing was tossed")
        return 0
    if wave is None:
        wave = current(survey)
    if wave is None:
        raise NotAsked
    if type(wave) is not int or not 1 <= wave <= survey.waves.count:
        raise AnswerRefused(f"wave must be an int from 1 to {survey.waves.count}")
    return wave


def ensure(connection: Connection, survey: Survey) -> frozenset[int]:
    """Return the waves in which this device is asked, chosen now if they were not yet.

    Within the caller's transaction: a choice counts once it is committed.

    Raises
    ------
    LedgerDamaged
        If what is stored is no choice of so many of the waves.
    """
    waves = survey.waves
    if waves is None or waves.times in (None, waves.count):
        return frozenset(range(1, waves.count + 1 if waves else 1))
    key = (survey.publisher.key.hex(), survey.id, waves.count, waves.times)
    row = connection.execute(
        "SELECT waves FROM turns WHERE publisher = ? AND survey = ? AND count = ? AND times = ?",
        key,
    ).fetchone()
    if row is not None:
        return _chosen(row[0], waves)
    chosen = choose(waves, Coins())
    connection.execute("INSERT INTO turns VALUES (?, ?, ?, ?, ?)", (*key, _as_text(chosen)))
    return chosen


def choose(waves: Waves, coins: Coins) -> frozenset[int]:
    """Return ``times`` of the waves, every set of so many with the same chance.

    >>> from datetime import date
    >>> len(choose(Waves(12, date(2027, 1, 4), 7, times=2), Coins()))
    2
    """
    rest = list(range(1, waves.count + 1))
    return frozenset(rest.pop(coins.below(len(rest))) for _ in range(waves.times or waves.count))


def _chosen(text: object, waves: Waves) -> frozenset[int]:
    """Return the waves of a stored choice, if it has the one form that `_as_text` gives it."""
    words = str(text).split()
    chosen = frozenset(int(wave) for wave in waves.options if wave in words)
    if len(chosen) != waves.times or _as_text(chosen) != text:
        raise LedgerDamaged
    return chosen


def _as_text(waves: Iterable[int]) -> str:
    return " ".join(str(wave) for wave in sorted(waves))
