"""Whether two answers go together, and which of them: corrected for all that may be looked at.

Stage: estimate to page. A reader may look at every pair of questions, and sees every pair of
answers; so each pair of questions has an equal part of the level (Bonferroni), and so has every
pair of answers within it, where the test of all of them says that some go together. The chance that
any pair of questions is said to go together though none does, or that any answer is named whose
share is the same among everyone, is at most one less the confidence.
"""

from dataclasses import dataclass

from tossup.server.estimation.joint.association import Departure, departures
from tossup.server.results.joint.tables import JointResult


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of two questions.

    Attributes
    ----------
    go_together
        Whether the answers go together for sure; None where no test tells.
    named
        The pair of answers that stands out most, for sure; None where none does.
    """

    go_together: bool | None
    named: Departure | None = None


def verdict(found: JointResult) -> Verdict:
    """Return what the reports say of two questions, at the confidence of their table."""
    test = found.independence
    if test is None:
        return Verdict(None)
    level = (1 - found.confidence) / found.pairs
    if test.p_value > level:
        return Verdict(go_together=False)
    every = departures(found.table)
    # The last answer of a tie: of yes and no, whose departures are each other's opposite, yes.
    first = min(every, key=lambda each: (float(f"{each.p_value:.9g}"), -each.given, -each.answer))
    return Verdict(
        go_together=True,
        named=first if first.p_value <= level / _different(*found.counts.shape) else None,
    )


def _different(rows: int, columns: int) -> int:
    """Return how many departures there are: of two answers, one is the other's opposite."""
    return (rows if rows > 2 else 1) * (columns if columns > 2 else 1)
