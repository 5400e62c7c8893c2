"""What a survey promised of the reports, and a new version takes back.

Stage: before a toss. Coins guard one report; who sees results, how long single reports are kept
and what travels together are promises. A respondent who knew others is shown the new ones first.
"""

from dataclasses import dataclass
from typing import Final

from tossup.shared.survey import Survey

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
