"""One call for what people bring: counts from a paper, or a whole table of them.

Stage: a notebook, or ``tossup estimate``, to results. The kind of result follows from what is
given: a share from yes reports, shares from counts of several answers, the likeliest share from
numbers of red cards or from samples of several designs.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, SupportsIndex, overload

from tossup.server.estimation.checks import Counts, whole, whole_counts
from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.designs.named import AnyDesign, design_of, is_mechanism, one_a_row
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.joint.tables import JointEstimate, estimate_joint
from tossup.server.estimation.shares.likelihood import LikelihoodShare, joined
from tossup.server.estimation.shares.several import SeveralEstimate, estimate_several
from tossup.server.estimation.shares.share import ShareEstimate
from tossup.server.estimation.shares.shares import SharesEstimate, estimate_shares
from tossup.server.estimation.shares.statements import StatementsEstimate, estimate_statements

#: What counts of all reports of a design may tell.
Found = (
    ShareEstimate
    | SharesEstimate
    | SeveralEstimate
    | StatementsEstimate
    | LikelihoodShare
    | JointEstimate
)


@overload
def estimate(*, yes: SupportsIndex, n: SupportsIndex, design: AnyDesign) -> ShareEstimate: ...


@overload
def estimate(
    *, yes: Counts, n: Counts, design: AnyDesign | Iterable[AnyDesign]
) -> ShareEstimate | LikelihoodShare: ...


def estimate(
    *,
    yes: SupportsIndex | Counts,
    n: SupportsIndex | Counts,
    design: AnyDesign | Iterable[AnyDesign],
) -> ShareEstimate | LikelihoodShare:
    """Return the share of yes when ``yes`` of ``n`` reports are yes.

    Parameters
    ----------
    yes, n
        Reports yes, and all reports; of several samples of one population sequences of them.
    design
        A design, a mechanism, a two-by-two channel ``[answer][report]``, or a design's name
        such as ``"two-coin"``; of several samples one for all, or one a sample.

    Returns
    -------
    ShareEstimate | LikelihoodShare
        The share; of samples with several designs the likeliest share given all of them.

    Examples
    --------
    >>> from tossup.shared.mechanisms import TwoCoin
    >>> print(estimate(yes=322, n=1290, design=TwoCoin()))
    -0.0008 (-0.0465 to 0.0479, 95 % score interval, n = 1290)
    >>> born = ["crosswise p=1/4", "crosswise p=2/5"]  # two innocent questions
    >>> print(estimate(yes=[320, 280], n=[500, 500], design=born))
    share: 0.2174 (0.1410 to 0.2972, 95 % score interval, n = 1000)

    Raises
    ------
    EstimationError
        If ``yes`` is above ``n``, there are no reports, or the design is no yes/no design.
    """
    several = one_a_row(design)
    if several is None and not _is_several(yes) and not _is_several(n):
        return _of_yes(yes, n, design)
    designs, (named, sizes) = _each(several, design, yes, n)
    return _pooled([_of_yes(*sample) for sample in zip(named, sizes, designs, strict=True)])


def _of_yes(yes: Any, n: Any, design: Any) -> ShareEstimate:
    """Return the share of one sample; what was given is checked here."""
    named, size = whole(yes, "yes"), whole(n, "n")
    if named > size:
        raise EstimationError(f"yes ({named}) must not be above n ({size})")
    known = design_of(design)
    if [len(row) for row in known.rows] != [2, 2]:
        raise EstimationError(
            f"{known.name} is no yes/no design; give the counts of all its reports to"
            " estimate_counts"
        )
    return ShareEstimate((size - named, named), known.rows, known.name)


def estimate_counts(
    counts: Counts | Iterable[Counts], design: AnyDesign | Iterable[AnyDesign]
) -> Found:
    """Return what the counts of all reports of a design tell.

    Parameters
    ----------
    counts
        How many reports of each kind, from report 0 on. For a mechanism its tally. Of several
        samples of one population a sequence of such counts.
    design
        A design, a mechanism, a channel ``[answer][report]``, or a design's name. Of several
        samples one a sample, each of two answers.

    Returns
    -------
    ShareEstimate | LikelihoodShare | SharesEstimate | SeveralEstimate | StatementsEstimate
    | JointEstimate
        For two answers the likeliest share of yes; for more the shares of all, as
        `JointEstimate` where a report is not equally likely under all the answers that it does
        not name. Where people tick several options, or say which of two statements are true, the
        share of each.

    Raises
    ------
    EstimationError
        If counts are not one a kind of report, are all 0, or the design tells nothing of shares.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import kuk
    >>> cards = kuk(yes="3/4", no="7/20", draws=5)
    >>> print(estimate_counts((50, 150, 190, 200, 205, 105), cards))
    share: 0.5006 (0.4552 to 0.5459, 95 % score interval, n = 900)
    """
    several = one_a_row(design)
    if several is not None:
        return _pooled([_of_two(*part) for part in _paired(counts, several)])
    return _of_counts(whole_counts(counts), design)  # type: ignore[arg-type]  # checked there


def _of_counts(tally: tuple[int, ...], design: AnyDesign) -> Found:
    """Return what a tally tells: of a mechanism as it counts, of a design by its channel."""
    if is_mechanism(design):
        if design.readout == "points":
            raise EstimationError(
                "reports of an order tell mean points of its options, and no shares; use"
                " estimate_points"
            )
        readout = _READOUTS.get(design.readout)
        if design.readout == "named" and design.names_each:
            readout = estimate_shares
        if readout:
            return readout(tally, design)
    return _of_channel(tally, design_of(design), design)


#: What reads a tally that is no counts of the columns of a channel: see `Mechanism.readout`.
_READOUTS: Final[Mapping[str, Callable[..., Found]]] = {
    "asked": estimate_several,
    "samples": estimate_statements,
}


def _of_channel(tally: tuple[int, ...], known: Design, design: AnyDesign) -> Found:
    answers, kinds = len(known.rows), len(known.rows[0])
    if len(tally) != kinds:
        raise EstimationError(
            f"{known.name} has {kinds} kinds of reports, so counts must have as many values, not"
            f" {len(tally)}"
        )
    if answers == 2:
        return _of_two_answers(tally, known)
    try:
        return estimate_shares(tally, design if is_mechanism(design) else known)
    except EstimationError:
        return estimate_joint(list(tally), [known])


def _of_two_answers(counts: tuple[int, ...], known: Design) -> ShareEstimate | LikelihoodShare:
    """Return the share of yes, from reports yes and no, numbers of red cards, or other kinds."""
    if len(counts) == 2:
        return estimate(yes=counts[1], n=sum(counts), design=known)
    return LikelihoodShare(((counts, known),))


def _of_two(counts: Counts, design: AnyDesign) -> ShareEstimate | LikelihoodShare:
    """Return the share of yes of one of several samples."""
    found = estimate_counts(counts, design)
    if not isinstance(found, ShareEstimate | LikelihoodShare):
        raise EstimationError("samples of several designs are pooled for questions of two answers")
    return found


def _pooled(samples: Sequence[ShareEstimate | LikelihoodShare]) -> ShareEstimate | LikelihoodShare:
    """Return the share that samples of one population tell together."""
    parts = joined(part for sample in samples for part in sample.observed)
    if len(parts) == 1:
        return _of_two_answers(*parts[0])
    return LikelihoodShare(parts)


def _is_several(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


def _each(
    several: list[AnyDesign] | None, design: object, *columns: object
) -> tuple[list[AnyDesign], list[tuple[int, ...]]]:
    """Return a design a sample, and columns of counts as long."""
    counts = [whole_counts(column) for column in columns]  # type: ignore[arg-type]  # checked there
    designs = [design] * len(counts[0]) if several is None else several
    if len({len(designs), *map(len, counts)}) != 1 or not designs:
        raise EstimationError("give yes, n and designs of equally many samples, of one or more")
    return designs, counts  # type: ignore[return-value]  # `design_of` checks each


def _paired(counts: object, designs: list[AnyDesign]) -> Iterable[tuple[Counts, AnyDesign]]:
    if not _is_several(counts) or len(listed := list(counts)) != len(designs):  # type: ignore[call-overload]
        raise EstimationError(f"give counts of each of {len(designs)} designs")
    return zip(listed, designs, strict=True)
