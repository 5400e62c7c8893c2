"""Local mechanisms: each turns one answer into one report, exactly.

Stage: answer to report. A mechanism is a frozen value that is sufficient for perturbing, for
accounting and for estimating. Its name carries a version (``two-coin/1``) whose meaning never
changes. The page of that name in docs/proofs has its claim and proof, what its discretization
costs, and its sources in full. A mechanism is imported when it is first asked for.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms.base import Channel, Mechanism, TableMechanism

if TYPE_CHECKING:
    from tossup.shared.mechanisms.binary.kuk import Kuk
    from tossup.shared.mechanisms.binary.randomized_response import RandomizedResponse
    from tossup.shared.mechanisms.binary.two_coin import TwoCoin
    from tossup.shared.mechanisms.choices.hadamard_response import HadamardResponse
    from tossup.shared.mechanisms.choices.k_ary import KaryRandomizedResponse
    from tossup.shared.mechanisms.choices.local_hashing import LocalHashing
    from tossup.shared.mechanisms.choices.oracle import FrequencyOracle
    from tossup.shared.mechanisms.choices.prefix_extending import PrefixExtending
    from tossup.shared.mechanisms.choices.projective_geometry import (
        ProjectiveGeometryResponse,
    )
    from tossup.shared.mechanisms.choices.subset_selection import SubsetSelection
    from tossup.shared.mechanisms.choices.unary import OptimizedUnary, SymmetricUnary
    from tossup.shared.mechanisms.memory.d_bit_flip import DBitFlip
    from tossup.shared.mechanisms.memory.kept_bits import KeptBitsMechanism, MemoMechanism
    from tossup.shared.mechanisms.memory.one_bit_mean import OneBitMean
    from tossup.shared.mechanisms.memory.permanent_instantaneous import PermanentInstantaneous
    from tossup.shared.mechanisms.memory.rappor import Rappor
    from tossup.shared.mechanisms.noise.discrete_gaussian import DiscreteGaussian
    from tossup.shared.mechanisms.noise.discrete_laplace import DiscreteLaplace
    from tossup.shared.mechanisms.noise.staircase import Staircase
    from tossup.shared.mechanisms.noise.truncated_geometric import TruncatedGeometric
    from tossup.shared.mechanisms.numbers.base import GridMechanism
    from tossup.shared.mechanisms.numbers.duchi import Duchi
    from tossup.shared.mechanisms.numbers.hybrid import Hybrid
    from tossup.shared.mechanisms.numbers.piecewise import Piecewise
    from tossup.shared.mechanisms.numbers.square_wave import SquareWave
    from tossup.shared.mechanisms.scores.base import ScoredChoice
    from tossup.shared.mechanisms.scores.exponential import Exponential
    from tossup.shared.mechanisms.scores.noisy_max_laplace import NoisyMaxLaplace
    from tossup.shared.mechanisms.scores.permute_and_flip import PermuteAndFlip
    from tossup.shared.mechanisms.scores.ranked_choice import RankedChoice
    from tossup.shared.mechanisms.several.base import SetMechanism, SeveralMechanism
    from tossup.shared.mechanisms.several.per_option_bits import PerOptionBits
    from tossup.shared.mechanisms.several.sampled_options import SampledOptions
    from tossup.shared.mechanisms.several.unrelated_question import UnrelatedQuestion
    from tossup.shared.mechanisms.vectors.base import VectorMechanism
    from tossup.shared.mechanisms.vectors.entry_gaussian import EntryGaussian
    from tossup.shared.mechanisms.vectors.entry_laplace import EntryLaplace
    from tossup.shared.mechanisms.vectors.privunit import PrivUnit
    from tossup.shared.mechanisms.vectors.vector_laplace import VectorLaplace

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

#: Every mechanism by its frozen name, and where its class is: "module:class" of this package.
#: Of equals, ``mechanism = "auto"`` takes the first.
_MECHANISMS: Final = {
    "two-coin/1": "binary.two_coin:TwoCoin",
    "randomized-response/1": "binary.randomized_response:RandomizedResponse",
    "k-ary-randomized-response/1": "choices.k_ary:KaryRandomizedResponse",
    "subset-selection/1": "choices.subset_selection:SubsetSelection",
    "projective-geometry-response/1": "choices.projective_geometry:ProjectiveGeometryResponse",
    "optimized-unary/1": "choices.unary:OptimizedUnary",
    "local-hashing/1": "choices.local_hashing:LocalHashing",
    "symmetric-unary/1": "choices.unary:SymmetricUnary",
    "hadamard-response/1": "choices.hadamard_response:HadamardResponse",
    "permanent-instantaneous/1": "memory.permanent_instantaneous:PermanentInstantaneous",
    "rappor/1": "memory.rappor:Rappor",
    "truncated-geometric/1": "noise.truncated_geometric:TruncatedGeometric",
    "discrete-laplace/1": "noise.discrete_laplace:DiscreteLaplace",
    "discrete-gaussian/1": "noise.discrete_gaussian:DiscreteGaussian",
    "staircase/1": "noise.staircase:Staircase",
    "hybrid/1": "numbers.hybrid:Hybrid",
    "piecewise/1": "numbers.piecewise:Piecewise",
    "duchi/1": "numbers.duchi:Duchi",
    "square-wave/1": "numbers.square_wave:SquareWave",
    "three-outputs/1": "numbers.three_outputs:ThreeOutputs",
    "one-bit-mean/1": "memory.one_bit_mean:OneBitMean",
    "d-bit-flip/1": "memory.d_bit_flip:DBitFlip",
    "privunit/1": "vectors.privunit:PrivUnit",
    "entry-laplace/1": "vectors.entry_laplace:EntryLaplace",
    "vector-laplace/1": "vectors.vector_laplace:VectorLaplace",
    "entry-gaussian/1": "vectors.entry_gaussian:EntryGaussian",
    "exponential/1": "scores.exponential:Exponential",
    "permute-and-flip/1": "scores.permute_and_flip:PermuteAndFlip",
    "noisy-max-laplace/1": "scores.noisy_max_laplace:NoisyMaxLaplace",
    "ranked-choice/1": "scores.ranked_choice:RankedChoice",
    "kuk/1": "binary.kuk:Kuk",
    "prefix-extending/1": "choices.prefix_extending:PrefixExtending",
    "per-option-bits/1": "several.per_option_bits:PerOptionBits",
    "sampled-options/1": "several.sampled_options:SampledOptions",
    "unrelated-question/1": "several.unrelated_question:UnrelatedQuestion",
}

#: The module of every class here that is imported when it is first asked for.
_MODULES: Final = {
    "FrequencyOracle": "choices.oracle",
    "GridMechanism": "numbers.base",
    "KeptBitsMechanism": "memory.kept_bits",
    "MemoMechanism": "memory.kept_bits",
    "ScoredChoice": "scores.base",
    "SetMechanism": "several.base",
    "SeveralMechanism": "several.base",
    "VectorMechanism": "vectors.base",
} | {kind: module for module, kind in (where.split(":") for where in _MECHANISMS.values())}


class _Registry(Mapping[str, type[Mechanism]]):
    """Mechanisms by their frozen names; each is imported when it is first asked for.

    Attributes
    ----------
    loaded
        Those asked for before.
    """

    def __init__(self) -> None:
        self.loaded: dict[str, type[Mechanism]] = {}

    def __getitem__(self, name: str) -> type[Mechanism]:
        if name not in self.loaded:
            module, kind = _MECHANISMS[name].split(":")
            self.loaded[name] = getattr(import_module(f"{__name__}.{module}"), kind)
        return self.loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_MECHANISMS)

    def __len__(self) -> int:
        return len(_MECHANISMS)


#: Every mechanism this version knows, by its frozen name.
MECHANISMS: Final = _Registry()


if not TYPE_CHECKING:  # a type checker reads the imports above, and finds what is misspelt

    def __getattr__(name: str) -> object:
        """Import a class of this package when it is first asked for."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        globals()[name] = value  # the next time is an ordinary look-up
        return value

    def __dir__() -> list[str]:
        """Return the public names, imported or not."""
        return sorted(__all__)


def from_spec(spec: Mapping[str, object], answers: int) -> Mechanism:
    """Return the mechanism that a manifest names, for a question with ``answers`` answers.

    >>> from_spec({"name": "two-coin/1"}, answers=2).odds
    Fraction(3, 1)

    Raises
    ------
    MechanismError
        If the spec is not exactly one that this version knows, or is for other answers.
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


def names_in_files(kind: type[Mechanism]) -> tuple[str, ...]:
    """Return what survey files call a mechanism: mostly its name without the version."""
    return kind.in_files or (kind.name.partition("/")[0],)


def naming_chances(mechanism: Mechanism) -> Channel:
    """Return the channel, or where a report may name several options, that of naming one.

    >>> naming_chances(MECHANISMS["two-coin/1"]())[0]
    (Fraction(3, 4), Fraction(1, 4))
    """
    return mechanism.naming_chances()


def is_large(mechanism: Mechanism) -> bool:
    """Return whether `naming_chances` has too many cells to be shown: above 32 answers."""
    return mechanism.is_large


def chances_to_show(mechanism: Mechanism) -> Channel:
    """Return `naming_chances`, or where that is large, the channel of one option by itself."""
    return mechanism.chances_to_show()
