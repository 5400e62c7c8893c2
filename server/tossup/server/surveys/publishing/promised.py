"""What a next version promises its respondents less of than the one before.

Stage: publishing. A publisher has to say that it is meant.
"""

from collections.abc import Iterator

from tossup.shared.survey import Survey


def weaker(made: Survey, before: Survey) -> Iterator[tuple[str, str]]:
    """Yield the survey file's key of each promise that is weaker now, with what was and what is."""
    if (before.results, made.results) == ("private", "public"):
        yield (
            "results",
            "results: were private, and anyone can see them now, of earlier reports too",
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
