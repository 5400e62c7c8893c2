"""Change from wave to wave, where a survey asks again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from tossup.server.estimation.comparing.change import Change, Measured, change, of_answers
from tossup.server.estimation.numbers.kept import least_covariance
from tossup.shared.kinds.number import Grid
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import DBitFlip

if TYPE_CHECKING:
    from tossup.server.results.values import Slice


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
        Later less earlier, with an interval that holds whoever answered both.
    """

    answer: str
    earlier: str
    later: str
    change: Change


def wave_changes(parts: Sequence["Slice"], overlap: Fraction) -> tuple[WaveChange, ...]:
    """Return the changes between neighbours among slices by wave, oldest first.

    Waves with fewer reports than the minimum are passed over. ``overlap`` is as in
    `tossup.server.estimation.comparing.change.change`.
    """
    shown = [(part, measured) for part in parts if (measured := _measured(part))]
    return tuple(
        WaveChange(
            answer,
            first.option or "",
            second.option or "",
            change(
                later[answer],
                earlier[answer],
                overlap=overlap,
                covariance=_covariance(second),
            ),
        )
        for (first, earlier), (second, later) in pairwise(shown)
        for answer in later
        if answer in earlier
    )


def _measured(part: "Slice") -> dict[str, Measured]:
    """Return what is followed from wave to wave: shares, the mean of a number, or of components."""
    if part.numbers:
        return {"mean": part.numbers[0]}
    if part.vector:
        return {mean.names[0]: mean for mean in part.vector.means}
    return {e.answer: replace(e, looks="one") for e in part.estimates}


def _covariance(part: "Slice") -> float:
    """Return the least covariance of what one person reports in two waves, for a vector by part."""
    mechanism = part.question.mechanism
    match part.question.domain:
        case Grid(step=step) if isinstance(mechanism, DBitFlip):
            return float(step) ** 2 * least_covariance(mechanism)
        case Grid(low=low, high=high):
            return of_answers(float(high - low))
        case VectorAnswer(norm=norm):
            return of_answers(2 * float(norm))
    return of_answers(1.0)
