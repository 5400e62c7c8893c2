"""Golden values of mechanisms for numbers, and what it takes to compare with them."""

import json
from fractions import Fraction
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def golden() -> dict[str, dict]:
    """Values of the continuous mechanisms on [-1, 1] by epsilon, with their sources."""
    rows = json.loads(Path(__file__).with_name("golden_numeric.json").read_text())["rows"]
    return {row["eps"]: row for row in rows}


@pytest.fixture(scope="session")
def golden_runs() -> dict[str, list[float]]:
    """Figures of simulated continuous mechanisms beside the exact ones."""
    return json.loads(Path(__file__).with_name("golden_numeric.json").read_text())["simulation"]


@pytest.fixture(scope="session")
def unit_variance():
    """Return a variance in squared steps as one on [-1, 1]."""

    def scale(variance: Fraction, points: int) -> float:
        return float(variance) * (2 / (points - 1)) ** 2

    return scale


@pytest.fixture(scope="session")
def ratio():
    """Return e**epsilon as the largest ratio that a design's weights take."""

    def largest(kind, epsilon: float, points: int) -> Fraction:
        from decimal import Decimal

        from tossup.shared.odds import largest_odds

        return largest_odds(Decimal(repr(epsilon)), limit=kind.ratio_limit(points))

    return largest
