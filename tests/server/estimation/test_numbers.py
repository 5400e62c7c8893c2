"""Means, variances and quantiles of numbers: exact where they must be, and covering."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from alarms import least_inside
from sweeps import each, proving

from tossup.server.estimation import (
    EstimationError,
    design_p_value,
    distribution_view,
    estimate_histogram,
    estimate_numbers,
)
from tossup.server.estimation.designs import scores
from tossup.server.estimation.designs.scores import (
    channel_array,
    mean_scores,
    share_scores,
    square_scores,
)
from tossup.server.estimation.intervals.monotone import rising_fit
from tossup.server.kernels import kernel_of
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import (
    MECHANISMS,
    DiscreteGaussian,
    Duchi,
    GridMechanism,
    KaryRandomizedResponse,
    SquareWave,
    TruncatedGeometric,
)

KINDS = [
    kind
    for kind in MECHANISMS.values()
    if issubclass(kind, GridMechanism) and not (kind.has_memo or kind.takes_delta)
]
TENTHS = Grid(Fraction(-1), Fraction(1), Fraction(1, 5))


def designs(points: int = 11, odds: Fraction = Fraction(3)) -> list[GridMechanism]:
    return [kind.for_odds(points, odds) for kind in KINDS]


def names(mechanism: GridMechanism) -> str:
    return mechanism.name


def tally_of(mechanism: GridMechanism, shares: list[Fraction], n: int) -> list[int]:
    """Return counts that are exactly what is expected, where n makes them whole."""
    columns = zip(*mechanism.channel(), strict=True)
    expected = [n * sum(s * p for s, p in zip(shares, c, strict=True)) for c in columns]
    return [int(count) for count in expected]


def exact_scores(mechanism: GridMechanism, targets: list[int]) -> list[Fraction]:
    """Return the one solution of a square channel, by exact elimination."""
    rows = [
        [*map(Fraction, row), Fraction(t)]
        for row, t in zip(mechanism.channel(), targets, strict=True)
    ]
    for at in range(len(rows)):
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(len(rows)):
            if other != at:
                factor = rows[other][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[-1] for row in rows]


@each("points", [2, 3, 7])
@each("odds", [Fraction(3, 2), Fraction(3), Fraction(81)])
def test_solved_scores_are_the_exact_ones(points: int, odds: Fraction):
    """For truncated geometric reports, floats agree with the inverse in exact ratios."""
    design = TruncatedGeometric.for_odds(points, odds)
    exact = exact_scores(design, list(range(points)))

    assert [pytest.approx(float(score), rel=1e-9) for score in exact] == list(mean_scores(design))


@pytest.mark.parametrize("points", [2, 5, 64, 300])
def test_the_truncated_geometric_needs_no_more_than_its_formula(points: int):
    """Scores are the reports, at the ends moved out by alpha / (1 - alpha): to 1e-4 of a step."""
    design = TruncatedGeometric.for_odds(points, Fraction(3))
    alpha = 3 ** (-1 / (points - 1))
    expected = np.arange(points, dtype=float)
    expected[[0, -1]] += np.array([-1, 1]) * alpha / (1 - alpha)

    assert np.abs(mean_scores(design) - expected).max() < 1e-4 * points


@each("mechanism", [*designs(), *designs(33, Fraction(9))])
def test_scores_are_unbiased_for_every_answer(mechanism: GridMechanism):
    """The expected score is the answer, its square or its indicator: to 1e-8, given any answer."""
    channel, answers = channel_array(mechanism), np.arange(mechanism.answers)

    assert np.allclose(channel @ mean_scores(mechanism), answers, atol=1e-8 * mechanism.answers)
    if mechanism.tells_distribution:
        squares = channel @ square_scores(mechanism)
        assert np.allclose(squares, answers**2, atol=1e-8 * mechanism.answers**2)
    if mechanism.tells_order:
        assert np.allclose(channel @ share_scores(mechanism), np.eye(len(answers)), atol=1e-8)


def test_directions_are_looked_at_only_where_they_may_change_scores(monkeypatch):
    """Scores are the same floats as with a look at all; normal noise needs the look."""
    fine = [TruncatedGeometric.for_odds(201, odds) for odds in (Fraction(3, 2), Fraction(9))]
    normal = [DiscreteGaussian.for_odds(n, Fraction(3), Fraction(1, 10**6), n) for n in (11, 65)]
    eigh, looked = np.linalg.eigh, []
    monkeypatch.setattr(np.linalg, "eigh", lambda of: looked.append(len(of)) or eigh(of))
    for mechanism in (*designs(), *fine, *normal):
        steps = np.arange(mechanism.answers, dtype=float)[:, None]
        found, has_looked = scores.solve(mechanism, steps), bool(looked)
        with monkeypatch.context() as always:
            always.setattr(scores, "_is_calm", lambda *_: False)
            assert np.array_equal(scores.solve(mechanism, steps), found), mechanism

        assert not (has_looked and mechanism in fine), mechanism
        assert has_looked or mechanism not in normal, mechanism
        looked.clear()


@each("mechanism", designs())
def test_expected_counts_give_the_true_mean(mechanism: GridMechanism):
    """With as many reports of each value as expected, the mean is the population's."""
    shares = [Fraction(k + 1, 66) for k in range(11)]
    truth = sum(share * TENTHS.number(k) for k, share in enumerate(shares))
    mean = estimate_numbers(tally_of(mechanism, shares, 10**12), mechanism, TENTHS)[0]

    assert "mean" == mean.statistic
    assert pytest.approx(float(truth), abs=1e-6) == mean.value


