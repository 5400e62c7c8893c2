"""Designs known from paper, as survey files name them: each becomes one yes/no table.

Stage: authoring, before any answer. On paper dice, spinners and innocent questions are the coins;
a device has coins of its own, so that only what they decide is left: how likely yes is reported
without and with the answer. What a file may give is what papers give. Beside it stands what a table
costs: how many more people it needs than the best one with the same odds.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import KeyForm
from tossup.shared.mechanisms.binary.randomized_response import (
    CROSSWISE,
    FORCED_RESPONSE,
    UNRELATED_QUESTION,
    WARNER,
    RandomizedResponse,
)

UNRELATED: Final = UNRELATED_QUESTION.name


def largest_variance(column: Sequence[Fraction]) -> Fraction:
    """Return n times the largest variance of a share estimated from one report's fraction.

    Parameters
    ----------
    column
        How likely each answer gives this report.

    Examples
    --------
    >>> largest_variance([Fraction(1, 4), Fraction(3, 4)])
    Fraction(1, 1)
    """
    lowest, highest = min(column), max(column)
    fraction = min(max(Fraction(1, 2), lowest), highest)
    return fraction * (1 - fraction) / (highest - lowest) ** 2


def people(design: RandomizedResponse) -> Fraction:
    """Return how many times the people it needs, against the best table with the same odds.

    For both the share is the one of most variance. The best has odds / (1 + odds) on both sides.

    >>> people(make("unrelated-question", {"prevalence": Fraction(1, 4)}, Fraction(3)))
    Fraction(9, 4)
    """
    return _variance(design) / least_variance(design.odds)


def least_variance(odds: Fraction) -> Fraction:
    """Return n times the largest variance of a share, by the best yes/no table with these odds.

    >>> least_variance(Fraction(3))
    Fraction(1, 1)
    """
    return _variance(RandomizedResponse.warner(odds / (1 + odds)))


def what_it_costs(design: RandomizedResponse) -> str:
    """Return what its table is, and how many more people it needs than the best, in a few words.

    >>> what_it_costs(make("warner", {}, Fraction(3))).partition("; ")[0]
    'of a yes it sends yes with probability 3/4, of a no with 1/4'
    >>> what_it_costs(make("unrelated-question", {"prevalence": Fraction(1, 4)}, Fraction(3)))[-36:]
    'best yes/no coins with the same odds'
    """
    of_no, of_yes = (row[1] for row in design.channel())
    times = people(design)
    price = (
        "no yes/no coins with the same odds need fewer people"
        if times == 1
        else f"it needs {float(times):.2f} times as many people as the best yes/no coins with the"
        " same odds"
    )
    return f"of a yes it sends yes with probability {of_yes}, of a no with {of_no}; {price}"


def _variance(design: RandomizedResponse) -> Fraction:
    return largest_variance([row[1] for row in design.channel()])


def _warner(part: Mapping[str, Any], odds: Fraction | None) -> RandomizedResponse:
    return RandomizedResponse.warner(_given(part, "selected", odds and Fraction(odds, 1 + odds)))


def _forced_response(part: Mapping[str, Any], odds: Fraction | None) -> RandomizedResponse:
    forced = part.get("forced", odds and [Fraction(1, 1 + odds)] * 2)
    if forced is None or len(forced) != 2:
        raise MechanismError('takes odds, or forced = ["1/6", "1/6"]: a forced yes, a forced no')
    return RandomizedResponse.forced_response(*forced)


def _crosswise(part: Mapping[str, Any], odds: Fraction | None) -> RandomizedResponse:
    return RandomizedResponse.crosswise(
        _given(part, "prevalence", odds and Fraction(odds, 1 + odds))
    )


def _unrelated_question(part: Mapping[str, Any], odds: Fraction | None) -> RandomizedResponse:
    prevalence = part.get("prevalence")
    if prevalence is None:
        raise MechanismError(
            'mechanism unrelated-question takes prevalence, such as prevalence = "1/4": the share'
            " of yes to the innocent question, for which the device tosses a coin. One that"
            " respondents answer, so that its share is unknown, is refused on a device as papers"
            " have it: who knows the answer to it learns the sensitive one from some reports for"
            " certain, so no odds hold. With forced answers they do: ask for both statements,"
            " answers = { several = [...] } with the two. Data collected on paper are estimated by"
            " tossup.server.estimation.unrelated_unknown"
        )
    rare = min(prevalence, 1 - prevalence)
    selected = _given(part, "selected", odds and 1 - Fraction(1, 1 + (odds - 1) * rare))
    return RandomizedResponse.unrelated_question(selected, prevalence)


class _Taken(NamedTuple):
    """Keys that a design takes, the first instead of odds; and its maker."""

    keys: Mapping[str, KeyForm]
    make: Callable[[Mapping[str, Any], Fraction | None], RandomizedResponse]


_TAKEN: Final[Mapping[str, _Taken]] = {
    WARNER.name: _Taken({"selected": "ratio"}, _warner),
    FORCED_RESPONSE.name: _Taken({"forced": "ratios"}, _forced_response),
    CROSSWISE.name: _Taken({"prevalence": "ratio"}, _crosswise),
    UNRELATED: _Taken({"selected": "ratio", "prevalence": "ratio"}, _unrelated_question),
}

#: The designs as survey files name them, and the keys that each takes.
NAMES: Final = tuple(_TAKEN)
KEYS: Final = {name: taken.keys for name, taken in _TAKEN.items()}


def instead_of_odds(name: str) -> str:
    """Return the key of a design that says the same as odds."""
    return next(iter(KEYS[name]))


def make(name: str, part: Mapping[str, Any], odds: Fraction | None) -> RandomizedResponse:
    """Return the table of a design from paper.

    Parameters
    ----------
    name
        One of `NAMES`.
    part
        The question's table. ``selected`` is how likely the sensitive question is the one that
        is asked, ``forced`` are the probabilities of a forced yes and a forced no, and
        ``prevalence`` is the share of yes to the innocent question. All are exact ratios.
    odds
        The odds asked, which it then has exactly; None if the file asks for none. Without odds
        and what stands for them they are 3.

    Raises
    ------
    MechanismError
        If a part is missing, is no probability between 0 and 1, or is given with odds.

    References
    ----------
    At the constructors of `RandomizedResponse`.

    Examples
    --------
    >>> make("unrelated-question", {"prevalence": Fraction(1, 4)}, Fraction(3)).spec()["weights"]
    [[5, 1], [3, 3]]
    >>> make("warner", {"selected": Fraction(3, 4)}, None).odds
    Fraction(3, 1)
    """
    _check(name, part, odds)
    asked = Fraction(3) if odds is None and instead_of_odds(name) not in part else odds
    return _TAKEN[name].make(part, asked)


def _check(name: str, part: Mapping[str, Any], odds: Fraction | None) -> None:
    if "weights" in part:
        raise MechanismError(f"mechanism {name} takes no weights; they follow")
    instead = instead_of_odds(name)
    if odds is not None and instead in part:
        raise MechanismError(f"mechanism {name} takes odds, epsilon or {instead}: one")
    forced = part.get("forced", ())
    given = [part.get("selected"), part.get("prevalence"), *forced, sum(forced) or None]
    if any(each is not None and not 0 < each < 1 for each in given):
        raise MechanismError(
            f"selected, prevalence and forced of {name} are probabilities, above 0 and below 1"
            " (forced together, too)"
        )


def _given(part: Mapping[str, Any], key: str, otherwise: Fraction | None) -> Fraction:
    """Return what the table has under a key, or what the odds make of it."""
    value: Fraction = part.get(key, otherwise)
    return value
