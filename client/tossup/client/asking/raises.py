"""Odds that a new version of a survey raises: shown to the respondent before they are spent.

Stage: before a toss. A device knows the versions that it has seen. Where a newer one costs more
for a question than was known of it, nothing is tossed for it until a preview has said so.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Final

from tossup.client.store.database import Connection
from tossup.shared.odds import promise_as_text
from tossup.shared.survey import Question, Survey

# Made when first needed, so that an SDK which does not know it opens the store as before.
_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS previewed (manifest TEXT NOT NULL, question TEXT NOT NULL,"
    " PRIMARY KEY (manifest, question)) WITHOUT ROWID"
)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a question costs over all of its waves: odds, and the chance for which they fail."""

    odds: Fraction
    chance: Fraction

    def __str__(self) -> str:
        return promise_as_text(self.odds, self.chance)

    def exceeds(self, other: "Cost") -> bool:
        """Return whether either part is larger than the other's."""
        return self.odds > other.odds or self.chance > other.chance

    def least(self, other: "Cost") -> "Cost":
        """Return the smaller odds and the smaller chance of the two."""
        return Cost(min(self.odds, other.odds), min(self.chance, other.chance))


def raised(connection: Connection, versions: Sequence[Survey]) -> Mapping[str, Cost]:
    """Return what is known of the cost of those questions that the last version raises.

    Parameters
    ----------
    versions
        All that this device has seen, in order. A question is the same by its id or its topic.

    Returns
    -------
    Mapping
        By question id. The known cost is that in the first version that asked it, or in a later
        one that lowered it or was previewed.
    """
    if len(versions) < 2:
        return {}
    newest, shown = versions[-1], _previewed(connection)
    known = {question.id: _known(versions, question, shown) for question in newest.questions}
    return {q.id: known[q.id] for q in newest.questions if _cost(newest, q).exceeds(known[q.id])}


def note_preview(connection: Connection, survey: Survey, names: Iterable[str]) -> None:
    """Store that questions of this version have been previewed."""
    connection.execute(_SCHEMA)
    for name in names:
        connection.execute("INSERT OR IGNORE INTO previewed VALUES (?, ?)", (survey.digest, name))


def _known(
    versions: Sequence[Survey], question: Question, shown: Collection[tuple[str, str]]
) -> Cost:
    known: Cost | None = None
    for survey in versions:
        alike = [q for q in survey.questions if q.id == question.id or q.topic == question.topic]
        if not alike:
            continue
        cost = reduce(Cost.least, (_cost(survey, q) for q in alike))
        was_shown = any((survey.digest, q.id) in shown for q in alike)
        known = cost if known is None or was_shown else known.least(cost)
    return known or _cost(versions[-1], question)


def _cost(survey: Survey, question: Question) -> Cost:
    return Cost(survey.cost(question), survey.chance(question))


def _previewed(connection: Connection) -> Collection[tuple[str, str]]:
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'previewed'").fetchone()
    if there is None:
        return ()
    rows = connection.execute("SELECT manifest, question FROM previewed").fetchall()
    return {(str(manifest), str(question)) for manifest, question in rows}
