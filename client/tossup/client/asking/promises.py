"""What a survey promised of the reports, and a new version takes back.

Stage: before a toss. Coins guard one report; who sees results, how long single reports are kept
and what travels together are promises. A respondent who knew others is shown the new ones first.
"""

from dataclasses import dataclass, replace
from typing import Final

from tossup.shared.survey import Survey

_LINKED: Final = {
    "joint": "each answer travelled alone, and all answers of a respondent travel together now",
    "none": "all answers of a respondent travelled together, and each travels alone now",
}


@dataclass(frozen=True, slots=True)
class Promises:
    """What a version of a survey promises of all its reports; see `Survey` for the meaning."""

    results: str
    retention_days: int
    linkage: str

    @classmethod
    def of(cls, survey: Survey) -> "Promises":
        """Return those of a version."""
        return cls(survey.results, survey.retention_days, survey.linkage)

    def taken_back_by(self, new: "Promises") -> tuple[str, ...]:
        """Return in words which of these a new version takes back.

        Those are results that become public, reports that are kept longer, and another linkage.
        """
        found = []
        if self.results != new.results == "public":
            found.append("results were private and are public now")
        if new.retention_days > self.retention_days:
            kept = f"were kept for {self.retention_days} days and are for {new.retention_days} now"
            found.append(f"single reports {kept}")
        if new.linkage != self.linkage:
            found.append(_LINKED[new.linkage])
        return tuple(found)

    def strictest(self, new: "Promises") -> "Promises":
        """Return these, with what a new version promises beyond them."""
        return replace(
            self,
            results="private" if "private" in (self.results, new.results) else "public",
            retention_days=min(self.retention_days, new.retention_days),
        )
