"""Two coins: the default design for yes/no questions."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, Self

from tossup.shared.coins import Coins, fresh_byte
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Counting, Table, TableMechanism

_WEIGHTS: Final[Table] = ((3, 1), (1, 3))

#: By answer, then by both coins, first + 2 x second: the truth on tails (0), else the second.
_REPORTS: Final[Table] = ((0, 0, 0, 1), (1, 0, 1, 1))


@dataclass(frozen=True, slots=True)
class TwoCoin(TableMechanism):
    """Toss a coin: tails, send the truth; heads, toss again and send yes on heads, no on tails.

    Odds are exactly 3, so epsilon = ln 3. The share of yes is 2 x (fraction of yes) - 1/2,
    unbiased, with variance [p(1 - p) + 3/4] / n for a true share p.

    References
    ----------
    Fox and Tracy 1986 (forced response); Warner 1965.

    Examples
    --------
    >>> TwoCoin().channel()
    ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    """

    counting: ClassVar[Counting] = "coins"
    name: ClassVar[str] = "two-coin/1"
    questions: ClassVar[tuple[str, ...]] = ("yes_no",)

    @classmethod
    def why_not(cls, options: int) -> str:  # noqa: ARG003
        """Return what its odds are."""
        return "its odds are 3"

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (cls(),)

    @property
    def weights(self) -> Table:
        """The table (3, 1), (1, 3): rows no and yes, columns no and yes."""
        return _WEIGHTS

    def perturb(self, answer: int, coins: Coins | None = None) -> int:
        """Return the randomized report for an answer; see `Mechanism.perturb`.

        The commonest call, one answer with fresh coins, takes the same two bits of the same one
        byte as any other, in a third of the time.
        """
        if coins is None and type(answer) is int and 0 <= answer <= 1:
            return _REPORTS[answer][fresh_byte() & 3]
        return TableMechanism.perturb(self, answer, coins)  # super() knows no class with slots

    def _sample(self, answer: int, coins: Coins) -> int:
        # Both coins come from one draw and are always used: a second toss only when needed
        # would tell the first coin by its time (measured on a prototype: 99.85 % of reports).
        return _REPORTS[answer][coins.below(4)]

    @classmethod
    def from_odds(cls, odds: Fraction, answers: int = 2) -> Self:
        """Return the design where these are its odds, 3, for yes/no."""
        if odds != 3 or answers != 2:
            raise MechanismError("two coins have odds 3, and are for yes/no")
        return cls()

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the design; it takes no odds, epsilon or weights."""
        for key in ("odds", "epsilon", "weights"):
            if key in part:
                raise MechanismError(f"two coins have odds 3; with {key}, use randomized-response")
        return cls.from_odds(odds, answers)
