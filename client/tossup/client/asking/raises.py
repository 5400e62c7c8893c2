"""What a new version of a survey asks more of a respondent: shown before anything is spent.

Stage: before a toss. A device knows the versions that it has seen. Where a newer one costs more
for a question than was known of it, or takes back what was promised of its reports, nothing is
tossed for it until a preview has said so.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Final

from tossup.client.store.database import Connection
from tossup.shared.odds import promise_as_text
from tossup.shared.survey import Question, Survey

#: Whom results are shown to and when: what shows them to more, or sooner, comes first.
_SEEN: Final = ("live", "daily", "closed", "private")
_WHEN: Final = {
    "live": "as reports come in",
    "daily": "once a day",
    "closed": "once the survey is closed",
}
_LINKED: Final = {
    "joint": "each answer travelled alone, and all answers of a respondent travel together now",
    "none": "all answers of a respondent travelled together, and each travels alone now",
}


@dataclass(frozen=True, slots=True)
class Promises:
    """What a version of a survey promises of all its reports; see `Survey` for the meaning.

    Attributes
    ----------
    seen
        ``"private"``, or when public results are shown: `Survey.shown`.
    retention_days, linkage
        Those of the survey.
    """

    seen: str
    retention_days: int
    linkage: str

    @classmethod
    def of(cls, survey: Survey) -> "Promises":
        """Return those of a version."""
        seen = "private" if survey.results == "private" else survey.shown
        return cls(seen, survey.retention_days, survey.linkage)

    def taken_back_by(self, new: "Promises") -> tuple[str, ...]:
        """Return in words which of these a new version takes back.

        Those are results that become public or are shown sooner, reports that are kept longer, and
        another linkage.
        """
        found = []
        if self._later(new) != new.seen:
            found.append(
                "results were private and are public now"
                if self.seen == "private"
                else f"public results were shown {_WHEN[self.seen]}, and are {_WHEN[new.seen]} now"
            )
        if new.retention_days > self.retention_days:
            kept = f"were kept for {self.retention_days} days and are for {new.retention_days} now"
            found.append(f"single reports {kept}")
        if new.linkage != self.linkage:
            found.append(_LINKED[new.linkage])
        return tuple(found)

    def strictest(self, new: "Promises") -> "Promises":
        """Return these, with what a new version promises beyond them."""
        days = min(self.retention_days, new.retention_days)
        return Promises(self._later(new), days, self.linkage)

    def _later(self, new: "Promises") -> str:
        return max(self.seen, new.seen, key=_SEEN.index)


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


@dataclass(frozen=True, slots=True)
class Raise:
    """What a new version asks more for a question.

    Attributes
    ----------
    known, cost
        What the question was known to cost, and does now.
    promises
        In words, what was promised of its reports and is not any more.
    """

    question: str
    known: Cost
    cost: Cost
    promises: tuple[str, ...]

    @property
    def raised_from(self) -> str | None:
        """What was known of the cost, in words; None where it is not raised."""
        return str(self.known) if self.cost.exceeds(self.known) else None

    def __bool__(self) -> bool:
        return self.raised_from is not None or bool(self.promises)

    def __str__(self) -> str:
        """Return what the new version does, in words that follow its name."""
        known = self.raised_from
        told = (
            [f"raises what {self.question!r} costs, from {known} to {self.cost}"] if known else []
        )
        if self.promises:
            told.append(f"changes what was promised: {'; '.join(self.promises)}")
        return ", and ".join(told)


def raised(connection: Connection, versions: Sequence[Survey]) -> Mapping[str, Raise]:
    """Return what the last version asks more, for those questions where it does.

    Parameters
    ----------
    versions
        All that this device has seen, in order. A question is the same by its id or its topic.

    Returns
    -------
    Mapping
        By question id. Known are the cost in the first version that asked it, and the promises of
        the first version, or those of a later one that asked less or was previewed since.
    """
    if len(versions) < 2:
        return {}
    shown = _previewed(connection)
    found = (_raise(versions, question, shown) for question in versions[-1].questions)
    return {one.question: one for one in found if one}


def note_preview(connection: Connection, survey: Survey, names: Iterable[str]) -> None:
    """Store that questions of this version have been previewed."""
    connection.execute(_SCHEMA)
    for name in names:
        connection.execute("INSERT OR IGNORE INTO previewed VALUES (?, ?)", (survey.digest, name))


def _raise(
    versions: Sequence[Survey], question: Question, shown: Collection[tuple[str, str]]
) -> Raise:
    cost: Cost | None = None
    promises = Promises.of(versions[0])
    for survey in versions:
        alike = [q for q in survey.questions if q.id == question.id or q.topic == question.topic]
        was_shown = any((survey.digest, q.id) in shown for q in alike)
        new = Promises.of(survey)
        promises = new if was_shown else promises.strictest(new)
        if alike:
            least = reduce(Cost.least, (_cost(survey, q) for q in alike))
            cost = least if cost is None or was_shown else cost.least(least)
    now = _cost(versions[-1], question)
    taken_back = promises.taken_back_by(Promises.of(versions[-1]))
    return Raise(question.id, cost or now, now, taken_back)


def _cost(survey: Survey, question: Question) -> Cost:
    return Cost(survey.cost(question), survey.chance(question))


def _previewed(connection: Connection) -> Collection[tuple[str, str]]:
    there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'previewed'").fetchone()
    if there is None:
        return ()
    rows = connection.execute("SELECT manifest, question FROM previewed").fetchall()
    return {(str(manifest), str(question)) for manifest, question in rows}
