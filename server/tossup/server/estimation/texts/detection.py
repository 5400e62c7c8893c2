"""How common a text must be to be found."""

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Final

from tossup.server.estimation.texts.search import FALSE_PREFIXES, cut, most_prefixes, skewed
from tossup.server.estimation.texts.sketch import skewness_of
from tossup.shared.mechanisms import PrefixExtending

#: With this chance a text as common as stated is found.
CHANCE: Final = 0.95
_STEPS: Final = 40

_NORMAL: Final = NormalDist()


def smallest_found(
    reports: Sequence[float],
    design: PrefixExtending,
    confidence: float = 0.95,
    errors: Sequence[float] | None = None,
    candidates: int | None = None,
) -> float | None:
    """Return the smallest share of a text that is found with 95 % chance.

    Parameters
    ----------
    reports
        Reports of each level.
    design
        The mechanism.
    confidence
        That of all intervals together: a text is found if its own lies above 0.
    errors
        The standard error of a prefix that nobody has, for each level, as seen in reports; by
        default as of coins alone, where no text but the one in question is common.
    candidates
        How many texts have joint intervals; by default as many as could be as common, and those
        that come up by chance.

    Returns
    -------
    float or None
        By normal approximation, for a text with whose prefixes no other begins, where as many
        others are as common as can be. None if no text is found so surely.
    """
    if not all(reports):
        return None
    of_none = errors or [_standard_error(0.0, n, design) for n in reports]
    if chance_to_find(1.0, reports, design, confidence, of_none, candidates=candidates) < CHANCE:
        return None
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if (
            chance_to_find(middle, reports, design, confidence, of_none, candidates=candidates)
            < CHANCE
        ):
            low = middle
        else:
            high = middle
    return high


def chance_to_find(
    share: float,
    reports: Sequence[float],
    design: PrefixExtending,
    confidence: float,
    errors: Sequence[float],
    *,
    candidates: int | None = None,
) -> float:
    """Return how likely a text of some share passes the cut of every level, and the last."""
    if share <= 0:
        return 0.0
    chance = 1.0
    common = FALSE_PREFIXES + 1 / share
    for level, n in enumerate(reports):
        if level < design.levels - 1:
            prefixes = min(common, most_prefixes(design, level)) if level else 1
            extensions = int(prefixes * _blocks(design, level))
            threshold = cut(extensions, skewness_of(n, _chance_of_none(design)))
        else:
            threshold = _joint(n, design, confidence, max(1.0, candidates or common))
        chance *= _passes(share, n, design, threshold * errors[level], errors[level])
    return chance


def _joint(n: float, design: PrefixExtending, confidence: float, among: float) -> float:
    """Return how many standard errors from 0 a joint interval lies above 0."""
    named = _chance_of_none(design)
    quantile = -_NORMAL.inv_cdf((1 - confidence) / (2 * among))
    # Exact intervals of few reports are wider: by the skewness, and by half a report.
    return skewed(quantile, skewness_of(n, named)) + 0.5 / sqrt(n * named * (1 - named))


def reports_needed(share: float, design: PrefixExtending, confidence: float = 0.95) -> int:
    """Return with how many reports, spread over the levels, a text of some share is found.

    >>> from tossup.shared.mechanisms import HadamardResponse
    >>> reports_needed(0.2, PrefixExtending(26, (3,), rows=4, oracle=HadamardResponse(127)))
    5160
    """
    low, high = 0, 1
    while not _suffice(high, share, design, confidence):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _suffice(middle, share, design, confidence):
            high = middle
        else:
            low = middle
    return high


def text_variance(design: PrefixExtending, share: Fraction) -> Fraction:
    """Return n times the variance of a text's share, exact, without collisions of common texts.

    Of n reports those of the last level count. A report of someone without the text names its
    bucket with probability q, or with p where another text is in the same bucket by chance.

    Parameters
    ----------
    share
        The true share of the text, in [0, 1].
    """
    q, p = design.oracle.rates
    without = q + (p - q) / design.buckets
    named = without + share * (p - without)
    return design.levels * named * (1 - named) / (p - without) ** 2


def largest_text_variance(design: PrefixExtending) -> Fraction:
    """Return n times the variance of a text's share where it is largest: named by every second.

    Or by as near to every second report as any share of the text makes it.
    """
    q, p = design.oracle.rates
    without = q + (p - q) / design.buckets
    nearest = (Fraction(1, 2) - without) / (p - without)
    return text_variance(design, min(max(nearest, Fraction(0)), Fraction(1)))


def joint_quantile(margin: float, confidence: float = 0.95) -> float:
    """Return the half-width, in standard errors, of the joint intervals of texts of some share.

    By Bonferroni over all that could be as common as the margin, and those that come up by chance.
    """
    return -_NORMAL.inv_cdf((1 - confidence) / (2 * (FALSE_PREFIXES + 1 / margin)))


def _suffice(n: int, share: float, design: PrefixExtending, confidence: float) -> bool:
    levels = [n / design.levels] * design.levels
    errors = [_standard_error(0.0, level, design) for level in levels]
    return chance_to_find(share, levels, design, confidence, errors) >= CHANCE


def _blocks(design: PrefixExtending, level: int) -> int:
    """Return how many blocks a level may add: of each length up to its step."""
    return int(sum(design.characters**length for length in range(design.step(level) + 1)))


def _passes(share: float, n: float, design: PrefixExtending, least: float, none: float) -> float:
    """Return how likely the estimate of a share is above ``least``.

    ``none`` is the standard error of a share of 0, to which having the text adds its own part.
    """
    own, other = (_standard_error(each, n, design) for each in (share, 0.0))
    some = sqrt(max(none**2 + own**2 - other**2, 0.0))
    return _NORMAL.cdf((share - least) / some) if some else float(share > least)


def _standard_error(share: float, n: float, design: PrefixExtending) -> float:
    """Return the standard error of an estimated share, without collisions of common texts."""
    p, without = float(design.oracle.rates[1]), _chance_of_none(design)
    named = without + share * (p - without)
    return sqrt(named * (1 - named) / n) / (p - without)


def _chance_of_none(design: PrefixExtending) -> float:
    """Return how likely a report supports the bucket of a text that nobody has."""
    q, p = (float(rate) for rate in design.oracle.rates)
    return q + (p - q) / design.buckets
