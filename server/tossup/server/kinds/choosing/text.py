"""Choose how a question about a text is reported, from its characters, length and odds.

Stage: authoring, before any answer. What is free is chosen for the server: steps as long as it
can try all blocks of, the oracle of least variance for its bytes, and as many rows as a tally
has room for.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from tossup.server.kinds.choosing import named
from tossup.server.kinds.choosing.named import Candidate, Decision
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.kinds.text import FreeText
from tossup.shared.mechanisms import (
    HadamardResponse,
    LocalHashing,
    Mechanism,
    PrefixExtending,
    ProjectiveGeometryResponse,
)
from tossup.shared.mechanisms.choices.k_ary import MAX_OPTIONS
from tossup.shared.mechanisms.choices.oracle import primes_to
from tossup.shared.mechanisms.choices.prefix_extending import MAX_COUNTERS, ORACLES, Oracle

#: The name that a survey file gives this kind.
NAME: Final = "prefix-extending"
AUTO: Final = "auto"
#: Stands in for an oracle that is still to be chosen.
_ANY: Final = HadamardResponse(2)

#: Blocks that a step may add to a prefix: three letters of 31, two of 180, or one of 32,767.
_MOST_BLOCKS: Final = 1 << 15
_MOST_ROWS: Final = 64
_FEWEST_ROWS: Final = 8
_MOST_BUCKETS: Final = 1024
_FEWEST_BUCKETS: Final = 100
_FEW_BUCKETS: Final = 15
#: Bits of a mask: thirty bytes with room for the slot in two more, or where levels are many, half.
_MASKS: Final = (240, 120)
#: Among designs of one oracle up to this many times its least variance, most buckets are taken.
_AS_GOOD: Final = Fraction(105, 100)
#: Among oracles up to this many times the least variance, that with the shortest reports is taken.
_WORTH_ITS_BYTES: Final = Fraction(5, 4)
#: Among these, up to this many times the least, that whose texts collide least is taken.
_ALIKE: Final = Fraction(11, 10)


@dataclass(frozen=True, slots=True)
class By:
    """What reports a bucket, as a survey file names it, and over how many; or left open."""

    oracle: str = AUTO
    buckets: int | None = None


def for_text(
    texts: FreeText,
    name: str | None,
    odds: Fraction | Decimal,
    salt: int = 0,
    by: By = By(),
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
    by
        What reports a bucket; by default what `choose` takes.

    Raises
    ------
    MechanismError
        If the name is another, or no design has these odds.

    Examples
    --------
    >>> from tossup.shared.kinds.text import characters_of
    >>> names = FreeText(characters_of("a-z "), 12)
    >>> design = for_text(names, None, Fraction(3))
    >>> design.lengths, design.rows, design.oracle
    ((3, 6, 9, 12), 16, ProjectiveGeometryResponse(options=781, field=5, keep=3, lie=1))
    >>> for_text(names, None, Fraction(3), by=By("optimized-unary")).oracle
    OptimizedUnary(options=240, keep=3, lie=1)
    """
    if name not in {None, AUTO, NAME}:
        raise MechanismError(f"mechanism {name} does not fit a text; use {NAME}")
    ratio = named.odds_asked(PrefixExtending.odds_within, odds, texts.answers, {})
    lengths = _lengths(len(texts.characters) + 1, texts.longest)
    plain = PrefixExtending(len(texts.characters), lengths, 1, _ANY, salt)
    return choose(plain, ratio, by).chosen.mechanism


def choose(plain: PrefixExtending, odds: Fraction, by: By = By()) -> Decision[PrefixExtending]:
    """Return the design of shortest reports among those that are nearly as good as the best.

    Of equally short and good ones, the one with most buckets in all rows: fewest texts collide.

    Parameters
    ----------
    plain
        Characters, lengths and salt; its oracle and rows do not matter.
    odds
        What an answer may cost.
    by
        The oracle and number of buckets that are asked for.

    Raises
    ------
    MechanismError
        If the oracle is unknown, buckets are too many for it, or no design has these odds.
    """
    _check(by)
    names = oracles() if by.oracle == AUTO else (by.oracle,)
    best = [found for name in names if (found := _best(name, plain, odds, by.buckets))]
    if not best:
        raise MechanismError(_refusal(plain, odds, by))
    candidates = sorted(best, key=lambda each: each.variance)
    worth = [c for c in candidates if c.variance <= candidates[0].variance * _WORTH_ITS_BYTES]
    shortest = min(each.report_bytes for each in worth)
    short = [each for each in worth if each.report_bytes == shortest]
    alike = [c for c in short if c.variance <= short[0].variance * _ALIKE]
    chosen = max(alike, key=_cells)
    reason = (
        f"{chosen.name} over {chosen.mechanism.buckets} buckets has the shortest reports"
        " of those with at most 5/4 of the least variance, and the fewest collisions of equals;"
        " n times the variance of the share of a text that nobody has, with n reports of one"
        " level, and bytes a report"
    )
    return Decision(chosen, tuple(candidates), reason, tells_bytes=True)


def _cells(candidate: Candidate[PrefixExtending]) -> int:
    """Return the buckets of all rows: others of share f add f**2 over so many to a variance."""
    return candidate.mechanism.rows * candidate.mechanism.buckets


