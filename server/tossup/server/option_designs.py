"""Which coins a yes/no question or a choice of a survey file is asked with.

Stage: authoring, before any answer. A file names a mechanism or none, and asks for odds, for an
epsilon or for the weights themselves.
"""

from collections.abc import Collection, Mapping, Sequence
from decimal import ROUND_DOWN, Context, Decimal
from fractions import Fraction
from typing import Any, Final

from tossup.server import choices, designs, paper_designs, scored_designs, wave_designs
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms import (
    KaryRandomizedResponse,
    Kuk,
    Mechanism,
    RandomizedResponse,
    TwoCoin,
)
from tossup.shared.survey import Option

_FOR_YES_NO: Final = ("two-coin", "randomized-response", "kuk", *paper_designs.NAMES)

#: Keys that only some mechanisms of choices and of yes/no take.
KEYS_OF_SOME: Final[Mapping[str, Collection[str]]] = {
    "cards": ("kuk",),
    "utility": scored_designs.MAKERS,
    "distances": scored_designs.MAKERS,
    "again": wave_designs.MAKERS,
    **paper_designs.KEYS,
}

#: What survey files may name for yes/no and choices; those that ask again are named elsewhere.
NAMES: Final = (*_FOR_YES_NO, "auto", *choices.MAKERS)

_ROUND_DOWN: Final = Context(prec=50, rounding=ROUND_DOWN)


def as_decimal(epsilon: Fraction) -> Decimal:
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
    if "delta" in part:
        raise MechanismError("delta is for numbers with mechanism discrete-gaussian alone")
    asked = [key for key in ("odds", "epsilon", "weights") if key in part]
    if len(asked) > 1:
        raise MechanismError(f"takes one of odds, epsilon and weights; found {', '.join(asked)}")
    _check_keys(part)
    if part.get("mechanism") in wave_designs.MAKERS:
        return _for_waves(part, len(options) or 2, yes_no=not options)
    return _by_name(part, options, asked)


def _by_name(part: Mapping[str, Any], options: Sequence[Option], asked: Sequence[str]) -> Mechanism:
    yes_no, answers = not options, len(options) or 2
    name = part.get("mechanism")
    if name == "auto" and yes_no:
        name = None  # no design for yes/no is better at its odds than the one that follows
    _check_fits(name, yes_no=yes_no)
    if name == "two-coin" and asked:
        raise MechanismError(f"two coins have odds 3; with {asked[0]}, use randomized-response")
    if name == "kuk" or name in paper_designs.NAMES:
        return _from_paper(name, part, asked)
    if name is not None and not yes_no and name != "k-ary":
        return _for_choice(name, part, answers)
    if "weights" in part:
        return _from_weights(part["weights"], answers, yes_no=yes_no)
    if "epsilon" in part:
        return designs.from_epsilon(as_decimal(part["epsilon"]), answers, yes_no=yes_no)
    if "odds" in part:
        return designs.from_odds(part["odds"], answers, yes_no=yes_no)
    return TwoCoin() if yes_no else KaryRandomizedResponse(answers)


def _for_waves(part: Mapping[str, Any], answers: int, *, yes_no: bool) -> Mechanism:
    """Return the mechanism that is named, which keeps one thing and reports another."""
    name: str = part["mechanism"]
    if "weights" in part:
        raise MechanismError(f"mechanism {name} takes odds or epsilon, and again; no weights")
    if name == "rappor" and yes_no:
        raise MechanismError("rappor has a bit an option; use permanent-instantaneous for yes/no")
    return wave_designs.make(name, _odds(part), part.get("again"), answers)


def _check_fits(name: str | None, *, yes_no: bool) -> None:
    """Refuse a mechanism for other answers."""
    own = _FOR_YES_NO if yes_no else (*choices.MAKERS, *scored_designs.MAKERS)
    if name is not None and name not in {"auto", *own}:
        kinds = " or ".join(("auto", *own))
        raise MechanismError(f"mechanism {name} does not fit its answers; use {kinds}")


def _check_keys(part: Mapping[str, Any]) -> None:
    """Refuse keys that the mechanism does not take."""
    for key, kinds_of_key in KEYS_OF_SOME.items():
        if key in part and part.get("mechanism") not in kinds_of_key:
            kinds = " or ".join(kinds_of_key)
            raise MechanismError(f"takes {key} with mechanism {kinds} alone")


def _from_paper(name: str, part: Mapping[str, Any], asked: Sequence[str]) -> Mechanism:
    """Return a design that surveys on paper use, to go on with their series."""
    if name == "kuk":
        return _cards(part)
    return paper_designs.make(name, part, _odds(part) if asked else None)


def _cards(part: Mapping[str, Any]) -> Kuk:
    """Return Kuk's design: opposite decks for the odds, or the decks of ``weights``."""
    if "cards" not in part:
        raise MechanismError("mechanism kuk takes cards, how many are drawn: 2 or more")
    match part.get("weights"):
        case None:
            return Kuk.from_odds(_odds(part), cards=part["cards"])
        case [[*no], [*yes]]:
            return Kuk(part["cards"], (tuple(no), tuple(yes)))
        case _:
            raise MechanismError(
                "weights of kuk must be [[no_black, no_red], [yes_black, yes_red]]"
            )


def _odds(part: Mapping[str, Any]) -> Fraction:
    """Return the odds asked, or the largest small ratio up to the epsilon asked; 3 for neither."""
    odds: Fraction = part.get("odds", Fraction(3))
    if "epsilon" in part:
        odds = choices.odds_of(as_decimal(part["epsilon"]))
    if odds <= 1:
        raise MechanismError(
            f"odds ({brief(odds)}) must be above 1: at 1 every answer looks the same"
        )
    return odds


def _for_choice(name: str, part: Mapping[str, Any], options: int) -> Mechanism:
    """Return the mechanism with this name, or the best for ``auto``, at the odds asked."""
    if "weights" in part:
        raise MechanismError(f"mechanism {name} takes odds or epsilon; its weights follow")
    odds = _odds(part)
    if name in scored_designs.MAKERS:
        return scored_designs.for_choice(name, part, odds, options)
    if name == "auto":
        return choices.choose(odds, options).chosen.mechanism
    return choices.MAKERS[name](odds, options)


def _from_weights(weights: Any, answers: int, *, yes_no: bool) -> Mechanism:
    match weights:
        case [[*no], [*yes]] if yes_no:
            return RandomizedResponse(
                (tuple(no), tuple(yes))
            )  # which checks that they are integers
        case [int(keep), int(lie)] if not yes_no:
            return KaryRandomizedResponse(answers, keep, lie)
        case _:
            form = "[[no_no, no_yes], [yes_no, yes_yes]]" if yes_no else "[keep, lie]"
            raise MechanismError(f"weights must be {form}, all integers")
