"""What the public estimators give for fixed counts, as plain JSON values.

``python tests/support/golden_estimates.py`` writes `FILE` anew: what results are is frozen, so
that is right only where a mechanism or a figure is added, and the difference must be nothing else.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tossup.server import estimation
from tossup.server.catalogue import design
from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.source import seeded
from tossup.server.kernels.vectors import VectorKernel
from tossup.shared.errors import MechanismError, TossupError
from tossup.shared.kinds.number import Grid
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import (
    MECHANISMS,
    EntryGaussian,
    EntryLaplace,
    GridMechanism,
    Mechanism,
    PrivUnit,
    SeveralMechanism,
    TableMechanism,
    VectorLaplace,
    VectorMechanism,
    from_spec,
)
from tossup.shared.mechanisms.digits import from_digits

FILE = Path(__file__).parents[1] / "server" / "estimation" / "golden_estimates.json"
CONFIDENCES = (0.9, 0.99)
METHODS = ("score", "exact", "profile", "wald", "normal")

_VECTORS = (
    VectorLaplace(2, 4, window=40),
    PrivUnit(2, 64, 14994),
    EntryGaussian(2, 16, 1569, 20743),
    EntryLaplace(2, 16, 2, 2353),
)

#: What a result is asked for, where it has it.
FIGURES = (
    *("n", "named", "value", "values", "exact", "standard_error", "standard_errors"),
    *("respondents_standard_error", "respondents_standard_errors", "ends", "possible", "cells"),
    *("covariance", "respondents_covariance", "design_p_value", "warning", "title", "facts"),
    *("procedure", "usual", "observed"),
)
#: What it is asked for at each confidence.
AT_CONFIDENCE = ("lines", "intervals", "simultaneous", "shown_at")


def plain(value: Any) -> Any:
    """Return a value as JSON has it; of an object all fields but what was made beside it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if not is_dataclass(value) and isinstance(value, Iterable):
        return [plain(each) for each in value]
    names = value.__dataclass_fields__
    return {name: plain(getattr(value, name)) for name in names if name != "among"}


def tried(make: Callable[[], Any]) -> Any:
    """Return what is made, or why it is refused."""
    try:
        made = make()
        return plain(made() if callable(made) else made)
    except TossupError as error:
        return f"{type(error).__name__}: {error}"
    except TypeError:
        return "TypeError"


def told(result: Any) -> dict[str, Any]:
    """Return what a result says of itself: each figure, and every interval."""
    found = {
        name: tried(lambda n=name: getattr(result, n)) for name in FIGURES if name in dir(result)
    }
    found["str"] = str(result)
    for confidence in CONFIDENCES:
        for name in AT_CONFIDENCE:
            if hasattr(result, name):
                found[f"{name} {confidence}"] = tried(partial(getattr(result, name), confidence))
        if hasattr(result, "shared_interval"):
            found |= _intervals(result, confidence)
    if hasattr(result, "summary"):
        found["summary"] = tried(result.summary)
    return found


def _intervals(share: Any, confidence: float) -> dict[str, Any]:
    """Return the intervals of a share, by every method, among others, and at every look."""
    made: dict[str, Callable[[], Any]] = {
        "one of 3": lambda: share.shared_interval(confidence, "score", among=3)
    }
    for method in METHODS:
        made[method] = lambda m=method: share.interval(confidence, m)
    if hasattr(share, "ends"):
        made["forged"] = lambda: estimation.forged_interval(share, 0.05, confidence, share.usual)
        made["anytime"] = lambda: estimation.anytime_interval(share, confidence)
    return {f"{name} {confidence}": tried(make) for name, make in made.items()}


def of_mechanism(mechanism: Mechanism, counts: tuple[int, ...]) -> Any:
    """Return what all estimators that take a mechanism say of its tally."""
    if isinstance(mechanism, GridMechanism):
        return _of_numbers(mechanism, counts)
    if isinstance(mechanism, VectorMechanism):
        return _of_vector(mechanism, counts)
    made = {
        "answers": lambda: _of_answers(estimation.estimate_answers(counts, mechanism)),
        "together": lambda: estimation.shares_covariance(counts, mechanism),
        "counts": lambda: str(estimation.estimate_counts(counts, mechanism)),
        "shares": lambda: _matrices(estimation.estimate_shares(counts, mechanism)),
        "several": lambda: told(estimation.estimate_several(counts, mechanism)),
    }
    if not isinstance(mechanism, SeveralMechanism):
        del made["several"]
    return {name: tried(make) for name, make in made.items()}


