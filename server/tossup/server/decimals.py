"""How many decimals tell a number that has an interval: fewer would show both ends as one.

Stage: whatever people read, on pages, in terminals and in summaries. JSON and CSV have every digit.
"""

from math import floor, inf, log10


def decimals_within(width: float, digits: int = 2) -> int:
    """Return the decimals that tell the first digits of an interval's width.

    Parameters
    ----------
    width
        Of the interval, in the unit in which the number is written. What has none, or no bounds,
        asks for no decimals.
    digits
        How many digits of the width are told.

    >>> decimals_within(12.0), decimals_within(0.55), decimals_within(0.0004)
    (0, 2, 5)
    """
    return max(0, digits - 1 - floor(log10(width))) if 0 < width < inf else 0
