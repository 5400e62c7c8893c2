"""Which mechanism a choice is asked with: the one of least variance, and why.

Stage: authoring, before any answer. Knows nothing of the answers to come: what is compared is the
variance of the share of an option that nobody has, at equal odds, and the bytes of a report.
"""

from fractions import Fraction
from typing import Final

from tossup.server.kinds.choosing import named
from tossup.server.kinds.choosing.named import Candidate, Decision
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms import Mechanism

#: A report with more bytes than this is not chosen by itself.
LARGEST_REPORT: Final = 32


def choose(
    odds: Fraction, options: int, largest_report: int = LARGEST_REPORT
) -> Decision[Mechanism]:
    """Return the mechanism of least variance for a choice at these odds.

    Parameters
    ----------
    odds
        What an answer may cost.
    options
        Number of options, from 2 to 1024.
    largest_report
        Bytes that a report may have.

    Examples
    --------
    >>> choose(Fraction(3), 16).chosen.mechanism
    SubsetSelection(options=16, size=4, keep=3, lie=1)
    >>> choose(Fraction(3), 1024).chosen.mechanism
    ProjectiveGeometryResponse(options=1024, field=5, keep=3, lie=1)

    Raises
    ------
    MechanismError
        If no mechanism fits.
    """
    candidates = sorted(_candidates(odds, options), key=lambda candidate: candidate.variance)
    for candidate in candidates:
        if candidate.report_bytes <= largest_report:
            reason = (
                f"{candidate.name} has the least variance of those with reports of at most"
                f" {LARGEST_REPORT} bytes; n times the variance of a share of 0, and bytes a report"
            )
            return Decision(candidate, tuple(candidates), reason, tells_bytes=True)
    raise MechanismError(
        f"no mechanism has odds {brief(odds)} for {options} options with weights of at most 2**32"
        f" and {largest_report} bytes a report; ask with simpler odds, such as 3 or 5/2"
    )


def _candidates(odds: Fraction, options: int) -> list[Candidate[Mechanism]]:
    found = []
    for name, kind in named.compared("choice").items():
        try:
            mechanism = kind.from_odds(odds, options)
        except MechanismError:  # its weights do not fit, or it has not so many options
            continue
        found.append(Candidate(name, mechanism, variance(mechanism)))
    return found


def variance(mechanism: Mechanism) -> Fraction:
    """Return n times the variance of the estimated share of an option that nobody has.

    q (1 - q) / (p - q)**2 with p and q the chances of being named with and without it being the
    answer: Wang, Blocki, Li and Jha 2017, USENIX Security, equation 2.

    >>> from tossup.shared.mechanisms import KaryRandomizedResponse
    >>> variance(KaryRandomizedResponse(16))
    Fraction(17, 4)
    """
    return mechanism.variance_at(Fraction(0))
