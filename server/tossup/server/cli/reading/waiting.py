"""What commands say of estimates that wait for more reports: of results as a server sends them."""

from collections.abc import Iterable, Mapping
from typing import Any

from tossup.server.cli.output import TooFewReports

Part = Mapping[str, Any]


def waiting(part: Part) -> str:
    """Return what stands in the place of an interval."""
    return f"too few reports (from {part['minimum']} on)"


def rests_on(part: Part) -> int:
    """Return how many reports tell of what is estimated; all, of a server that does not say."""
    return int(part.get("rests_on", part["n"]))


def options_waiting(part: Part) -> list[Part]:
    """Return what too few reports tell of, with its n: all answers as one, or some options."""
    if part["suppressed"]:
        return [{"answer": "", "n": rests_on(part)}]
    return list(part.get("too_few", ()))


def fail_if_all_wait(parts: Iterable[Part], fix: str) -> None:
    """Fail where none of the parts that were asked for has an estimate.

    Raises
    ------
    TooFewReports
        If so. It says how far the nearest one is.
    """
    every = list(parts)
    if all(part["suppressed"] for part in every):
        nearest = max(every, key=lambda part: rests_on(part) / part["minimum"], default=None)
        reports = f": {rests_on(nearest)} of {nearest['minimum']}" if nearest else ""
        raise TooFewReports(f"too few reports to say anything{reports}", fix)
