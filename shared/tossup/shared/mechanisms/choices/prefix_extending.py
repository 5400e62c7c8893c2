"""Prefix extending: report a bucket of one prefix of a text, for texts that nobody listed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha512
from itertools import pairwise
from typing import ClassVar, Final, Self

from tossup.shared.coins import Coins
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms.base import AnswerKind, Counting, Mechanism, Readout
from tossup.shared.mechanisms.choices.hadamard_response import HadamardResponse
from tossup.shared.mechanisms.choices.k_ary import KaryRandomizedResponse
from tossup.shared.mechanisms.choices.local_hashing import LocalHashing
from tossup.shared.mechanisms.choices.oracle import BlockOracle, MaskOracle
from tossup.shared.mechanisms.choices.projective_geometry import ProjectiveGeometryResponse
from tossup.shared.mechanisms.choices.subset_selection import SubsetSelection
from tossup.shared.mechanisms.choices.unary import OptimizedUnary, SymmetricUnary

MAX_CHARACTERS: Final = 1 << 16
MAX_LENGTH: Final = 64
MAX_ROWS: Final = 64
#: A tally has at most so many; a report that is a number has two bytes at most, then.
MAX_COUNTERS: Final = 1 << 16
#: What a server tries to extend every prefix by: all blocks of characters that one step adds.
MAX_BLOCKS: Final = 1 << 16
MAX_SALT: Final = 1 << 53

#: One SHA-512 holds the hashes of eight rows, eight bytes each.
ROWS_PER_DIGEST: Final = 8
_HASH_BYTES: Final = 8

#: What may report a bucket: a number that is counted, or a mask of one bit a bucket.
Oracle = BlockOracle | KaryRandomizedResponse | MaskOracle

#: Those that may, by their names: all that ``prefix-extending/1`` means.
ORACLES: Final[Mapping[str, type[Oracle]]] = {
    kind.name: kind
    for kind in (
        ProjectiveGeometryResponse,
        HadamardResponse,
        LocalHashing,
        KaryRandomizedResponse,
        SubsetSelection,
        SymmetricUnary,
        OptimizedUnary,
    )
}
_NUMBERS: Final = ("characters", "rows", "salt", "buckets")


@dataclass(frozen=True)
class PrefixExtending(Mechanism):
    """Send a random level, a random row, and there the randomized bucket of the text's prefix.

    A text is a number with a digit for each character: 0 for "ended", 1 and up for characters, the
    first one most significant. At level g the device takes the first ``lengths[g]`` digits; at
    one level more, the last, the whole text again. A public hash function, one for each row of
    each level, puts that prefix into one of ``oracle.options`` buckets, and the oracle reports
    the bucket. Level and row are chosen whatever the text is, so that odds are the oracle's.

    Parameters
    ----------
    characters
        Number of characters, from 1 to 65,535.
    lengths
        How many characters each level looks at, growing; the last is that of the longest text.
        A level adds at most 65,536 blocks of characters.
    rows
        Hash functions a level, from 1 to 64.
    salt
        Which functions of the family are taken, from 0 to 2**53 - 1: public, like all of this.
    oracle
        Reports the bucket: one of k, with the buckets as its options. Any of the registry but
        those with a memory. A tally has at most 65,536 counters.

    Raises
    ------
    MechanismError
        If these bounds do not hold, a level adds more than 65,536 blocks of characters, or a
        tally has more than 65,536 counters: for a mask one a bucket and one more in every slot,
        for all others one a report.

    References
    ----------
    Wang, Li and Jha 2021; Charikar, Chen and Farach-Colton 2002 (rows of buckets).

    Examples
    --------
    >>> design = PrefixExtending(26, (3, 6), rows=4, oracle=HadamardResponse(31))
    >>> design.levels, design.reports, design.odds
    (3, 384, Fraction(3, 1))
    """

    name: ClassVar[str] = "prefix-extending/1"
    answer_kind: ClassVar[AnswerKind] = "text"
    readout: ClassVar[Readout] = "text"
    counting: ClassVar[Counting] = "slots"
    characters: int
    lengths: tuple[int, ...]
    rows: int
    oracle: Oracle
    salt: int = 0

    def __post_init__(self) -> None:
        _check_integer("characters", self.characters, 1, MAX_CHARACTERS - 1)
        _check_integer("rows", self.rows, 1, MAX_ROWS)
        _check_integer("salt", self.salt, 0, MAX_SALT - 1)
        _check_lengths(self.lengths)
        if any(self.base ** self.step(level) > MAX_BLOCKS for level in range(self.levels)):
            raise MechanismError(
                f"a level may add at most {MAX_BLOCKS} blocks of characters to a prefix; use"
                " smaller steps"
            )
        if type(self.oracle) not in ORACLES.values():
            raise MechanismError(f"buckets are reported by one of {', '.join(ORACLES)}")
        if self.counters > MAX_COUNTERS:
            raise MechanismError(
                f"{self.levels} levels of {self.rows} rows have {brief(self.counters)} counters;"
                f" the limit is {MAX_COUNTERS}. Use fewer rows or buckets"
            )

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(2, (1, 2), 2, ProjectiveGeometryResponse(4, 3, 3, 1)),
            cls(26, (3, 6, 9, 11), 16, ProjectiveGeometryResponse(781, 5, 3, 1)),
            cls(62, (2, 4, 6), 9, HadamardResponse(255, 9, 1), salt=5),
            cls(20992, (1, 2, 3), 11, LocalHashing(100, 3, 5, 2), salt=(1 << 53) - 1),
            cls(26, (3, 6), 64, KaryRandomizedResponse(28, 27, 1)),
            cls(26, (3, 6), 16, SubsetSelection(240, 60, 3, 1)),
            cls(10, (2, 4), 8, SymmetricUnary(30, 2, 1), salt=3),
            cls(26, (3, 6), 16, OptimizedUnary(240, 3, 1)),
        )

    def is_for(self, *sizes: int) -> bool:
        """Return whether these are the number of characters, and the greatest length."""
        return sizes == (self.characters, self.longest)

    @property
    def base(self) -> int:
        """Number of digits: the characters, and 0 for a text that has ended."""
        return self.characters + 1

    @property
    def longest(self) -> int:
        """Characters of the longest text."""
        return self.lengths[-1]

    @property
    def levels(self) -> int:
        """Number of levels: one a length, and one that looks at the whole text again."""
        return len(self.lengths) + 1

    @property
    def slots(self) -> int:
        """Number of pairs of a level and a row; slot = level x rows + row."""
        return self.levels * self.rows

    @property
    def buckets(self) -> int:
        """Number of buckets in a row."""
        return self.oracle.options

    def length(self, level: int) -> int:
        """Return how many characters a level looks at; 0 before the first."""
        return (0, *self.lengths, self.longest)[level + 1]

    def step(self, level: int) -> int:
        """Return how many characters a level adds to the one before; 0 for the last level."""
        return self.length(level) - self.length(level - 1)

    @property
    def answers(self) -> int:
        """Number of texts: all digits of the longest, those after an end among them."""
        return int(self.base**self.longest)

    @property
    def reports(self) -> int:
        """Slots times the oracle's reports: report = slot x oracle.reports + the oracle's."""
        return self.slots * self.oracle.reports

    def is_report(self, value: int) -> bool:
        """Return whether the rest of the number is a report of the oracle."""
        return 0 <= value < self.reports and self.oracle.is_report(value % self.oracle.reports)

    @property
    def slot_counters(self) -> int:
        """Counters of a slot: of a mask the oracle's own, of what is a number one a report."""
        return self.oracle.counters if isinstance(self.oracle, MaskOracle) else self.oracle.reports

    @property
    def counters(self) -> int:
        """Those of all slots, one slot after the other."""
        return self.slots * self.slot_counters

    def reports_counted(self, counts: Sequence[int]) -> int:
        """Return the sum of the counts, or of masks of each slot's last: that of its reports."""
        if isinstance(self.oracle, MaskOracle):
            return sum(counts[self.slot_counters - 1 :: self.slot_counters])
        return sum(counts)

    def reports_behind(self, counts: Sequence[int]) -> tuple[int, ...]:
        """Return how many reports the last level has: the others only find texts."""
        return (self.reports_counted(counts[-self.rows * self.slot_counters :]),)

    @property
    def share_behind(self) -> Fraction:
        """That of the last level."""
        return Fraction(1, self.levels)

    @property
    def odds(self) -> Fraction:
        """The oracle's: a slot is as likely whatever the text is."""
        return self.oracle.odds

    def bucket(self, answer: int, level: int, row: int) -> int:
        """Return the bucket of a text's prefix: of its older part's hash plus its new block's.

        By simple tabulation (Patrascu and Thorup 2012) the buckets of any three prefixes are
        independent over the family, and a server adds hashes up.
        """
        older, new = divmod(self.prefix(answer, level), self.base ** self.step(level))
        parts = (self.hashed(older, level, 0, row), self.hashed(new, level, 1, row))
        return sum(parts) % self.buckets

    def prefix(self, answer: int, level: int) -> int:
        """Return the first digits of a text, as a number."""
        return int(answer // self.base ** (self.longest - self.length(level)))

    def hashed(self, number: int, level: int, part: int, row: int) -> int:
        """Return the 64-bit hash of a part of a prefix: 0 the older part, 1 the new block."""
        place, at = divmod(row, ROWS_PER_DIGEST)
        written = number.to_bytes(self.number_width, "little")
        digest = sha512(self.preimage(level, part, place) + written).digest()
        return int.from_bytes(digest[at * _HASH_BYTES :][:_HASH_BYTES], "little")

    def preimage(self, level: int, part: int, place: int) -> bytes:
        """Return what is hashed before a number, for eight rows at once."""
        head = self.name.encode() + self.salt.to_bytes(_HASH_BYTES, "little")
        return head + bytes((level, part, place))

    @property
    def number_width(self) -> int:
        """Bytes of a number as it is hashed, least significant first: enough for every text."""
        return -(-self.answers.bit_length() // 8)

    def probability(self, answer: int, report: int) -> Fraction:
        """Return the oracle's probability for the bucket, over the number of slots."""
        if not self.is_report(report):
            return Fraction(0)
        slot, reported = divmod(report, self.oracle.reports)
        bucket = self.bucket(answer, *divmod(slot, self.rows))
        return self.oracle.probability(bucket, reported) * Fraction(1, self.slots)

    def _sample(self, answer: int, coins: Coins) -> int:
        slot = coins.below(self.slots)
        bucket = self.bucket(answer, *divmod(slot, self.rows))
        return slot * self.oracle.reports + self.oracle.perturb(bucket, coins)

    def spec(self) -> dict[str, object]:
        """Return the name, the numbers, the lengths, and the oracle's own spec."""
        return {
            "name": self.name,
            "characters": self.characters,
            "lengths": list(self.lengths),
            "rows": self.rows,
            "salt": self.salt,
            "buckets": self.buckets,
            "oracle": self.oracle.spec(),
        }

    @classmethod
    def from_spec(cls, parameters: Mapping[str, object], answers: int) -> Self:  # noqa: ARG003
        """Return the design for what `spec` writes; it says itself how many texts there are."""
        rest = dict(parameters)
        lengths, oracle = rest.pop("lengths", None), rest.pop("oracle", None)
        characters, rows, salt, buckets = _integers(rest)
        if not isinstance(lengths, list) or not isinstance(oracle, dict):
            raise MechanismError(f"{cls.name} takes a list of lengths and an oracle")
        kind = ORACLES.get(str(oracle.get("name")))
        if kind is None:
            raise MechanismError(f"buckets are reported by one of {', '.join(ORACLES)}")
        weights = {key: oracle[key] for key in oracle if key != "name"}
        return cls(characters, tuple(lengths), rows, kind.from_spec(weights, buckets), salt)


def _check_integer(name: str, value: object, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise MechanismError(f"{name} must be an integer from {least} to {most}")


def _check_lengths(lengths: object) -> None:
    """Refuse lengths that do not grow from 1 on."""
    if type(lengths) is not tuple or not 1 <= len(lengths) <= MAX_LENGTH:
        raise MechanismError("lengths must be at least one")
    for length in lengths:
        _check_integer("lengths", length, 1, MAX_LENGTH)
    if any(before >= after for before, after in pairwise(lengths)):
        raise MechanismError("lengths must grow")


def _integers(numbers: Mapping[str, object]) -> list[int]:
    """Return exactly the integers of a spec."""
    found = [value for key in _NUMBERS if type(value := numbers.get(key)) is int]
    if set(numbers) != set(_NUMBERS) or len(found) != len(_NUMBERS):
        raise MechanismError(
            f"{PrefixExtending.name} takes exactly these integers: {', '.join(_NUMBERS)}"
        )
    return found
