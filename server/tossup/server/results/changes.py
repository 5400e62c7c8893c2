"""Change from wave to wave, where a survey asks again."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tossup.server.estimation.comparing.change import Change, change
from tossup.server.results.slices import Slice


@dataclass(frozen=True, slots=True)
class WaveChange:
    """The change of one estimate from a wave to the next one that has enough reports.

    Attributes
    ----------
    answer
        The answer's id; ``"mean"`` for a number, for a vector the id of a component.
    earlier, later
        The waves.
    change
        Later less earlier, with an interval that holds no matter who answered both.
    """

    answer: str
    earlier: str
    later: str
    change: Change


def wave_changes(parts: Sequence[Slice], overlap: Fraction) -> tuple[WaveChange, ...]:
    """Return the changes between neighbours among slices by wave, oldest first.

    Waves with fewer reports than the minimum are passed over. ``overlap`` is as in
    `tossup.server.estimation.comparing.change.change`.
    """
    shown = [(part, part.told.measured) for part in parts if part.told.measured]
    return tuple(
        WaveChange(
            answer,
            first.option or "",
            second.option or "",
            change(
                later[answer],
                earlier[answer],
                overlap=overlap,
                covariance=second.told.covariance_of_waves,
            ),
        )
        for (first, earlier), (second, later) in pairwise(shown)
        for answer in later
        if answer in earlier
    )
