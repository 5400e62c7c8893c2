"""How many reports an estimate needs before it says enough to be shown.

Stage: authoring, before any answer, and results, before any estimate.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import ceil
from typing import Final

from tossup.server.kinds import kind_for
from tossup.server.kinds.base import needed
from tossup.shared.mechanisms import Mechanism

__all__ = ["FEWEST_REPORTS", "minimum_batch", "minimum_of", "needed"]

FEWEST_REPORTS: Final = 30


def minimum_batch(mechanisms: Iterable[Mechanism]) -> int:
    """Return the smallest n at which 95 % intervals are at most 20 points either way.

    For shares, the widest interval over all true shares counts. For a number, only the interval of
    its mean counts, with the declared range as 100 points: variance, quantiles and histogram need
    more reports, and results leave them out where they say nothing. Where a report asks some of
    several options, each option needs as many reports that ask it. For a vector, each component
    counts, with a range of twice the norm. For texts that nobody listed, a text that 20 % have
    must be found with 95 % chance. The number is never below 30.

    >>> from tossup.shared.mechanisms import TwoCoin
    >>> minimum_batch([TwoCoin()])
    97
    """
    return max([FEWEST_REPORTS, *(_reports_needed(mechanism) for mechanism in mechanisms)])


def minimum_of(mechanism: Mechanism) -> int:
    """Return the smallest number of reports that an estimate of a question must rest on.

    As `minimum_batch`, but of the reports that tell about what is estimated: where a report asks
    one of eight options, of those that ask the option; of a text, of those of the last level.

    >>> from tossup.shared.mechanisms import TwoCoin
    >>> minimum_of(TwoCoin())
    97
    """
    behind = _reports_needed(mechanism) * mechanism.share_behind
    return max(FEWEST_REPORTS, ceil(behind))


@lru_cache(maxsize=256)
def _reports_needed(mechanism: Mechanism) -> int:
    return kind_for(mechanism).reports_needed(mechanism)
