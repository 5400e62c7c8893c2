"""Which mechanism several of k options are asked with: the one of least variance, and why.

Stage: authoring, before any answer. What is compared is the largest variance that the share of an
option can have, whatever it is, at equal odds of the whole answer; respondents count as a random
sample of a population.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tossup.server.kinds.choosing import named
from tossup.server.kinds.choosing import paper as paper_designs
from tossup.server.kinds.choosing.named import Candidate, Decision
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms import SetMechanism, UnrelatedQuestion
from tossup.shared.mechanisms.several.base import check_several


def choose(odds: Fraction, options: int, most: int) -> Decision[SetMechanism]:
    """Return the mechanism of least variance for several options at these odds.

    Parameters
    ----------
    odds
        What a whole answer may cost.
    options, most
        Number of options, and of those that one may tick at most.

    Examples
    --------
    >>> choose(Fraction(3), 8, 8).chosen.mechanism
    SampledOptions(options=8, most=8, asked=1, keep=3, lie=1)
    >>> choose(Fraction(9), 8, 1).chosen.mechanism
    PerOptionBits(options=8, most=1, hit=3, miss=1, total=4)

    Raises
    ------
    MechanismError
        If no mechanism fits.
    """
    check_several(options, most, "a question with several answers")
    candidates = sorted(_candidates(odds, options, most), key=lambda each: each.variance)
    if not candidates:
        raise MechanismError(
            f"no mechanism has odds {brief(odds)} for several of {options} options with weights"
            " of at most 2**32; ask with simpler odds, such as 3 or 5/2"
        )
    reason = (
        f"{candidates[0].name} has the least variance at these odds; n times the variance of an"
        " option's share where it is largest"
    )
    return Decision(candidates[0], tuple(candidates), reason)


def for_several(
    options: int,
    most: int,
    odds: Fraction | Decimal,
    part: Mapping[str, Any],
) -> SetMechanism:
    """Return the mechanism that a table names, or the best, with these odds or epsilon at most.

    Raises
    ------
    MechanismError
        If the name is none of these, or nothing fits.
    """
    if part.get("mechanism") in (None, "auto"):
        asked = named.odds_asked(SetMechanism.odds_within, odds, options, part)
        return choose(asked, options, most).chosen.mechanism
    made = named.make("several", odds, options, {**part, "most": most}, "several answers")
    if not isinstance(made, SetMechanism):
        raise TypeError(f"{made.name} is not for several answers")
    return made


def what_it_costs(mechanism: UnrelatedQuestion) -> str:
    r"""Return how many more people an unrelated question needs than what asks none, in few words.

    Of each design the share is the one of most variance.

    >>> print(*what_it_costs(UnrelatedQuestion(7, 3, 5)).split(", "), sep="\n")
    it needs 7.25 times as many people as yes/no coins for one statement alone at these odds
    and 3.625 times as many as sampled-options for both
    """
    variance, odds = mechanism.worst_variance, mechanism.odds
    alone = variance / paper_designs.least_variance(odds)
    best = choose(odds, mechanism.options, mechanism.most).chosen
    return (
        f"it needs {float(alone):.4g} times as many people as yes/no coins for one statement alone"
        f" at these odds, and {float(variance / best.variance):.4g} times as many as {best.name}"
        " for both"
    )


def _candidates(odds: Fraction, options: int, most: int) -> list[Candidate[SetMechanism]]:
    found = []
    for name, kind in named.compared("several").items():
        try:
            made = kind.from_file({"most": most}, odds, options)
        except MechanismError:  # its weights do not fit
            continue
        if isinstance(made, SetMechanism):
            found.append(Candidate(name, made, made.worst_variance))
    return found
