"""What a next version promises its respondents less of than the one before.

Stage: publishing. A publisher has to say that it is meant.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from tossup.shared.survey import Shown, Survey

#: What is shown sooner comes first.
_EARLIER: Final[tuple[Shown, ...]] = ("live", "daily", "closed")
_WHEN: Final[Mapping[Shown, str]] = {
    "live": "as reports come in",
    "daily": "once a day",
    "closed": "when the survey is closed",
}


def weaker(made: Survey, before: Survey) -> Iterator[tuple[str, str]]:
    """Yield the survey file's key of each promise that is weaker now, with what was and what is."""
    if (before.results, made.results) == ("private", "public"):
        yield (
            "results",
            "results: were private, and anyone can see them now, of earlier reports too",
        )
    elif _EARLIER.index(made.shown) < _EARLIER.index(before.shown):
        yield (
            "shown",
            f"shown: public results were shown {_WHEN[before.shown]}, and are"
            f" {_WHEN[made.shown]} now",
        )
    if made.retention_days > before.retention_days:
        yield (
            "retention_days",
            f"retention_days: single reports were deleted after {before.retention_days} days, and"
            f" are kept for {made.retention_days} now",
        )
    if made.linkage != before.linkage:
        yield (
            "linkage",
            f"linkage: was {before.linkage}, and is {made.linkage} now: with joint, the answers of"
            " one respondent travel together",
        )
