"""Local mechanisms: each turns one answer into one report, exactly.

Stage: answer to report. A mechanism is a frozen value that is sufficient for perturbing, for
accounting and for estimating. Its name carries a version (``two-coin/1``) whose meaning never
changes; a change gets a new name. This package holds no float and no seed.
"""

from collections.abc import Mapping
from typing import Final

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import (
    Channel,
    FrequencyOracle,
    Mechanism,
    MemoMechanism,
    TableMechanism,
)
from tossup.shared.mechanisms.d_bit_flip import DBitFlip
from tossup.shared.mechanisms.discrete_gaussian import DiscreteGaussian
from tossup.shared.mechanisms.discrete_laplace import DiscreteLaplace
from tossup.shared.mechanisms.duchi import Duchi
from tossup.shared.mechanisms.entry_gaussian import EntryGaussian
from tossup.shared.mechanisms.entry_laplace import EntryLaplace
from tossup.shared.mechanisms.exponential import Exponential
from tossup.shared.mechanisms.grid import GridMechanism
from tossup.shared.mechanisms.hadamard_response import HadamardResponse
from tossup.shared.mechanisms.hybrid import Hybrid
from tossup.shared.mechanisms.k_ary import KaryRandomizedResponse
from tossup.shared.mechanisms.kept_bits import KeptBitsMechanism
from tossup.shared.mechanisms.kuk import Kuk
from tossup.shared.mechanisms.local_hashing import LocalHashing
from tossup.shared.mechanisms.noisy_max_laplace import NoisyMaxLaplace
from tossup.shared.mechanisms.one_bit_mean import OneBitMean
from tossup.shared.mechanisms.per_option_bits import PerOptionBits
from tossup.shared.mechanisms.permanent_instantaneous import PermanentInstantaneous
from tossup.shared.mechanisms.permute_and_flip import PermuteAndFlip
from tossup.shared.mechanisms.piecewise import Piecewise
from tossup.shared.mechanisms.prefix_extending import PrefixExtending
from tossup.shared.mechanisms.privunit import PrivUnit
from tossup.shared.mechanisms.projective_geometry_response import ProjectiveGeometryResponse
from tossup.shared.mechanisms.randomized_response import RandomizedResponse
from tossup.shared.mechanisms.ranked_choice import RankedChoice
from tossup.shared.mechanisms.rappor import Rappor
from tossup.shared.mechanisms.sampled_options import SampledOptions
from tossup.shared.mechanisms.scored import ScoredChoice
from tossup.shared.mechanisms.several import SetMechanism, SeveralMechanism
from tossup.shared.mechanisms.square_wave import SquareWave
from tossup.shared.mechanisms.staircase import Staircase
from tossup.shared.mechanisms.subset_selection import SubsetSelection
from tossup.shared.mechanisms.truncated_geometric import TruncatedGeometric
from tossup.shared.mechanisms.two_coin import TwoCoin
from tossup.shared.mechanisms.unary import OptimizedUnary, SymmetricUnary
from tossup.shared.mechanisms.unrelated_question import UnrelatedQuestion
from tossup.shared.mechanisms.vector_laplace import VectorLaplace
from tossup.shared.mechanisms.vectors import VectorMechanism

__all__ = [
    "MECHANISMS",
    "DBitFlip",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Duchi",
    "EntryGaussian",
    "EntryLaplace",
    "Exponential",
    "FrequencyOracle",
    "GridMechanism",
    "HadamardResponse",
    "Hybrid",
    "KaryRandomizedResponse",
    "KeptBitsMechanism",
    "Kuk",
    "LocalHashing",
    "Mechanism",
    "MemoMechanism",
    "NoisyMaxLaplace",
    "OneBitMean",
    "OptimizedUnary",
    "PerOptionBits",
    "PermanentInstantaneous",
    "PermuteAndFlip",
    "Piecewise",
    "PrefixExtending",
    "PrivUnit",
    "ProjectiveGeometryResponse",
    "RandomizedResponse",
    "RankedChoice",
    "Rappor",
    "SampledOptions",
    "ScoredChoice",
    "SetMechanism",
    "SeveralMechanism",
    "SquareWave",
    "Staircase",
    "SubsetSelection",
    "SymmetricUnary",
    "TableMechanism",
    "TruncatedGeometric",
    "TwoCoin",
    "UnrelatedQuestion",
    "VectorLaplace",
    "VectorMechanism",
    "chances_to_show",
    "from_spec",
    "is_large",
    "naming_chances",
]