def _of_answers(shares: tuple[Any, ...]) -> Any:
    """Return all of what the last share says, and the figures of the others."""
    *others, last = shares
    return [*([each.value, each.interval(0.9)] for each in others), told(last)]


def _matrices(shares: estimation.SharesEstimate) -> Any:
    """Return what shares of all options say that the shares one by one do not."""
    return [shares.covariance, shares.respondents_covariance, shares.simultaneous(0.9)]


def _of_numbers(mechanism: GridMechanism, counts: tuple[int, ...]) -> Any:
    grid = Grid.integers(0, mechanism.answers - 1)
    found = [
        tried(partial(make, counts, mechanism, grid, confidence))
        for confidence in CONFIDENCES
        for make in (estimation.estimate_numbers, estimation.estimate_histogram)
    ]
    return [*found, tried(lambda: estimation.distribution_view(counts, mechanism))]


def _of_vector(mechanism: VectorMechanism, counts: tuple[int, ...]) -> Any:
    names = tuple(f"c{place}" for place in range(2))
    vector = VectorAnswer(names, Fraction(1), Fraction(1, mechanism.radius))
    return [
        tried(lambda c=c: estimation.estimate_vector(counts, mechanism, vector, c))
        for c in CONFIDENCES
    ]


def _examples() -> Iterator[tuple[Mechanism, tuple[int, ...]]]:
    """Yield designs of every mechanism, with usual, few and hardly possible counts."""
    for name in MECHANISMS:
        if name == "prefix-extending/1":
            continue  # texts have figures of their own, in test_texts
        if issubclass(MECHANISMS[name], VectorMechanism):
            continue
        for options in (2, 4):
            with suppress(MechanismError):
                yield from _tallies(design(name, options, Fraction(3)))
    for mechanism in _VECTORS:
        middle = from_digits([mechanism.radius] * mechanism.dimension, 2 * mechanism.radius + 1)
        for size in (3, 300):
            with seeded(size):
                yield mechanism, tuple(VectorKernel(mechanism).toss([middle] * size).tolist())


def _tallies(mechanism: Mechanism) -> Iterator[tuple[Mechanism, tuple[int, ...]]]:
    every = [answer for answer in range(mechanism.answers) if mechanism.is_answer(answer)]
    for size, chosen in ((600, every), (7, every), (60, every[:1])):
        truth = [0] * mechanism.answers
        for person in range(size):
            truth[chosen[(person * person) % len(chosen)]] += 1
        with seeded(size + mechanism.answers):
            yield mechanism, tuple(kernel_of(mechanism).simulate(truth).tolist())
    if isinstance(mechanism, TableMechanism):
        yield mechanism, (40, *[0] * (mechanism.counters - 1))


PAPERS: Mapping[str, Mapping[str, object]] = {
    "two-coin": {},
    "warner": {"p": "7/10"},
    "forced": {"forced_yes": "1/6", "forced_no": "1/6"},
    "disguised": {"p": 0.8},
    "unrelated": {"p": "2/3", "prevalence": "1/4"},
    "crosswise": {"p": "1/4"},
    "triangular": {"p": "1/4"},
    "mangat": {"p": "3/4"},
    "kuk": {"red_yes": "3/4", "red_no": "7/20"},
    "direct": {},
    "custom": {"channel": "3/4 1/4; 1/3 2/3"},
}


