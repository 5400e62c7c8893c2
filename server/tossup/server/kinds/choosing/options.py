"""Which coins a yes/no question or a choice of a survey file is asked with.

Stage: authoring, before any answer. A file names a mechanism or none, and asks for odds, for an
epsilon or for the weights themselves.
"""

from collections.abc import Mapping, Sequence
from decimal import ROUND_DOWN, Context, Decimal
from fractions import Fraction
from typing import Any, Final

from tossup.server.kinds.choosing import choice as choices
from tossup.server.kinds.choosing import named, paper
from tossup.server.kinds.choosing import scored as scored_designs
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import (
    KaryRandomizedResponse,
    Mechanism,
    RandomizedResponse,
    TwoCoin,
)
from tossup.shared.mechanisms.choices.k_ary import MAX_OPTIONS
from tossup.shared.survey import Option

_PLAIN: Final = (None, "randomized-response", "k-ary")

_ROUND_DOWN: Final = Context(prec=50, rounding=ROUND_DOWN)


def _as_decimal(epsilon: Fraction) -> Decimal:
    """Return an epsilon as a decimal of 50 digits, never above it."""
    return _ROUND_DOWN.divide(*epsilon.as_integer_ratio())


def for_options(part: Mapping[str, Any], options: Sequence[Option]) -> Mechanism:
    """Return the coins that a question's table asks for.

    Parameters
    ----------
    part
        The table, its values read.
    options
        The question's options; none for yes/no.

    Raises
    ------
    MechanismError
        If there are none such, or the table has keys that do not go together.
    """
    asked = [key for key in ("odds", "epsilon", "weights") if key in part]
    if len(asked) > 1:
        raise MechanismError(f"takes one of odds, epsilon and weights; found {', '.join(asked)}")
    return _by_name(part, options, asked)


def _by_name(part: Mapping[str, Any], options: Sequence[Option], asked: Sequence[str]) -> Mechanism:
    yes_no, answers = not options, len(options) or 2
    name = part.get("mechanism")
    if name is None and answers > MAX_OPTIONS:
        raise MechanismError(
            f"has {answers} options, and without a mechanism at most {MAX_OPTIONS} are taken;"
            ' write mechanism = "auto", which finds the best one for more'
        )
    if name == "auto" and yes_no:
        name = None  # no design for yes/no is better at its odds than the one that follows
    kind = "yes_no" if yes_no else "choice"
    _check_fits(name, kind)
    if name in paper.NAMES:
        return paper.make(name, part, _odds(part, answers) if asked else None)
    if name == "auto":
        return _best(part, answers)
    if name in _PLAIN:
        if "weights" in part:
            return _plain_kind(yes_no=yes_no).from_file(part, Fraction(3), answers)
        return plain(asked_for(part), answers, yes_no=yes_no)
    made = named.make(kind, asked_for(part), answers, part, "its answers")
    if made.readout == "scores":
        scored_designs.check_tells_shares(made)
    return made


def _best(part: Mapping[str, Any], options: int) -> Mechanism:
    """Return the mechanism of least variance at the odds asked."""
    if "weights" in part:
        raise MechanismError("mechanism auto takes odds or epsilon; its weights follow")
    return choices.choose(_odds(part, options), options).chosen.mechanism


def plain(odds: Fraction | Decimal, answers: int, *, yes_no: bool) -> Mechanism:
    """Return randomized response with these odds: two coins for yes/no at odds 3.

    >>> plain(Fraction(5, 2), answers=4, yes_no=False)
    KaryRandomizedResponse(options=4, keep=5, lie=2)

    Parameters
    ----------
    odds
        A ratio, or an epsilon as a decimal: then the largest ratio up to e**epsilon.

    Raises
    ------
    MechanismError
        If the odds are not above 1, or need weights above 2**32.
    """
    kind = _plain_kind(yes_no=yes_no)
    exact = named.odds_asked(kind.odds_within, odds, answers, {})
    return TwoCoin() if yes_no and exact == 3 else kind.from_odds(exact, answers)


def _plain_kind(*, yes_no: bool) -> type[RandomizedResponse | KaryRandomizedResponse]:
    return RandomizedResponse if yes_no else KaryRandomizedResponse


def _check_fits(name: str | None, kind: str) -> None:
    """Refuse a mechanism for other answers."""
    own = ("auto", *named.for_kind(kind), *(paper.NAMES if kind == "yes_no" else ()))
    if name is not None and name not in own:
        hint = "rappor has a bit an option; " if name == "rappor" else ""
        raise MechanismError(
            f"mechanism {name} does not fit its answers; {hint}use {' or '.join(own)}"
        )


def asked_for(part: Mapping[str, Any]) -> Fraction | Decimal:
    """Return the odds asked, or the epsilon as a decimal; odds of 3 for neither."""
    if "epsilon" in part:
        return _as_decimal(part["epsilon"])
    odds: Fraction = part.get("odds", Fraction(3))
    return odds


def _odds(part: Mapping[str, Any], answers: int) -> Fraction:
    """Return the odds asked, or what most mechanisms take for the epsilon asked."""
    return named.odds_asked(Mechanism.odds_within, asked_for(part), answers, part)