@each("mechanism", [m for m in designs() if m.tells_distribution])
def test_expected_counts_give_the_true_variance(mechanism: GridMechanism):
    """The variance of the answers, not that of the reports."""
    shares = [Fraction(k + 1, 66) for k in range(11)]
    numbers = [float(TENTHS.number(k)) for k in range(11)]
    truth = np.cov(numbers, aweights=[float(s) for s in shares], ddof=0)
    found = estimate_numbers(tally_of(mechanism, shares, 10**12), mechanism, TENTHS)

    assert pytest.approx(float(truth), abs=1e-5) == found[1].value


@pytest.mark.parametrize("mechanism", [m for m in designs() if m.tells_order], ids=names)
def test_expected_counts_give_the_true_quantiles(mechanism: GridMechanism):
    """Median and quartiles are points of the grid, inside their intervals."""
    shares = [Fraction(k + 1, 66) for k in range(11)]
    found = estimate_numbers(tally_of(mechanism, shares, 10**12), mechanism, TENTHS)
    quantiles = {line.statistic: line for line in found[2:]}

    assert {"q1": 0.0, "median": 0.4, "q3": 0.8} == {
        name: round(line.value, 9) for name, line in quantiles.items()
    }
    assert all(line.value in line.interval for line in quantiles.values())


@pytest.mark.parametrize(
    "mechanism",
    proving(
        designs(11, Fraction(9)),
        but=[Duchi.for_odds(11, Fraction(9))],
    ),
    ids=names,
)
def test_intervals_of_the_mean_cover(mechanism: GridMechanism):
    """At n = 500, of 1,000 surveys 914 or more intervals hold the true mean.

    At a coverage of 95 % fewer do in one of a million runs.
    """
    grid = Grid.integers(0, 10)
    answers = [25, 0, 50, 75, 0, 100, 100, 50, 0, 50, 50]
    truth = sum(k * count for k, count in enumerate(answers)) / 500
    kernel = kernel_of(mechanism)
    held = 0
    for _ in range(1000):
        mean = estimate_numbers(kernel.simulate(answers).tolist(), mechanism, grid)[0]
        held += truth in mean.interval

    # The answers are fixed here, so the interval, made for a sample, covers a little more.
    assert least_inside(1000, 0.95) <= held


