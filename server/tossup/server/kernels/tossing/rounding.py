"""Random rounding in bulk: between points, up or down as `tossup.shared.kinds.number` says."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Final

import numpy as np

from tossup.server.kernels.base import Indexes
from tossup.server.kernels.tossing.draws import uniform_below

_WORD: Final = 1 << 32
#: A fraction is compared with a uniform number in so many words, so it is exact to 2**-128.
_WORDS: Final = 4


def rounded(places: Sequence[Fraction], held: Indexes) -> Indexes:
    """Return a point for each respondent: the lower or the upper one next to their place.

    Parameters
    ----------
    places
        The places that occur, in steps.
    held
        Which of these each respondent holds.
    """
    lower = np.array([floor(place) for place in places], dtype=np.int64)
    digits = np.array([_digits(place - floor(place)) for place in places], dtype=np.int64)
    up = np.zeros(len(held), dtype=np.bool_)
    open_ = np.arange(len(held))
    for word in range(_WORDS):
        # Nearly always the first word tells; where it is the place's own, the next one does.
        drawn, own = uniform_below(_WORD, len(open_)), digits[held[open_], word]
        up[open_] = drawn < own
        open_ = open_[drawn == own]
        if not len(open_):
            break
    return lower[held] + up


def _digits(part: Fraction) -> list[int]:
    """Return the first digits of a number of [0, 1) in base 2**32."""
    whole = floor(part * _WORD**_WORDS)
    return [whole // _WORD**place % _WORD for place in reversed(range(_WORDS))]