def papers() -> dict[str, Any]:
    """Return what is told of counts of designs from paper."""
    e = estimation
    rows = [{"name": name, "design": name, "yes": 131, "n": 400, **p} for name, p in PAPERS.items()]
    cards = e.kuk(yes="3/4", no="7/20", draws=3)
    both, other = ["crosswise p=1/4", "crosswise p=2/5"], ("7/10", "3/10")
    alike = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    uneven = [["1/2", "1/4", "1/4"], ["1/5", "3/5", "1/5"], ["1/4", "1/8", "5/8"]]
    made: dict[str, Callable[[], Any]] = {
        "none yes": lambda: e.estimate(yes=0, n=50, design="two-coin"),
        "table": lambda: e.estimate_table(rows),
        "cards": lambda: e.estimate_counts((50, 150, 190, 200), cards),
        "moments": lambda: e.estimate_moments((50, 150, 190, 200), cards),
        "samples": lambda: e.estimate(yes=[320, 280], n=[500, 500], design=both),
        "one design": lambda: e.estimate(yes=[320, 280], n=[500, 500], design="two-coin"),
        "unknown": lambda: e.unrelated_unknown((180, 400), (120, 400), p=other),
        "lie": lambda: e.stochastic_lie_detector((210, 400), (180, 400), p=other),
        "cheating": lambda: e.cheating_detection((210, 400), (180, 400), yes=("1/6", "1/2")),
        "three": lambda: e.estimate_counts((50, 30, 20), alike),
        "uneven": lambda: e.estimate_counts((50, 30, 20), uneven),
    }
    found = {name: tried(partial(_told_of, make)) for name, make in made.items()}
    for name, parameters in PAPERS.items():
        design = e.design_named(name, parameters)
        found[name] = [told(e.estimate(yes=131, n=400, design=design)), plain(design), str(design)]
    return found


def _told_of(make: Callable[[], Any]) -> Any:
    return told(make())


def several() -> dict[str, Any]:
    """Return what is made of several results, of joint reports and of weighted ones."""
    e = estimation
    first, second = (e.estimate(yes=y, n=n, design="two-coin") for y, n in ((400, 900), (300, 800)))
    third = e.estimate(yes=250, n=800, design="warner p=3/4")
    table = e.estimate_joint([[320, 290], [270, 320]], ["two-coin", "warner p=3/4"])
    designs = [e.two_coins(), e.warner("7/10")] * 4
    weighted = e.sample([1, 0, 1, 1, 0, 0, 1, 0], designs, weights=[1, 2, 1, 3, 1, 1, 2, 1])
    (pooled,) = e.pooled({"a": first, "b": second}, 1500).values()
    results = {
        "difference": e.Difference(first, second),
        "other design": e.Difference(first, third),
        "ratio": e.Ratio(first, second),
        "pairs": e.compare_pairs({"a": first, "b": second, "c": third}),
        "trend": e.trend([first, second, third]),
        "pooled": pooled,
        "joint": table,
        "weighted": e.weighted_share(weighted),
    }
    values = {
        "significance": e.same_shares([first, second, third]),
        "denial": e.if_some_deny(first, (0.05, 0.2)),
        "random": e.if_some_answer_at_random(first, (0.05, 0.2)),
        "association": [e.independence(table), e.phi(table), e.odds_ratio(table)],
    }
    return {name: told(result) for name, result in results.items()} | plain(values)


def written() -> dict[str, Any]:
    """Return all cases with what is told of them now."""
    cases = [
        {
            "mechanism": mechanism.spec(),
            "answers": mechanism.answers,
            "counts": list(counts),
            "told": of_mechanism(mechanism, counts),
        }
        for mechanism, counts in _examples()
    ]
    return {"mechanisms": cases, "papers": papers(), "several": several()}


def mechanism_of(case: Mapping[str, Any]) -> Mechanism:
    """Return the mechanism of a case."""
    return from_spec(case["mechanism"], answers=case["answers"])


def differences(expected: Any, found: Any, where: str = "") -> Iterator[str]:
    """Yield where two values differ: numbers by more than 1e-12 of their size, others at all."""
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        for key in expected:
            yield from differences(expected[key], found[key], f"{where}/{key}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, pair in enumerate(zip(expected, found, strict=True)):
            yield from differences(*pair, f"{where}/{place}")
    elif isinstance(expected, float) and isinstance(found, float):
        same = expected == found or (expected != expected and found != found)
        if not same and not abs(expected - found) <= 1e-12 * max(1.0, abs(expected)):
            yield f"{where}: {expected!r} became {found!r}"
    elif expected != found or type(expected) is not type(found):
        yield f"{where}: {expected!r} became {found!r}"


if __name__ == "__main__":
    FILE.write_text(
        json.dumps(written(), separators=(",", ":"), ensure_ascii=False) + "\n", "utf-8"
    )
