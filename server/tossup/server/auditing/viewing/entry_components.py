"""How a component of a report is distributed where components are independent of each other.

For any mechanism for vectors that has exact probabilities. If components are independent, a
component by itself is distributed as it is beside any values of the others. That they are is
checked, at some reports: exchanging a component of two reports leaves the product of their
probabilities as it was.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from tossup.server.auditing.events import Chances
from tossup.server.auditing.viewing.marginals import Marginals
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import EntryLaplace, VectorMechanism
from tossup.shared.mechanisms.digits import from_digits
from tossup.shared.mechanisms.vectors.entry_laplace import DIGITS

#: Probabilities that are asked one by one.
_MAX_LEVELS: Final = 1 << 16


def of_entries(mechanism: VectorMechanism) -> Marginals:
    """Return the probabilities of digits, from those of reports that differ in one.

    Raises
    ------
    MechanismError
        If there are too many digits to ask the probability of each, components depend on each
        other, or opposite answers are no mirror images.
    """
    if mechanism.levels > _MAX_LEVELS:
        raise MechanismError(
            f"{mechanism.name} cannot be audited: its components have {mechanism.levels} levels,"
            f" at most {_MAX_LEVELS}"
        )
    radius = mechanism.radius
    plus, none, minus = (_chances(mechanism, size) for size in (radius, 0, -radius))
    mirrored = np.allclose(plus, minus[::-1], rtol=1e-9, atol=0)
    if not mirrored or not all(_exchanges(mechanism)):
        raise MechanismError(f"this version has no audit for {mechanism.name}; upgrade tossup")
    up = none[mechanism.levels // 2 + mechanism.levels % 2 :].sum()
    return Marginals(plus, none, both_up=float(up * up), error=1e-12)


def of_decay(mechanism: EntryLaplace) -> Marginals:
    """Return the probabilities of digits under noise that decays by one ratio, in closed form."""
    logarithm = np.log1p(-float(Fraction((1 << DIGITS) - mechanism.fall, 1 << DIGITS)))
    sizes = np.exp(logarithm * np.arange(mechanism.window + 1))
    total = 2 * sizes.sum() - 1
    other = np.concatenate([sizes[:0:-1], sizes]) / total
    up = float(sizes[1:].sum() / total)
    return Marginals(np.roll(other, mechanism.radius), other, both_up=up * up, error=1e-12)


def _answer(mechanism: VectorMechanism, first: int) -> int:
    """Return the answer whose first component has this size, and all others are 0."""
    digits = [first + mechanism.radius, *[mechanism.radius] * (mechanism.dimension - 1)]
    return from_digits(digits, 2 * mechanism.radius + 1)


def _chances(mechanism: VectorMechanism, first: int) -> Chances:
    """Return the probabilities of the first digit beside middle ones, which sum to 1."""
    answer, levels = _answer(mechanism, first), mechanism.levels
    others = [levels // 2] * (mechanism.dimension - 1)
    found = np.array([_chance(mechanism, answer, [digit, *others]) for digit in range(levels)])
    shares: Chances = found / found.sum()
    return shares


def _chance(mechanism: VectorMechanism, answer: int, digits: Sequence[int]) -> float:
    return float(mechanism.probability(answer, from_digits(digits, mechanism.levels)))


def _exchanges(mechanism: VectorMechanism) -> Iterator[bool]:
    """Yield whether products stay the same when two reports exchange their first digits."""
    dimension, levels = mechanism.dimension, mechanism.levels
    places = [0, levels // 3, levels // 2, levels - 1]
    for size in (0, mechanism.radius):
        answer = _answer(mechanism, size)
        for one in places:
            for other in places:
                low, high = [one] * dimension, [other] * dimension
                crossed = [other, *low[1:]], [one, *high[1:]]
                kept, exchanged = (
                    _chance(mechanism, answer, first) * _chance(mechanism, answer, second)
                    for first, second in ((low, high), crossed)
                )
                yield bool(np.isclose(kept, exchanged, rtol=1e-9, atol=0))
