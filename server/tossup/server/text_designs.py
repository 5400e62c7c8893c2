"""Choose how a question about a text is reported, from its characters, length and odds.

Stage: authoring, before any answer. What is free is chosen for the server: steps as long as it
can try all blocks of, the oracle of least variance, and as many rows as two bytes a report allow.
"""

from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Final

from tossup.server.choices import odds_of
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import HadamardResponse, PrefixExtending, ProjectiveGeometryResponse
from tossup.shared.mechanisms.prefix_extending import MAX_REPORTS
from tossup.shared.mechanisms.prime_fields import primes_to
from tossup.shared.text import FreeText

#: The name that a survey file gives this kind.
NAME: Final = "prefix-extending"

#: Blocks that a step may add to a prefix: three letters of 31, two of 180, or one of 32,767.
_MOST_BLOCKS: Final = 1 << 15
_MOST_ROWS: Final = 64
_FEWEST_ROWS: Final = 8
_MOST_BUCKETS: Final = 1024
_FEWEST_BUCKETS: Final = 100
_FEW_BUCKETS: Final = 15
#: Of oracles whose variance is this close to the least, the one with most buckets is taken.
_AS_GOOD: Final = Fraction(105, 100)


def for_text(
    texts: FreeText, name: str | None, odds: Fraction | Decimal, salt: int = 0
) -> PrefixExtending:
    """Return the design for texts.

    Parameters
    ----------
    texts
        What the question takes.
    name
        ``"prefix-extending"``, ``"auto"`` or None, which are all the same.
    odds
        Odds as a ratio, met exactly or refused; or an epsilon as a decimal, for the largest ratio
        of small integers up to e**epsilon.
    salt
        Which hash functions are taken.

    Raises
    ------
    MechanismError
        If the name is another, or no design has these odds.

    Examples
    --------
    >>> from tossup.shared.text import characters_of
    >>> design = for_text(FreeText(characters_of("a-z "), 12), None, Fraction(3))
    >>> design.lengths, design.rows, design.oracle
    ((3, 6, 9, 12), 16, ProjectiveGeometryResponse(options=781, field=5, keep=3, lie=1))
    """
    if name not in {None, "auto", NAME}:
        raise MechanismError(f"mechanism {name} does not fit a text; use {NAME}")
    ratio = odds_of(odds) if isinstance(odds, Decimal) else odds
    if ratio <= 1:
        raise MechanismError(f"odds ({ratio}) must be above 1: at 1 every answer looks the same")
    lengths = _lengths(len(texts.characters) + 1, texts.longest)
    levels = len(lengths) + 1
    oracle = _oracle(ratio, MAX_REPORTS // (levels * _FEWEST_ROWS))
    rows = min(_MOST_ROWS, MAX_REPORTS // (levels * oracle.reports))
    return PrefixExtending(len(texts.characters), lengths, rows, oracle, salt)


def for_one_character(answers: int, odds: Fraction) -> PrefixExtending:
    """Return a small design, to be shown: for texts of one character or none.

    >>> for_one_character(3, Fraction(3)).reports
    32
    """
    return PrefixExtending(answers - 1, (1,), 1, HadamardResponse.from_odds(odds, _FEW_BUCKETS))


def _lengths(base: int, longest: int) -> tuple[int, ...]:
    """Return the lengths of as few steps as can be, about equally long.

    >>> _lengths(28, 10)
    (2, 5, 7, 10)
    """
    step = 1
    while base ** (step + 1) <= _MOST_BLOCKS:
        step += 1
    steps = -(-longest // step)
    return tuple(longest * (place + 1) // steps for place in range(steps))


def _oracle(odds: Fraction, most_reports: int) -> ProjectiveGeometryResponse:
    """Return the projective geometry response with a bucket for each of its points."""
    found = [each for each in _oracles(odds) if each.reports <= most_reports]
    if not found:
        raise MechanismError(f"odds {odds} need weights above 2**32; ask with simpler ones")
    least = min(_variance(each) for each in found)
    good = [each for each in found if _variance(each) <= least * _AS_GOOD]
    return max(good, key=lambda each: each.options)


def _variance(oracle: ProjectiveGeometryResponse) -> Fraction:
    """Return n times the variance of the share of a text that nobody has.

    Its bucket is some other text's once in so many buckets, and is supported then with p.
    """
    q, p = oracle.rates
    named = q + (p - q) * Fraction(1, oracle.options)
    return named * (1 - named) * (p - named) ** -2


def _oracles(odds: Fraction) -> Iterator[ProjectiveGeometryResponse]:
    for field in primes_to(2 * int(odds) + 3):
        points = field + 1
        while points <= _MOST_BUCKETS:
            if points >= _FEWEST_BUCKETS:
                with suppress(MechanismError):  # its weights do not fit
                    yield ProjectiveGeometryResponse(points, field, *odds.as_integer_ratio())
            points = points * field + 1
