"""One number of a result, with what one must know of it: a row of every table and picture."""

from dataclasses import dataclass

from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.telling.wording import (
    decimals,
    figure,
    percentage,
    probability,
    span,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One number of a result.

    Attributes
    ----------
    name
        What it is.
    value
        The raw estimate.
    stderr
        Its standard error, if it has one.
    interval
        Around it, if it has one.
    n
        Reports it rests on, where lines of one result differ in that.
    p_value
        Two-sided, of "it is 0".
    is_share
        Whether it is a share, which a strip from 0 to 100 % can show.
    decimals
        How many to write it with; as its error asks for, if None.
    """

    name: str
    value: float
    stderr: float | None = None
    interval: Interval | None = None
    n: int | None = None
    p_value: float | None = None
    is_share: bool = False
    decimals: int | None = None

    @property
    def places(self) -> int:
        """How many decimals tell it."""
        return decimals(self.value, self.stderr) if self.decimals is None else self.decimals

    def apa(self) -> str:
        """Return it as a paper's text prints it."""
        parts = [f"{self.name} = {figure(self.value, self.places)}"]
        if self.stderr is not None:
            parts.append(f"SE = {figure(self.stderr, self.places)}")
        if self.interval is not None:
            confidence = percentage(self.interval.confidence).replace(" ", "")
            parts.append(f"{confidence} CI [{span(self.interval, self.places, ', ')}]")
        if self.p_value is not None:
            parts.append(probability(self.p_value))
        if self.n is not None:
            parts.append(f"n = {self.n:,}")
        return ", ".join(parts)
