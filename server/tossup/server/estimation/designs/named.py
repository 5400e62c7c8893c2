"""Designs by name, for people, command lines and tables: a word and the numbers it needs.

Designs of two samples with different coins are named in `papers.two_samples`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from tossup.server.estimation.designs import design
from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.errors import EstimationError
from tossup.shared.mechanisms import Mechanism
from tossup.shared.mechanisms.base import Channel, Readout
from tossup.shared.mechanisms.binary import randomized_response as paper

#: A design, or what stands for one: see `design_of`.
AnyDesign = Design | Mechanism | Channel | str


@dataclass(frozen=True, slots=True)
class Named:
    """How a name becomes a design: which parameters it needs, and what is made of them.

    Attributes
    ----------
    needs, may
        The parameters that it must and may have, by the names that command lines and tables give
        them.
    make
        What is made of them, by their names: a design; of two samples with different coins what
        these tell, the samples first and each parameter a pair.
    """

    needs: tuple[str, ...]
    make: Callable[..., Any]
    may: tuple[str, ...] = ()

    def fitting(self, name: str, parameters: Mapping[str, object]) -> dict[str, object]:
        """Return the parameters that are given, checked against those that the design needs."""
        given = {key: value for key, value in parameters.items() if value is not None}
        if missing := [key for key in self.needs if key not in given]:
            raise EstimationError(f"design {name} needs {' and '.join(missing)}")
        if idle := [key for key in given if key not in self.needs + self.may]:
            raise EstimationError(f"design {name} takes no {idle[0]}")
        return given


#: Every design of one sample that is estimated, by its name.
DESIGNS: Final[Mapping[str, Named]] = {
    "two-coin": Named((), design.two_coins),
    paper.WARNER.brief: Named(("p",), design.warner),
    paper.FORCED_RESPONSE.brief: Named(
        ("forced_yes", "forced_no"),
        lambda forced_yes, forced_no: design.forced_response(yes=forced_yes, no=forced_no),
    ),
    "disguised": Named(("p",), design.disguised_response),
    paper.UNRELATED_QUESTION.brief: Named(("p", "prevalence"), design.unrelated_question),
    paper.CROSSWISE.brief: Named(("p",), design.crosswise),
    "triangular": Named(("p",), design.triangular),
    "mangat": Named(("p",), design.mangat),
    "kuk": Named(
        ("red_yes", "red_no"),
        lambda red_yes, red_no, draws=1: design.kuk(yes=red_yes, no=red_no, draws=int(draws)),
        ("draws",),
    ),
    "direct": Named((), design.direct),
    "custom": Named(("channel",), lambda channel: design.custom(channel_from_text(channel))),
}
#: What designs may need, by the names that command lines and tables give it.
PARAMETERS: Final = tuple(
    dict.fromkeys(key for named in DESIGNS.values() for key in named.needs + named.may)
)

#: Names in survey files of designs that are called otherwise here.
_IN_FILES: Final = {
    design.name: design.brief for design in (paper.FORCED_RESPONSE, paper.UNRELATED_QUESTION)
}
_PARAMETER: Final = re.compile(r"(\w+)=(.*?)(?=\s+\w+=|$)")


def design_of(source: AnyDesign) -> Design:
    """Return the design that something stands for.

    Parameters
    ----------
    source
        A design; a mechanism; a channel ``[answer][report]``; or a design's name with its
        parameters: ``"two-coin"``, ``"warner p=7/10"``, ``"forced forced_yes=1/6 forced_no=1/6"``
        (see `design_named`).

    Raises
    ------
    EstimationError
        If it is none of these.

    Examples
    --------
    >>> design_of("warner p=0.7").rates
    (Fraction(3, 10), Fraction(7, 10))
    """
    if isinstance(source, Design):
        return source
    if is_mechanism(source):
        return Design(source.name, source.naming_chances())
    if isinstance(source, str):
        name, _, rest = source.strip().partition(" ")
        if _PARAMETER.sub("", rest).strip():
            raise EstimationError(
                f"design {source!r} must be a name and parameters, such as 'warner p=7/10'"
            )
        return design_named(name, {k: v.strip() for k, v in _PARAMETER.findall(rest)})
    if isinstance(source, bytes) or not isinstance(source, Iterable):
        raise EstimationError(
            f"design ({source!r}) must be a design such as two_coins(), a mechanism, a channel"
            " [answer][report], or a name such as 'two-coin'"
        )
    return design.custom(source)


def is_mechanism(source: object) -> TypeGuard[Mechanism]:
    """Return whether it is a mechanism, and no design of another kind or text."""
    return isinstance(source, Mechanism)


def check_readout(source: object, readout: Readout, what: str) -> None:
    """Check that it is a mechanism whose reports count for what an estimator reads.

    Raises
    ------
    EstimationError
        If it is another mechanism, or none.
    """
    if not is_mechanism(source) or source.readout != readout:
        raise EstimationError(
            f"mechanism ({source!r}) must be {what}; estimate_answers() finds the estimator for"
            " any mechanism, and estimate_counts() takes any design"
        )


def stands_alone(source: object) -> bool:
    """Return whether it is one design that is no sequence, as channels and several designs are."""
    return isinstance(source, Design | str | bytes) or is_mechanism(source)


def one_a_row(designs: AnyDesign | Iterable[AnyDesign]) -> list[AnyDesign] | None:
    """Return designs that are one a row; None for one that is for all rows."""
    if stands_alone(designs) or not isinstance(designs, Iterable):
        return None
    listed = list(designs)
    several = not listed or any(map(stands_alone, listed))
    return listed if several else None  # type: ignore[return-value]  # else a channel


def channel_of(source: AnyDesign) -> Channel:
    """Return the channel of a design, or what stands for one; of a mechanism what reports name."""
    # A choice of 1,024 options has a million chances, right by its mechanism's making.
    return source.naming_chances() if is_mechanism(source) else design_of(source).rows


def name_of(source: AnyDesign) -> str:
    """Return what a design is called; a channel alone has no name of its own."""
    if is_mechanism(source):
        return source.name
    return design_of(source).name if isinstance(source, Design | str) else "randomized response"


def design_named(name: str, parameters: Mapping[str, object]) -> Design:
    """Return a design by its name and parameters.

    Parameters
    ----------
    name
        One of `DESIGNS`, such as ``two-coin`` or ``warner``; or as survey files name it.
    parameters
        Those it needs; those that are None are not given.

    Returns
    -------
    Design
        With exact rows.

    Raises
    ------
    EstimationError
        If the name is unknown, or a parameter is missing, not asked for, or outside its range.

    Examples
    --------
    >>> design_named("warner", {"p": "0.7"}).rates
    (Fraction(3, 10), Fraction(7, 10))
    """
    named = DESIGNS.get(_IN_FILES.get(name, name))
    if named is None:
        raise EstimationError(f"design ({name!r}) must be one of {', '.join(DESIGNS)}")
    made: Design = named.make(**named.fitting(name, parameters))
    return made


def channel_from_text(text: object) -> list[list[str]]:
    """Return a channel written as ``3/4 1/4; 1/4 3/4``: a row an answer, a number a report.

    >>> channel_from_text("3/4 1/4; 1/4 3/4")
    [['3/4', '1/4'], ['1/4', '3/4']]
    """
    if not isinstance(text, str):
        raise EstimationError("channel must be text such as '3/4 1/4; 1/4 3/4'")
    return [row.replace(",", " ").split() for row in text.split(";")]