_SHOWN_ANSWERS: Final = 32

#: Every mechanism this version knows, by its frozen name.
MECHANISMS: Final[Mapping[str, type[Mechanism]]] = {
    kind.name: kind
    for kind in (
        TwoCoin,
        RandomizedResponse,
        KaryRandomizedResponse,
        SubsetSelection,
        SymmetricUnary,
        OptimizedUnary,
        HadamardResponse,
        ProjectiveGeometryResponse,
        LocalHashing,
        PermanentInstantaneous,
        Rappor,
        TruncatedGeometric,
        DiscreteLaplace,
        DiscreteGaussian,
        Staircase,
        Duchi,
        Piecewise,
        Hybrid,
        SquareWave,
        DBitFlip,
        OneBitMean,
        VectorLaplace,
        PrivUnit,
        EntryGaussian,
        EntryLaplace,
        Exponential,
        PermuteAndFlip,
        NoisyMaxLaplace,
        RankedChoice,
        Kuk,
        PrefixExtending,
        SampledOptions,
        PerOptionBits,
        UnrelatedQuestion,
    )
}


def from_spec(spec: Mapping[str, object], answers: int) -> Mechanism:
    """Return the mechanism that a manifest names, for a question with ``answers`` answers.

    The inverse of `Mechanism.spec`: unknown names, unknown or missing parameters and weights
    that do not fit the question are refused.

    >>> from_spec({"name": "two-coin/1"}, answers=2).odds
    Fraction(3, 1)

    Raises
    ------
    MechanismError
        If the spec is not exactly one that this version knows.
    """
    name = spec.get("name")
    kind = MECHANISMS.get(name) if isinstance(name, str) else None
    if kind is None:
        known = ", ".join(MECHANISMS)
        raise MechanismError(f"mechanism is unknown; this version knows {known}. Upgrade tossup")
    mechanism = kind.from_spec({key: spec[key] for key in spec if key != "name"}, answers)
    if mechanism.answers != answers:
        raise MechanismError(
            f"{kind.name} is for {mechanism.answers} answers, the question has {answers}"
        )
    return mechanism


def naming_chances(mechanism: Mechanism) -> Channel:
    """Return the channel, or where a report may name several options, that of naming one.

    A `TableMechanism` has its channel ``[answer][report]``. A `FrequencyOracle` has the channel of
    each option by itself: rows "not the answer" and "the answer", columns "not named" and "named".
    So has a `SeveralMechanism`, of reports that ask the option and of answers that tick it, and a
    `RankedChoice`, with rows "ranked last" and "ranked first".

    >>> naming_chances(TwoCoin())[0]
    (Fraction(3, 4), Fraction(1, 4))
    >>> naming_chances(SubsetSelection(16, size=4))[1]
    (Fraction(1, 2), Fraction(1, 2))

    Raises
    ------
    MechanismError
        If reports of this mechanism name no options.
    """
    if isinstance(mechanism, TableMechanism):
        return mechanism.channel()
    if not isinstance(mechanism, FrequencyOracle | RankedChoice | SeveralMechanism):
        raise MechanismError(f"reports of {mechanism.name} name no options")
    q, p = mechanism.rates
    return (1 - q, q), (1 - p, p)


def is_large(mechanism: Mechanism) -> bool:
    """Return whether `naming_chances` has too many cells to be shown: above 32 answers."""
    return isinstance(mechanism, TableMechanism) and mechanism.answers > _SHOWN_ANSWERS


def chances_to_show(mechanism: Mechanism) -> Channel:
    """Return `naming_chances`, or where that is large, the channel of one option by itself.

    >>> chances_to_show(KaryRandomizedResponse(256))[1]
    (Fraction(85, 86), Fraction(1, 86))
    """
    if not is_large(mechanism):
        return naming_chances(mechanism)
    # A large table is that of a k-ary mechanism, in which all options are alike.
    q, p = mechanism.probability(1, 0), mechanism.probability(0, 0)
    return (1 - q, q), (1 - p, p)
