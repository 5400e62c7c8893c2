"""One entry of the ledger."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Entry:
    """One answered question: publisher, topic, odds, and the chance for which they may fail.

    ``wave`` is the wave of a survey that asks in waves, from 1, and 0 for all others. What was
    tossed before and is only reported again costs nothing: odds of 1.
    """

    publisher: str
    topic: str
    survey: str
    manifest: str
    question: str
    odds: Fraction
    delta: Fraction = Fraction(0)
    wave: int = 0
