"""One call for what people bring: counts from a paper, or a whole table of them.

Stage: a notebook, or ``tossup estimate``, to results. The kind of result follows from what is
given: a share from yes reports, shares from counts of several answers, a share by moments from
numbers of red cards.
"""

from tossup.server.estimation.cards import CardsShare
from tossup.server.estimation.checks import Counts, whole, whole_counts
from tossup.server.estimation.design import Design
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.joint import JointEstimate, estimate_joint
from tossup.server.estimation.named import AnyDesign, design_of
from tossup.server.estimation.several import SeveralEstimate, estimate_several
from tossup.server.estimation.share import ShareEstimate
from tossup.server.estimation.shares import SharesEstimate, estimate_shares
from tossup.server.estimation.statements import StatementsEstimate, estimate_statements
from tossup.server.estimation.tables import MomentEstimate
from tossup.shared.mechanisms import (
    FrequencyOracle,
    Kuk,
    Mechanism,
    RankedChoice,
    SeveralMechanism,
    UnrelatedQuestion,
)

#: What counts of all reports of a design may tell.
Found = (
    ShareEstimate
    | CardsShare
    | SharesEstimate
    | SeveralEstimate
    | StatementsEstimate
    | MomentEstimate
    | JointEstimate
)


def estimate(*, yes: int, n: int, design: AnyDesign) -> ShareEstimate:
    """Return the share of yes when ``yes`` of ``n`` reports are yes.

    Parameters
    ----------
    yes, n
        Reports yes, and all reports.
    design
        A design, a mechanism, a two-by-two channel ``[answer][report]``, or a design's name
        such as ``"two-coin"``.

    Examples
    --------
    >>> from tossup.shared.mechanisms import TwoCoin
    >>> print(estimate(yes=322, n=1290, design=TwoCoin()))
    -0.0008 (-0.0465 to 0.0479, 95 % score interval, n = 1290)

    Raises
    ------
    EstimationError
        If ``yes`` is above ``n``, there are no reports, or the design is no yes/no design.
    """
    yes, n = whole(yes, "yes"), whole(n, "n")
    if yes > n:
        raise EstimationError(f"yes ({yes}) must not be above n ({n})")
    known = design_of(design)
    if [len(row) for row in known.rows] != [2, 2]:
        raise EstimationError(
            f"{known.name} is no yes/no design; give the counts of all its reports to"
            " estimate_counts"
        )
    return ShareEstimate((n - yes, yes), known.rows, known.name)


def estimate_counts(counts: Counts, design: AnyDesign) -> Found:
    """Return what the counts of all reports of a design tell.

    Parameters
    ----------
    counts
        How many reports of each kind, from report 0 on. For a mechanism its tally.
    design
        A design, a mechanism, a channel ``[answer][report]``, or a design's name.

    Returns
    -------
    ShareEstimate | CardsShare | MomentEstimate | SharesEstimate | SeveralEstimate
    | StatementsEstimate | JointEstimate
        For two answers the share of yes; for more the shares of all, as `JointEstimate` where a
        report is not equally likely under all the answers that it does not name. Where people
        tick several options, or say which of two statements are true, the share of each.

    Examples
    --------
    >>> from tossup.server.estimation.design import kuk
    >>> cards = kuk(yes="3/4", no="7/20", draws=5)
    >>> print(estimate_counts((30, 120, 210, 260, 200, 80), cards))
    share: 0.5250 (0.4836 to 0.5664, 95 % wald interval, n = 900)
    """
    tally = whole_counts(counts)
    if isinstance(design, FrequencyOracle):
        return estimate_shares(tally, design)
    if isinstance(design, RankedChoice):
        raise EstimationError(
            "reports of an order tell mean points of its options, and no shares; use"
            " estimate_points"
        )
    if isinstance(design, SeveralMechanism):
        return estimate_several(tally, design)
    if isinstance(design, UnrelatedQuestion):
        return estimate_statements(tally, design)
    known = design_of(design)
    answers, kinds = len(known.rows), len(known.rows[0])
    if len(tally) != kinds:
        raise EstimationError(
            f"{known.name} has {kinds} kinds of reports, so counts must have as many values, not"
            f" {len(tally)}"
        )
    if answers == 2:
        return _of_two_answers(tally, design, known)
    try:
        return estimate_shares(tally, design if isinstance(design, Mechanism) else known)
    except EstimationError:
        return estimate_joint(list(tally), [known])


def _of_two_answers(
    counts: tuple[int, ...], design: AnyDesign, known: Design
) -> ShareEstimate | CardsShare | MomentEstimate:
    """Return the share of yes, from reports yes and no, numbers of red cards, or other kinds."""
    if len(counts) == 2:
        return estimate(yes=counts[1], n=sum(counts), design=known)
    return CardsShare(counts, design) if isinstance(design, Kuk) else MomentEstimate(counts, known)