def reason(design: PrefixExtending) -> str:
    """Return why a design is what `choose` takes; nothing if it takes another."""
    found = choose(design, design.odds)
    return found.why if found.chosen.mechanism == design else ""


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


def oracles() -> Mapping[str, type[Mechanism]]:
    """Return the oracles that may report buckets, by their names in survey files."""
    compared = named.compared("choice")
    return {name: kind for name, kind in compared.items() if kind.name in ORACLES}


def _check(by: By) -> None:
    """Refuse an unknown oracle, and more buckets than it can have."""
    known = oracles()
    if by.oracle not in {AUTO, *known}:
        raise MechanismError(f"oracle {by.oracle} is unknown; use one of {', '.join(known)}")
    most = MAX_OPTIONS if by.oracle == "k-ary" else _MOST_BUCKETS
    if by.buckets is None or 2 <= by.buckets <= most:
        return
    size = ""
    if by.oracle in _MASK_NAMES:
        size = f"; a report has a bit for each, which would be {-(-by.buckets // 8):,} bytes"
    raise MechanismError(
        f"buckets ({by.buckets:,}) must be from 2 to {most:,} for {by.oracle}{size}"
    )


def _refusal(plain: PrefixExtending, odds: Fraction, by: By) -> str:
    """Return what is wrong where no design is left."""
    room = MAX_COUNTERS // (plain.levels * _FEWEST_ROWS)
    return (
        f"{by.oracle} has no design with odds {brief(odds)}, weights of at most 2**32, and at most"
        f" {room} counters in each of {plain.levels} levels x {_FEWEST_ROWS} rows; ask with"
        " simpler odds, such as 3 or 5/2, fewer buckets, or another oracle"
    )


def _best(
    name: str, plain: PrefixExtending, odds: Fraction, buckets: int | None
) -> Candidate[PrefixExtending] | None:
    """Return an oracle's design with most buckets and about its least variance, if there is one."""
    found = []
    for oracle in _oracles(name, odds, buckets):
        with suppress(MechanismError):  # it has too many counters
            found.append(_candidate(name, plain, oracle))
    least = min((each.variance for each in found), default=Fraction(0))
    good = [each for each in found if each.variance <= least * _AS_GOOD]
    return max(good, key=lambda each: each.mechanism.buckets, default=None)


def _candidate(name: str, plain: PrefixExtending, oracle: Oracle) -> Candidate[PrefixExtending]:
    """Return the design with as many rows as there is room for."""
    lengths, salt = plain.lengths, plain.salt
    fewest = PrefixExtending(plain.characters, lengths, _FEWEST_ROWS, oracle, salt)
    rows = min(_MOST_ROWS, MAX_COUNTERS // (fewest.levels * fewest.slot_counters))
    design = PrefixExtending(plain.characters, lengths, rows, oracle, salt)
    return Candidate(name, design, _variance(oracle))


def _variance(oracle: Oracle) -> Fraction:
    """Return n times the variance of the share of a text that nobody has.

    Its bucket is some other text's once in so many buckets, and is supported then with p.
    """
    q, p = oracle.rates
    named = q + (p - q) * Fraction(1, oracle.options)
    return named * (1 - named) * (p - named) ** -2


def _oracles(name: str, odds: Fraction, buckets: int | None) -> Iterator[Oracle]:
    """Yield the oracles of a name with these odds, over numbers of buckets that suit them."""
    if name == "projective-geometry-response" and buckets is None:
        yield from _planes(odds)
        return
    for count in _BUCKETS.get(name, _of_masks)(odds) if buckets is None else (buckets,):
        with suppress(MechanismError):  # its weights do not fit
            made = oracles()[name].from_odds(odds, count)
            if isinstance(made, Oracle):
                yield made


def _planes(odds: Fraction) -> Iterator[ProjectiveGeometryResponse]:
    """Yield the projective geometry responses with a bucket for each of their points."""
    for field in primes_to(2 * int(odds) + 3):
        points = field + 1
        while points <= _MOST_BUCKETS:
            if points >= _FEWEST_BUCKETS:
                with suppress(MechanismError):  # its weights do not fit
                    yield ProjectiveGeometryResponse(points, field, *odds.as_integer_ratio())
            points = points * field + 1


def _whole_fields(odds: Fraction) -> list[int]:
    """Return how many vectors there are of digits modulo the best prime for local hashing."""
    field = LocalHashing.from_odds(odds, _FEWEST_BUCKETS).field
    counts = [field**length for length in range(1, _MOST_BUCKETS.bit_length())]
    return [count for count in counts if _FEW_BUCKETS < count <= _MOST_BUCKETS]


def _of_masks(_: Fraction) -> list[int]:
    """Return how many buckets fill the bytes of a mask."""
    return [*_MASKS]


_MASK_NAMES: Final = ("subset-selection", "symmetric-unary", "optimized-unary")
_BUCKETS: Final[Mapping[str, Callable[[Fraction], list[int]]]] = {
    # One more than the odds has the least variance: 4 odds / (odds - 1)**2, as masks have.
    "k-ary": lambda odds: [min(MAX_OPTIONS, max(_FEW_BUCKETS, int(odds)) + 1)],
    "hadamard-response": lambda _: [127, 255, 511, 1023],  # as many as fill their matrix
    "local-hashing": _whole_fields,
}
