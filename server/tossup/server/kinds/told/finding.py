"""What a question's reports say first: one estimate, which a page's largest figure shows.

And how to get it again elsewhere.
"""

from dataclasses import dataclass
from typing import Literal

from tossup.server.estimation import Interval

#: How a page draws a finding beside its figure: a field of a hundred coins, coins stacked at
#: equally likely values, or not at all, where a table has a strip for every estimate.
Picture = Literal["field", "stack", ""]


@dataclass(frozen=True, slots=True)
class Finding:
    """One estimate with its interval and n.

    Attributes
    ----------
    answer
        What it is of: an option's id or a text; empty for yes and for a mean.
    value
        The raw estimate, in ``unit``: shares and mean points are from 0 to 1.
    interval
        The raw interval.
    possible
        The interval for words: within ``bounds``, if any of it is.
    n
        Reports it rests on.
    unit
        Of a share of people, of mean points, or of the question's own numbers.
    picture
        How it is drawn.
    bounds
        The least and the largest value that can be.
    among
        Of how many estimates it is the largest. Both intervals hold together with those of all
        others (Bonferroni), so that whichever is picked, its interval misses no more often.
    """

    answer: str
    value: float
    interval: Interval
    possible: Interval
    n: int
    unit: Literal["share", "points", "number"] = "share"
    picture: Picture = ""
    bounds: tuple[float, float] = (0.0, 1.0)
    among: int = 1

    @property
    def may_be_nobody(self) -> bool:
        """Whether a share's interval reaches 0."""
        return self.unit == "share" and self.may_be_least

    @property
    def may_be_everybody(self) -> bool:
        """Whether a share's interval reaches 1."""
        return self.unit == "share" and self.may_be_most

    @property
    def may_be_least(self) -> bool:
        """Whether the interval reaches the least value that can be."""
        return self.possible.low <= self.bounds[0] < self.possible.high

    @property
    def may_be_most(self) -> bool:
        """Whether the interval reaches the largest value that can be."""
        return self.possible.low < self.bounds[1] <= self.possible.high


@dataclass(frozen=True, slots=True)
class Reproduced:
    """How to get a finding again.

    Attributes
    ----------
    methods
        A paragraph for a methods section, in English.
    python, r
        Lines that print the estimate and its interval; empty where there are none.
    """

    methods: str
    python: str = ""
    r: str = ""
