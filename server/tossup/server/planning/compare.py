"""A share asked both ways: randomized on the device, or true and then noised by a curator.

The local design is symmetric randomized response (two coins at odds of 3); the central ones
promise the same epsilon. Margins are half-widths at a confidence: of these respondents' share the
noise alone, of the population's share sampling too, at the share of one half where it is widest.
Normal approximations, but for the noise alone of a curator, whose quantiles are exact.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from statistics import NormalDist
from typing import Final

from tossup.server.planning.curator import central
from tossup.server.planning.errors import PlanningError, count, odds_above_one, probability
from tossup.shared.odds import epsilon

#: Whom a local design trusts.
NOBODY: Final = "nobody but the device"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to learn a share.

    Attributes
    ----------
    model
        ``local`` or ``central``.
    mechanism
        Its name.
    delta
        Of the promise.
    margin_respondents, margin_population
        Half-widths of the interval for these respondents' share, and for the population's.
    respondents
        How many it needs for the local design's margin for the population.
    trusts
        Whom it trusts.
    """

    model: str
    mechanism: str
    delta: float
    margin_respondents: float
    margin_population: float
    respondents: int
    trusts: str

    def to_json(self) -> dict[str, object]:
        """Return it as plain JSON types."""
        return {name: getattr(self, name) for name in self.__slots__}


def compare(
    odds: Fraction, n: int, delta: float = 0.0, confidence: float = 0.95
) -> tuple[Way, ...]:
    """Return the local way, then every central one of the same epsilon.

    Parameters
    ----------
    odds
        Of the local design, above 1.
    n
        How many respondents.
    delta
        What the central ways may add; in [0, 1).
    confidence
        Of the margins, in (0, 1).

    Raises
    ------
    PlanningError
        If an argument is outside its range.
    """
    z = _quantile(confidence)
    own = local(odds, n, confidence)
    margin = own.margin_population
    ways = central.answer(central.share(n), _epsilon(odds), delta, 1 - confidence)
    return (own, *(_central(way, n, z, margin) for way in ways))


def local(odds: Fraction, n: int, confidence: float = 0.95) -> Way:
    """Return the local way alone.

    With odds o its standard deviation is sqrt(o / n) / (o - 1) around these respondents' share and
    (o + 1) / (o - 1) / sqrt(4 n) around the population's.
    """
    odds = odds_above_one(odds)
    z, o = _quantile(confidence), float(odds)
    noise = z * sqrt(o / count(n, "n")) / (o - 1)
    whole = z * (o + 1) / (o - 1) / sqrt(4 * n)
    name = "two coins" if odds == 3 else "randomized response"
    return Way("local", name, 0.0, noise, whole, n, NOBODY)


def design_effect(odds: Fraction, share: float) -> float:
    """Return how many randomized answers tell as much as one direct answer.

    Of symmetric coins, by their odds alone: 1 + odds / (odds - 1)**2 / (share (1 - share)), for
    two coins 1 + (3/4) / (share (1 - share)). `sample_size.design_effect` takes any design, and
    loads numpy for it.

    >>> round(design_effect(Fraction(3), 0.2), 2)
    5.69
    """
    odds = odds_above_one(odds)
    probability(share, "share")
    return 1 + float(odds / (odds - 1) ** 2) / (share * (1 - share))


def _central(way: central.CentralAnswer, n: int, z: float, margin: float) -> Way:
    if way.standard_deviation is None:
        raise PlanningError(f"{way.mechanism} gives no share")
    spread = sqrt(0.25 / n + way.standard_deviation**2)
    needed = _fewest(way.standard_deviation * n, z, margin)
    return Way("central", way.mechanism, way.delta, way.error, z * spread, needed, central.TRUSTS)


def _fewest(noise: float, z: float, margin: float) -> int:
    """Return the least n with z sqrt(1 / (4 n) + noise**2 / n**2) <= margin."""
    half = z**2 / 4
    return max(1, ceil((half + sqrt(half**2 + 4 * (margin * z * noise) ** 2)) / (2 * margin**2)))


def _quantile(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + probability(confidence, "confidence")) / 2)


def _epsilon(odds: Fraction) -> float:
    """Return ln(odds) rounded up; a curator's promise is then at most a hair weaker."""
    return float(epsilon(odds, 15))
