"""Designs by name, for command lines and tables: a word and the numbers it needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tossup.server.estimation import design
from tossup.server.estimation.design import Design
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.two_samples import (
    Sample,
    TwoSamples,
    cheating_detection,
    stochastic_lie_detector,
    unrelated_unknown,
)

#: What designs may need, by the names that command lines and tables give it.
PARAMETERS: Final = (
    "p",
    "forced_yes",
    "forced_no",
    "prevalence",
    "red_yes",
    "red_no",
    "draws",
    "channel",
)


@dataclass(frozen=True, slots=True)
class _Named:
    """How a name becomes a design: which parameters it needs, and what is made of them."""

    needs: tuple[str, ...]
    make: Callable[..., Any]
    may: tuple[str, ...] = ()


_ONE: Final[Mapping[str, _Named]] = {
    "two-coin": _Named((), design.two_coins),
    "warner": _Named(("p",), design.warner),
    "forced": _Named(
        ("forced_yes", "forced_no"),
        lambda forced_yes, forced_no: design.forced_response(yes=forced_yes, no=forced_no),
    ),
    "disguised": _Named(("p",), design.disguised_response),
    "unrelated": _Named(("p", "prevalence"), design.unrelated_question),
    "crosswise": _Named(("p",), design.crosswise),
    "triangular": _Named(("p",), design.triangular),
    "mangat": _Named(("p",), design.mangat),
    "kuk": _Named(
        ("red_yes", "red_no"),
        lambda red_yes, red_no, draws=1: design.kuk(yes=red_yes, no=red_no, draws=int(draws)),
        ("draws",),
    ),
    "direct": _Named((), design.direct),
    "custom": _Named(("channel",), lambda channel: design.custom(channel_from_text(channel))),
}
#: Designs of two samples with different coins: each parameter is a pair.
_TWO: Final[Mapping[str, _Named]] = {
    "unrelated-unknown": _Named(("p",), unrelated_unknown, ("forced_yes", "forced_no")),
    "lie-detector": _Named(("p",), stochastic_lie_detector),
    "cheating": _Named(
        ("forced_yes",),
        lambda first, second, forced_yes, forced_no=(0, 0): cheating_detection(
            first, second, yes=forced_yes, no=forced_no
        ),
        ("forced_no",),
    ),
}
NAMES: Final = (*_ONE, *_TWO)


def needs_two_samples(name: str) -> bool:
    """Return whether a design is of two samples with different coins."""
    return name in _TWO


def design_named(name: str, parameters: Mapping[str, object]) -> Design:
    """Return a design by its name and parameters.

    Parameters
    ----------
    name
        ``two-coin``, ``warner``, ``forced``, ``disguised``, ``unrelated``, ``crosswise``,
        ``triangular``, ``mangat``, ``kuk``, ``direct`` or ``custom``.
    parameters
        Those it needs, of ``p``, ``forced_yes``, ``forced_no``, ``prevalence``, ``red_yes``,
        ``red_no``, ``draws`` and ``channel``; those that are None are not given.

    Raises
    ------
    EstimationError
        If the name is unknown, or a parameter is missing, not asked for, or outside its range.

    Examples
    --------
    >>> design_named("warner", {"p": "0.7"}).rates
    (Fraction(3, 10), Fraction(7, 10))
    """
    if name in _TWO:
        raise EstimationError(f"{name} needs two samples with different coins")
    if name not in _ONE:
        raise EstimationError(f"design ({name!r}) must be one of {', '.join(_ONE)}")
    made: Design = _ONE[name].make(**_fitting(name, _ONE[name], parameters))
    return made


def two_samples_named(
    name: str, first: Sample, second: Sample, parameters: Mapping[str, object]
) -> TwoSamples:
    """Return what two samples tell under a design of two samples, by its name.

    Parameters
    ----------
    name
        ``unrelated-unknown``, ``lie-detector`` or ``cheating``.
    first, second
        Yes reports and all reports of each sample.
    parameters
        As in `design_named`, each a pair: of the first sample and of the second.

    Raises
    ------
    EstimationError
        As `design_named`.
    """
    given = _fitting(name, _TWO[name], parameters)
    found: TwoSamples = _TWO[name].make(first, second, **given)
    return found


def channel_from_text(text: object) -> list[list[str]]:
    """Return a channel written as ``3/4 1/4; 1/4 3/4``: a row an answer, a number a report.

    >>> channel_from_text("3/4 1/4; 1/4 3/4")
    [['3/4', '1/4'], ['1/4', '3/4']]
    """
    if not isinstance(text, str):
        raise EstimationError("channel must be text such as '3/4 1/4; 1/4 3/4'")
    return [row.replace(",", " ").split() for row in text.split(";")]


def _fitting(name: str, named: _Named, parameters: Mapping[str, object]) -> dict[str, object]:
    given = {key: value for key, value in parameters.items() if value is not None}
    if missing := [key for key in named.needs if key not in given]:
        raise EstimationError(f"design {name} needs {' and '.join(missing)}")
    if idle := [key for key in given if key not in named.needs + named.may]:
        raise EstimationError(f"design {name} takes no {idle[0]}")
    return given