@pytest.mark.parametrize(
    "mechanism",
    proving(designs(), but=[Duchi.for_odds(11, Fraction(3))]),
    ids=names,
)
def test_standard_errors_are_the_spread_of_estimates(mechanism: GridMechanism):
    """Over 2,000 surveys of one answer, the estimates spread as told, within 10 %.

    A sample standard deviation of 2,000 is off by 10 % with probability below 1e-9.
    """
    grid, kernel = Grid.integers(0, 10), kernel_of(mechanism)
    people = [0] * 11
    people[3] = 400
    found = [
        estimate_numbers(kernel.simulate(people).tolist(), mechanism, grid)[0] for _ in range(2000)
    ]
    spread = np.std([line.value for line in found])
    told = np.sqrt(np.mean([line.standard_error**2 for line in found]))

    assert pytest.approx(told, rel=0.1) == spread


@each("mechanism", designs())
def test_reports_that_agree_by_chance_are_not_taken_for_certainty(mechanism: GridMechanism):
    """Ten equal reports: the error is at least what the coins alone must cause."""
    counts = [0] * mechanism.counters
    counts[mechanism.counters // 2] = 10
    mean = estimate_numbers(counts, mechanism, Grid.integers(0, 10))[0]
    channel, scores = channel_array(mechanism), mean_scores(mechanism)
    least = min(channel @ scores**2 - np.arange(11) ** 2)

    assert pytest.approx(np.sqrt(least / 10)) == mean.standard_error
    assert mean.interval.low < mean.interval.high


def test_quartiles_of_reports_that_agree_by_chance_are_uncertain():
    """Twenty reports of one value: an interval, and not that value alone."""
    design = TruncatedGeometric.for_odds(11, Fraction(27))
    found = estimate_numbers([20, *[0] * 10], design, Grid.integers(0, 10))
    median = next(line for line in found if line.statistic == "median")

    assert median.interval.low < median.interval.high


def test_quantile_intervals_cover():
    """Of 400 surveys at 27 to 1, at least 350 intervals hold the true median.

    If each held it with 95 %, fewer would with probability below 1e-6.
    """
    grid, design = Grid.integers(0, 4), TruncatedGeometric.for_odds(5, Fraction(27))
    kernel, held = kernel_of(design), 0
    for _ in range(400):
        found = estimate_numbers(kernel.simulate([100, 150, 300, 400, 50]).tolist(), design, grid)
        held += 2 in found[3].interval

    assert 350 <= held


def test_quartiles_are_near_the_truth_on_average():
    """Over 200 surveys of 41 equally common answers, told quartiles are right to 2 points.

    About 97 surveys tell each, with a standard deviation of 2.9 points: 2 are above 5 of the
    mean's, even from the bias of half a point that rounding to the grid leaves.
    """
    grid, design = Grid.integers(0, 40), TruncatedGeometric.for_odds(41, Fraction(27))
    kernel = kernel_of(design)
    runs = [
        estimate_numbers(kernel.simulate([50] * 41).tolist(), design, grid)[2:] for _ in range(200)
    ]
    for name, truth in {"q1": 10, "q3": 30}.items():
        values = [line.value for run in runs for line in run if line.statistic == name]
        assert abs(np.mean(values) - truth) < 2


def test_quantiles_that_reports_do_not_tell_are_left_out():
    """Ten reports at odds 3: an interval of the whole grid names no point."""
    design = TruncatedGeometric.for_odds(11, Fraction(3))
    found = estimate_numbers([10, *[0] * 10], design, Grid.integers(0, 10))

    assert ["mean", "variance"] == [line.statistic for line in found]


@each("seed", range(20))
def test_a_rising_fit_is_the_best_of_all(seed: int):
    """No way to cut seven values into blocks at their means rises and lies nearer to them."""
    random = np.random.default_rng(seed)
    values, weights = random.normal(size=7), random.uniform(0.1, 5, size=7)
    fit = rising_fit(values, weights)
    distances = []
    for cuts in (c for size in range(7) for c in combinations(range(1, 7), size)):
        blocks = np.split(np.arange(7), cuts)
        means = [np.average(values[block], weights=weights[block]) for block in blocks]
        if means == sorted(means):
            spread = np.repeat(means, [len(block) for block in blocks])
            distances.append(weights @ (values - spread) ** 2)

    assert (np.diff(fit) >= 0).all()
    assert pytest.approx(min(distances)) == weights @ (values - fit) ** 2


@pytest.mark.parametrize("mechanism", [m for m in designs() if m.tells_order], ids=names)
def test_expected_counts_give_the_true_histogram(mechanism: GridMechanism):
    """Raw shares of all points are the population's, and sum to 1."""
    shares = [Fraction(k + 1, 66) for k in range(11)]
    found = estimate_histogram(tally_of(mechanism, shares, 10**12), mechanism, TENTHS)

    assert [pytest.approx(float(s), abs=1e-5) for s in shares] == [p.value for p in found]
    assert pytest.approx(1) == sum(point.value for point in found)
    assert [TENTHS.number(k) for k in range(11)] == [point.number for point in found]


def test_a_view_is_a_distribution_near_the_truth():
    """Square wave with smoothing: shares from 0 to 1, sum 1, total variation below 0.1."""
    design = SquareWave.for_odds(32, Fraction(27))
    people = [1000 * k for k in range(16)] + [1000 * k for k in range(16, 0, -1)]
    view = distribution_view(kernel_of(design).simulate(people).tolist(), design, smooth=True)
    truth = np.array(people) / sum(people)

    assert pytest.approx(1) == sum(view)
    assert min(view) >= 0
    assert np.abs(truth - view).sum() / 2 < 0.1


def test_a_mean_tells_no_distribution():
    """Two reports cannot tell how answers are spread, and it is said."""
    assert 1 == len(estimate_numbers((40, 60), Duchi(11), Grid.integers(0, 10)))
    with pytest.raises(EstimationError, match="tell a mean"):
        distribution_view((40, 60), Duchi(11), smooth=False)


@each("counts", [(), (0, 0, 0), (1, 2), (1, 2, 3, 4), (5, -1, 3), (1.5, 2, 3), (True, 2, 3)])
def test_counts_that_do_not_fit_are_refused(counts: tuple[int, ...]):
    """One non-negative integer a report, and at least one report."""
    design, grid = TruncatedGeometric(3, (6, 3, 2)), Grid.integers(0, 2)
    with pytest.raises(EstimationError):
        estimate_numbers(counts, design, grid)
    with pytest.raises(EstimationError):
        estimate_histogram(counts, design, grid)
    with pytest.raises(EstimationError):
        distribution_view(counts, design, smooth=True)


def test_a_grid_of_other_points_is_refused():
    """Scores in steps of one grid would be read in those of another."""
    design, grid = TruncatedGeometric(3, (6, 3, 2)), Grid.integers(0, 10)
    with pytest.raises(EstimationError, match="11 points"):
        estimate_numbers((1, 2, 3), design, grid)
    with pytest.raises(EstimationError, match="11 points"):
        estimate_histogram((1, 2, 3), design, grid)


def test_a_mechanism_for_choices_is_refused():
    """Its answers have no order."""
    design, grid = KaryRandomizedResponse(3), Grid.integers(0, 2)
    with pytest.raises(EstimationError, match="mechanism for numbers"):
        estimate_numbers((1, 2, 3), design, grid)
    with pytest.raises(EstimationError, match="mechanism for numbers"):
        estimate_histogram((1, 2, 3), design, grid)
    with pytest.raises(EstimationError, match="mechanism for numbers"):
        distribution_view((1, 2, 3), design, smooth=True)


def test_means_are_kept_raw_and_told_to_be_hard_to_explain():
    """All reports high: a mean above the bounds, whose chance under the design is told."""
    grid = Grid.integers(0, 10)
    (mean,) = estimate_numbers((10, 990), Duchi(11), grid)
    (fair,) = estimate_numbers((251, 749), Duchi(11), grid)

    assert mean.value > 10
    assert design_p_value(mean, grid) < 1e-6
    assert design_p_value(fair, grid) == 1
