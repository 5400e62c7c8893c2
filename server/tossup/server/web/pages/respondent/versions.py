"""The versions of a survey, and what each words otherwise than those before it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tossup.server.surveys.meaning import Change, changes
from tossup.shared.survey import Survey


@dataclass(frozen=True, slots=True)
class Version:
    """A version that was signed.

    Attributes
    ----------
    survey
        What it says.
    worded
        What it words otherwise than the versions before it, under the same names.
    """

    survey: Survey
    worded: tuple[Change, ...]

    def is_declared(self, change: Change) -> bool:
        """Return whether its publisher signed that something means the same as before."""
        return change.id in self.survey.same_meaning


def versions_of(manifests: Sequence[Survey]) -> list[Version]:
    """Return all versions of a survey, the newest first."""
    made = [Version(each, changes(each, manifests[:place])) for place, each in enumerate(manifests)]
    return made[::-1]
