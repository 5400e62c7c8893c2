"""Sensitivities: every one compared with the largest change that enumeration finds."""

from itertools import product
from math import ceil, exp, inf, log, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import each

from tossup.server.planning.curator import central
from tossup.server.planning.curator.elastic import Join, Table, smooth_elastic
from tossup.server.planning.curator.sensitivity import (
    beta_of,
    clipped,
    mean_global,
    median_smooth,
    smooth,
)
from tossup.server.planning.errors import PlanningError

LOW, HIGH = 0, 3
GRID = range(LOW, HIGH + 1)


def lower_median(values):
    return sorted(values)[ceil(len(values) / 2) - 1]


def mean(values):
    return sum(values) / len(values)


def local(query, values, grid=GRID):
    """Return the largest change by one person's value."""
    here = query(values)
    return max(
        abs(query((*values[:i], new, *values[i + 1 :])) - here)
        for i in range(len(values))
        for new in grid
    )


@each("size", [1, 2, 4])
def test_the_sensitivity_of_a_mean_is_what_enumeration_finds(size):
    """By the whole width over the number of people, wherever the others stand."""
    exact = max(local(mean, values) for values in product(GRID, repeat=size))

    assert exact == pytest.approx(mean_global(LOW, HIGH, size))


@settings(max_examples=25)
@given(st.lists(st.sampled_from(GRID), min_size=1, max_size=4), st.floats(0.05, 2))
def test_smooth_sensitivities_are_what_enumeration_finds(values, beta):
    """The largest exp(-beta distance) times local sensitivity over every data set there is."""
    exact = max(
        exp(-beta * sum(a != b for a, b in zip(values, other, strict=True)))
        * local(lower_median, other)
        for other in product(GRID, repeat=len(values))
    )

    assert exact == pytest.approx(median_smooth(values, LOW, HIGH, beta))


@given(st.lists(st.floats(0, 10), min_size=1, max_size=30), st.floats(0.01, 2))
def test_stopping_early_changes_nothing(gaps, beta):
    """The search for the smooth maximum stops where nothing larger can come."""
    gaps.sort()
    whole = max(exp(-beta * k) * gap for k, gap in enumerate(gaps))

    assert whole == smooth(gaps.__getitem__, beta, len(gaps) - 1)


def test_values_beyond_the_bounds_are_clipped():
    """An outlier moves nothing further than the bound does."""
    assert median_smooth([0, 1, 3], 0, 3, 0.5) == median_smooth([-99, 1, 99], 0, 3, 0.5)
    assert 3 == clipped(0, 3)


EDGES = {"source": 65, "dest": 65}


def triangles() -> Join:
    """Triangles of a graph: its edges joined with themselves twice."""
    one, two, three = (Table(alias, "edges", EDGES) for alias in ("one", "two", "three"))
    paths = Join(one, two, ("one", "dest"), ("two", "source"))
    return Join(paths, three, ("two", "dest"), ("three", "source"))


@pytest.mark.parametrize("k", [0, 1, 10, 1000])
def test_triangles_have_the_published_polynomial(k):
    """Johnson, Near and Song's worked example: 131 + 2k, then 3 k**2 + 393 k + 12871."""
    assert 131 + 2 * k == triangles().left.stability(k)
    assert 3 * k**2 + 393 * k + 12871 == triangles().stability(k)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (0.7, 1e-8), (5, 0.1)])
def test_the_smooth_maximum_is_found_among_few_distances(epsilon, delta):
    """A search ten times as far finds nothing larger."""
    beta = epsilon / (2 * log(2 / delta))
    found = smooth_elastic(triangles(), epsilon, delta, rows=10**9)
    whole = max(exp(-beta * k) * triangles().stability(k) for k in range(ceil(30 / beta)))

    assert whole == found
    assert triangles().stability(0) == smooth_elastic(triangles(), epsilon, delta, 1) or found > 0


def largest(rows, column):
    return max(sum(row[column] == value for row in rows) for value in (0, 1))


def joined(left, right):
    """Count pairs of rows whose second and first entries agree."""
    return sum(a[1] == b[0] for a in left for b in right)


ROWS = list(product((0, 1), repeat=2))


def changed_rows(rows):
    for place in range(len(rows)):
        for new in ROWS:
            yield (*rows[:place], new, *rows[place + 1 :])


@each("rows", list(product(ROWS, repeat=3))[::3])
def test_no_row_moves_a_self_join_further(rows):
    """Every table of three rows over 0 and 1, every changed row."""
    one, two = (Table(a, "t", {"x": largest(rows, 0), "y": largest(rows, 1)}) for a in "ab")
    bound = Join(one, two, ("a", "y"), ("b", "x")).stability(0)
    moved = max(abs(joined(new, new) - joined(rows, rows)) for new in changed_rows(rows))

    assert moved <= bound


@each("left", list(product(ROWS, repeat=2)))
@each("right", list(product(ROWS, repeat=2))[::5])
def test_no_row_moves_a_join_of_two_tables_further(left, right):
    """A row of either table changes; some change reaches the bound for some tables."""
    one = Table("a", "left", {"y": largest(left, 1)})
    two = Table("b", "right", {"x": largest(right, 0)})
    bound = Join(one, two, ("a", "y"), ("b", "x")).stability(0)
    moves = [abs(joined(new, right) - joined(left, right)) for new in changed_rows(left)]
    moves += [abs(joined(left, new) - joined(left, right)) for new in changed_rows(right)]

    assert max(moves) <= bound


def test_a_count_without_joins_is_as_usual():
    """One row moves a plain count by one; only the smooth noise costs twice."""
    plain = central.join_count(Table("a", "t", {}), rows=1000, epsilon=1, delta=1e-6)

    assert 2 * log(20) == pytest.approx(plain.error)


def test_queries_that_make_no_sense_are_refused():
    """An alias used twice, a column without frequency, a frequency of 0."""
    one = Table("a", "t", {"x": 1, "none": 0})
    with pytest.raises(PlanningError, match="stands twice"):
        Join(one, one, ("a", "x"), ("a", "x"))
    other = Table("b", "t", {"x": 1})
    with pytest.raises(PlanningError, match="no frequency"):
        Join(one, other, ("a", "y"), ("b", "x"))
    with pytest.raises(PlanningError, match="at least 1"):
        Join(one, other, ("a", "none"), ("b", "x"))


@pytest.mark.parametrize(("epsilon", "delta"), [(0, 0.1), (nan, 0.1), (9, 0.1), (1, 0), (1, 1)])
def test_smoothness_without_a_proof_is_refused(epsilon, delta):
    """Above epsilon 8 the published noise is no longer enough, so it is not offered."""
    with pytest.raises(PlanningError):
        beta_of(epsilon, delta)


def test_bounds_that_bound_nothing_are_refused():
    """Infinite, reversed or equal bounds; values that are not numbers; no smoothness."""
    for low, high in [(0, inf), (1, 0), (1, 1), (nan, 1)]:
        with pytest.raises(PlanningError):
            clipped(low, high)
    with pytest.raises(PlanningError):
        median_smooth([nan], 0, 1, 1)
    with pytest.raises(PlanningError):
        smooth(lambda _: 1.0, 0, 3)
