"""Mechanisms for vectors as `tossup mechanism show` takes them: by points, or dimension and norm.

Stage: beside the road, for people who choose or check a design.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from tossup.server.kinds.choosing.vector import for_vector
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import Mechanism, from_spec, names_in_files
from tossup.shared.mechanisms.vectors.base import MAX_RADIUS, check_vector
from tossup.shared.mechanisms.vectors.privunit import MAX_DIMENSION


def ways(
    mechanism: type[Mechanism], answers: int, odds: Fraction, delta: Fraction | None
) -> Sequence[Callable[[], Mechanism]]:
    """Return how a mechanism is made of so many points: what to call, two components first."""
    # Numbers of points that are no box: the maker says that there is no such design.
    shapes = _shapes(answers) or [(0, 0)]
    (name, *_) = names_in_files(mechanism)
    return [partial(for_vector, *shape, name, odds, delta) for shape in shapes]


def by_norm(
    mechanism: type[Mechanism],
    parameters: Mapping[str, object],
    odds: Fraction,
    delta: Fraction | None,
) -> Mechanism | None:
    """Return the design of a norm in steps: with its other parameters, or odds.

    None where the parameters have no ``radius``.

    Raises
    ------
    MechanismError
        If the parameters do not fit, or no design has these odds.
    """
    if "radius" not in parameters:
        return None
    rest = dict(parameters)
    radius, dimension = rest.pop("radius"), parameters.get("dimension")
    if type(radius) is not int or type(dimension) is not int:
        raise MechanismError(f"{mechanism.name} takes integers radius and dimension")
    # Otherwise a power would be huge.
    check_vector(dimension, radius, (MAX_DIMENSION, MAX_RADIUS), mechanism.name)
    shape = {"dimension", "components"} & set(mechanism.spec_keys())
    components = rest.get("components", dimension)
    if set(rest) <= shape and type(components) is int:
        (name, *_) = names_in_files(mechanism)
        return for_vector(dimension, radius, name, odds, delta, components=components)
    return from_spec({"name": mechanism.name, **rest}, (2 * radius + 1) ** dimension)


def how_to_ask(mechanism: type[Mechanism], odds: Fraction, delta: Fraction | None) -> str:
    """Return why there is no design, or how one is asked for by dimension and norm."""
    dimension, radius = 2, 32
    (name, *_) = names_in_files(mechanism)
    allowed = f"--odds {odds}" + ("" if delta is None else f" --delta {delta}")
    try:
        for_vector(dimension, radius, name, odds, delta)
    except MechanismError as error:
        return str(error)
    return (
        "give the dimension of the vector and its norm in steps: tossup mechanism show"
        f" {name} {allowed} --set dimension={dimension} --set radius={radius}"
    )


def _shapes(answers: int) -> list[tuple[int, int]]:
    """Return the dimensions and norms in steps that make so many answers, two components first."""
    found = []
    for dimension in (*range(2, answers.bit_length()), 1):
        points = round(answers ** (1 / dimension))
        if points % 2 and points > 1 and points**dimension == answers:
            found.append((dimension, points // 2))
    return found
