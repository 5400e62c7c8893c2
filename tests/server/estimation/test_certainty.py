"""No information is never shown as certainty: every estimator, over every small data set.

Randomized reports may all agree, or cancel, by chance. Whatever they say, each estimate either has
an error and intervals that are wider than nothing, or is refused by an error that says why. One
loop for each kind of data; the message names the case. `make test` takes sizes that tell of each
estimator, `make prove` all of them.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from inspect import isclass
from itertools import combinations, pairwise, product
from pathlib import Path

import numpy as np
import pytest
from claims import claims

from tossup.server import estimation
from tossup.server.estimation import (
    CardsShare,
    Difference,
    EstimationError,
    Ratio,
    Result,
    WeightedDifference,
    anchored,
    answer_correlation,
    anytime_interval,
    changes,
    cheating_detection,
    compare_pairs,
    crosswise,
    custom,
    estimate,
    estimate_answers,
    estimate_counts,
    estimate_histogram,
    estimate_joint,
    estimate_moments,
    estimate_numbers,
    estimate_points,
    estimate_several,
    estimate_share,
    estimate_shares,
    estimate_table,
    estimate_vector,
    estimate_yes,
    forced_response,
    forged_interval,
    forged_intervals,
    horvitz_thompson,
    if_some_answer_at_random,
    if_some_deny,
    inverse_shares,
    kuk,
    mangat,
    odds_ratio,
    phi,
    pooled,
    post_stratified,
    regress,
    regress_choice,
    regress_grouped,
    regress_number_on,
    regress_on,
    regress_with_denial,
    sample,
    score_sequence,
    scrambled,
    shares_covariance,
    stochastic_lie_detector,
    trend,
    triangular,
    two_coins,
    unrelated_question,
    unrelated_unknown,
    warner,
    weighted_share,
)
from tossup.server.estimation.texts import estimate_texts
from tossup.server.kernels.vectors import VectorKernel
from tossup.server.kinds.choosing.vector import for_vector
from tossup.shared.coins import Coins
from tossup.shared.kinds.number import Grid
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import (
    DiscreteGaussian,
    Duchi,
    Exponential,
    HadamardResponse,
    KaryRandomizedResponse,
    Kuk,
    PrefixExtending,
    RankedChoice,
    SampledOptions,
    SubsetSelection,
    TruncatedGeometric,
    UnrelatedQuestion,
)
from tossup.shared.mechanisms.scores.base import in_a_row

COINS = two_coins()
DESIGNS = (
    COINS,
    warner("4/5"),
    forced_response(yes="1/6", no="1/12"),
    crosswise("9/20"),
    triangular("1/4"),
    mangat("7/10"),
    forced_response(yes="1/730", no="1/730"),
    forced_response(yes="0", no="1/6"),
    forced_response(yes="1/6", no="0"),
)
#: Coins that never change a no, coins that never change a yes.
ONE_SIDED = DESIGNS[-2:]


@dataclass(frozen=True)
class Sizes:
    """How many reports there are: sets of all counts of so many, and reports that all agree.

    Of yes-no questions alone, `every` is how many agree.
    Of combinations of data sets every `step`-th is taken, which shares no factor with their number.
    """

    few: Sequence[int]
    agreeing: Sequence[int]
    every: Sequence[int]
    step: int


#: Neighbours fall under the same rules for few reports; 2000 are more than any such rule is for.
_AGREEING = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 19, 30, 50, 99, 200, 2000)
SOME = Sizes((1, 2, 3, 4), _AGREEING, _AGREEING, step=5)
ALL = Sizes(range(1, 13), (*range(1, 41), *range(44, 201, 6), 2000), range(1, 201), step=1)
swept = pytest.mark.parametrize(
    "sizes", [SOME, pytest.param(ALL, marks=pytest.mark.prove)], ids=["some", "all"]
)
#: Far above what rounding leaves, and far below what any coins leave of so few reports.
NOTHING = 1e-5


def made(ask: Callable[..., object], *given: object, **named: object) -> object | None:
    """Return what an estimator gives; None where it refuses by name."""
    try:
        return ask(*given, **named)
    except EstimationError:
        return None


def wide(found: object, case: object) -> None:
    """Each line of a result has an error and an interval that are more than nothing."""
    if found is None:
        return
    assert isinstance(found, Result)
    for line in made(found.lines) or ():
        assert line.stderr is None or line.stderr > NOTHING, (case, line)
        assert line.interval is not None, (case, line)
        spans(line.interval, (case, line))
    for part in (found, *(option for option in getattr(found, "options", ()) if option)):
        for name, amount in claims(part):
            assert amount > NOTHING, (case, type(part).__name__, name, amount)


def spans(interval, case: object) -> None:
    assert interval is None or interval.high - interval.low > NOTHING, case


def parts(n: int, kinds: int) -> Iterator[tuple[int, ...]]:
    """Yield all counts of so many kinds that sum to n."""
    for bars in combinations(range(n + kinds - 1), kinds - 1):
        ends = (-1, *bars, n + kinds - 1)
        yield tuple(b - a - 1 for a, b in pairwise(ends))


def small(sizes: Sizes, kinds: int, *, most: int = 12) -> Iterator[tuple[int, ...]]:
    """Yield all counts of so many kinds of as few reports, `most` of them at most."""
    return (counts for n in sizes.few if n <= most for counts in parts(n, kinds))


def of_one_kind(sizes: Sizes, kinds: int) -> Iterator[tuple[int, ...]]:
    """Yield the counts of so many kinds in which all reports agree."""
    for n, kind in product(sizes.agreeing, range(kinds)):
        yield tuple(n * (kind == place) for place in range(kinds))


@swept
def test_shares_of_yes(sizes: Sizes):
    """Every interval, at one look and at every look, of reports forged, denied and as shown."""
    mixed = [(yes, n) for n in sizes.few for yes in range(n + 1)]
    equal = [(yes, n) for n in sizes.every for yes in (0, n)]
    for place, (design, (yes, n)) in enumerate(product(DESIGNS, mixed + equal)):
        share, case = estimate(yes=yes, n=n, design=design), (design.name, yes, n)
        wide(share, case)
        assert share.stderr > NOTHING, case
        for method in ("score", "wald", "profile"):
            spans(made(share.interval, 0.95, method), (*case, method))
        if place % 7 == 0:
            spans(share.interval(0.95, "exact"), case)
            spans(anytime_interval(share), case)
            for found in (*forged_intervals(share), *if_some_deny(share)):
                spans(found.interval, (*case, found))


@swept
def test_two_groups(sizes: Sizes):
    """Differences and ratios, of groups of one to four reports and of two designs."""
    few = [(yes, n) for n in (1, 2, 4, 200) for yes in {0, 1, n}]
    designs = (COINS, crosswise("1/4"), triangular("1/4"))
    shares = [estimate(yes=yes, n=n, design=d) for (yes, n), d in product(few, designs)]
    for first, second in [*product(shares, repeat=2)][:: sizes.step]:
        wide(Difference(first, second), (first, second))
        wide(made(Ratio, first, second), (first, second))


@swept
def test_trends_and_changes(sizes: Sizes):
    """Three waves of one to three reports each, or all agreeing; waves that share people."""
    few = [(yes, n) for n in (1, 3, 200) for yes in {0, 1, n}]
    for waves in [*product(few, repeat=3)][:: sizes.step]:
        shares = [estimate(yes=yes, n=n, design=COINS) for yes, n in waves]
        wide(trend(shares), waves)
        mixed = [*shares[:2], estimate(yes=waves[2][0], n=waves[2][1], design=warner("4/5"))]
        wide(trend(mixed), waves)


@swept
def test_choices(sizes: Sizes):
    """All shares, their covariance and what is said at every look, of all kinds of choices."""
    mechanisms = (
        KaryRandomizedResponse(3, 5, 2),
        KaryRandomizedResponse(3, 729, 1),
        Exponential(in_a_row(3), keep=2),
        Exponential(in_a_row(3), keep=1000),
        RankedChoice((6, 4, 2)),
    )
    for mechanism in mechanisms:
        for place, counts in enumerate([*small(sizes, 3), *of_one_kind(sizes, 3)]):
            case = (mechanism.name, counts)
            _wide_answers(estimate_answers(counts, mechanism), case, at_every_look=place % 5 == 0)
            if place % 5 == 0:
                covariance = shares_covariance(counts, mechanism)
                for matrix in (covariance.population, covariance.respondents):
                    assert matrix is None or matrix.diagonal().min() > NOTHING**2, case
                    assert matrix is None or np.linalg.eigvalsh(matrix).min() > -1e-9, case


def _wide_answers(shares: Iterable, case: object, *, at_every_look: bool) -> None:
    for share in shares:
        wide(share, case)
        spans(share.shown.interval, case)
        if at_every_look:
            spans(anytime_interval(share), case)


@swept
def test_oracles_and_several_options(sizes: Sizes):
    """Options that nobody's report supports, or everybody's."""
    for oracle in (SubsetSelection(4, 2), HadamardResponse(3, 5, 2)):
        for n in (1, 2, 12, 200, 2000):
            for supports in product({0, n // 2, n}, repeat=oracle.answers):
                found = estimate_shares((*supports, n), oracle)
                wide(found, (oracle.name, supports, n))
                assert found.covariance.diagonal().min() > NOTHING**2, (oracle.name, supports, n)
    for counts in (*small(sizes, 4, most=5), *of_one_kind(sizes, 4)):
        wide(made(estimate_counts, counts, SampledOptions(2, most=2)), counts)


@swept
def test_cards_and_moments(sizes: Sizes):
    """Numbers of red cards, by every interval; the same design by moments."""
    for mechanism in (Kuk(2, ((2, 1), (1, 2))), Kuk(2, ((500, 1), (1, 500)))):
        agreeing = (c for c in of_one_kind(sizes, 3) if sum(c) in {50, 200, 2000})
        for counts in (*small(sizes, 3), *agreeing):
            shares = estimate_answers(counts, mechanism)
            _wide_answers(shares, counts, at_every_look=sum(counts) > 10)
            for method in ("exact", "profile") if sum(counts) % 3 == 0 else ():
                of = CardsShare(counts, mechanism) if method == "exact" else shares[1]
                spans(of.interval(0.95, method), (counts, method))
            wide(made(estimate_moments, counts, kuk(yes="2/3", no="1/3", draws=2)), counts)
    for draws, (yes, no) in product(
        (1, 2), (("2/3", "0"), ("1", "1/3"), ("0", "1/2"), ("1/2", "1"))
    ):
        for counts in of_one_kind(sizes, draws + 1):
            for ask in (estimate_moments, estimate_counts):
                wide(made(ask, counts, kuk(yes=yes, no=no, draws=draws)), (yes, no, counts))


@swept
def test_statements(sizes: Sizes):
    """Both samples, however their reports agree."""
    mechanism = UnrelatedQuestion(7, 3, 5)
    few = (counts for counts in small(sizes, 4, most=7) if sum(counts) > 1)
    equal = (
        counts
        for n in (12, 50, 200, 2000)
        for counts in product((0, n), repeat=4)
        if sum(counts) == 2 * n
    )
    for counts in (*few, *equal):
        found = made(estimate_counts, counts, mechanism)
        wide(found, counts)
        if found:
            _wide_answers(found.statements, counts, at_every_look=True)
            matrix = shares_covariance(counts, mechanism).population
            assert np.linalg.eigvalsh(matrix).min() > NOTHING**2, counts


@swept
def test_two_samples(sizes: Sizes):
    """Lies, cheating and an unknown prevalence, from samples that agree."""
    pairs = [(yes, n) for n in (1, 2, 3, 7, 12) if n in sizes.few for yes in range(n + 1)]
    pairs += [(yes, n) for n in (50, 200, 2000) for yes in (0, n)]
    for first, second in product(pairs, repeat=2):
        case = (first, second)
        wide(made(stochastic_lie_detector, *case, p=("1/6", "5/6")), case)
        wide(made(cheating_detection, *case, yes=("2/3", "1/3")), case)
        wide(made(cheating_detection, *case, yes=("2/3", "1/3"), no=("1/6", "1/3")), case)
        wide(made(unrelated_unknown, *case, p=("7/10", "3/10")), case)


@swept
def test_anchored_shares(sizes: Sizes):
    """A question beside its anchor: reports that agree with each other cancel nothing."""
    for counts in (*small(sizes, 4), *of_one_kind(sizes, 4)):
        for design, anchor in product((COINS, *ONE_SIDED), repeat=2):
            wide(made(anchored, counts, design, anchor=anchor), (counts, design.name))


@swept
def test_joint_tables(sizes: Sizes):
    """Cells, measures and conditional shares of two questions."""
    for designs in ([COINS, COINS], [COINS, triangular("1/4")]):
        sets = [*small(sizes, 4, most=8), *of_one_kind(sizes, 4)]
        for place, counts in enumerate(sets):
            table = estimate_joint(np.reshape(counts, (2, 2)), designs)
            assert table.standard_errors().min() > NOTHING, counts
            if place % 5:
                continue
            wide(table, counts)
            for measure in (phi, odds_ratio):
                found = made(measure, table)
                spans(found and found.interval, (measure.__name__, counts))
            for answer, given, swapped in product((0, 1), (0, 1), (False, True)):
                wide(made(table.conditional, answer, given, swapped=swapped), counts)


def _places(n: int) -> tuple[dict[str, object], ...]:
    """Return weights, strata, clusters and finite populations of n rows."""
    rows = np.arange(n)
    return (
        {},
        {"weights": 1.0 + rows},
        {"weights": 1.0 + rows % 3, "population": 10 * n},
        {"population": n},
        {"strata": (rows % 2).tolist(), "weights": 1.0 + rows},
        {"clusters": (rows // 2).tolist()},
        {"strata": (rows % 2).tolist(), "clusters": (rows // 2).tolist()},
        {"clusters": [0] * n},
    )


def _domains(n: int) -> tuple[np.ndarray, ...]:
    """Return all rows, the first one and the first half."""
    rows = np.arange(n)
    return np.ones(n, dtype=bool), rows == 0, rows < (n + 1) // 2


@swept
def test_weighted_shares_of_few(sizes: Sizes):
    """Ones first and ones in turn among 1 to 12; domains, and differences of domains."""
    for n in sizes.few:
        sets = {tuple(int(place < ones) for place in range(n)) for ones in range(n + 1)}
        sets.add(tuple(place % 2 for place in range(n)))
        for reports, place in product(sorted(sets), _places(n)):
            _wide_weighted(list(reports), COINS, place)


@swept
def test_weighted_shares_of_reports_that_agree(sizes: Sizes):
    """All yes, or all no, of designs that let this happen easily, too."""
    for design, n in [*product(DESIGNS, (1, 2, 3, 7, 11, 50, 200))][:: sizes.step]:
        for report, place in product((0, 1), _places(n)):
            _wide_weighted([report] * n, design, place)
    for n in sizes.every:
        for report in (0, 1):
            wide(weighted_share(sample([report], COINS, counts=[n])) if n > 1 else None, n)


def _wide_weighted(reports: list[int], design, place: dict) -> None:
    rows = made(sample, reports, design, **place)
    for domain in _domains(len(reports)):
        case = (design.name, reports, domain.tolist(), place)
        share = weighted_share(rows, domain)
        if made(getattr, share, "standard_error") is None:
            continue
        wide(share, case)
        spans(made(share.interval, method="t"), case)
        assert share.effective_n > 0, case
        if not domain.all():
            other = weighted_share(rows, ~domain)
            wide(made(WeightedDifference, share, other), case)
            halves = ["in" if inside else "out" for inside in domain.tolist()]
            fitted = post_stratified(rows, halves, {"in": 300, "out": 700})
            wide(weighted_share(fitted), case)


@swept
def test_coins_that_never_change_one_answer(sizes: Sizes):
    """Alone, of three answers, compared, in one table and in two samples, where reports agree."""
    channels = (
        [["1", "0", "0"], ["1/3", "1/3", "1/3"], ["1/4", "1/4", "1/2"]],
        [["1/2", "1/2", "0"], ["0", "1/2", "1/2"], ["0", "0", "1"]],
    )
    for channel, counts in product(channels, of_one_kind(sizes, 3)):
        wide(made(estimate_counts, counts, custom(channel)), counts)
    many = [(n * (1 - yes), n * yes) for n in (1, 3, 200) for yes in (0, 1)]
    designs = (*ONE_SIDED, triangular("1/4"), mangat("7/10"))
    cases = product(product(designs, repeat=2), product(many, repeat=2))
    for pair, counts in [*cases][:: sizes.step]:
        first, second = (estimate_share(*each) for each in zip(counts, pair, strict=True))
        case = [(each.name, at) for each, at in zip(pair, counts, strict=True)]
        for ask in (Difference, Ratio):
            wide(made(ask, first, second), case)
        wide(made(trend, [first, second, first]), case)
        yes, n = [at[1] for at in counts], [sum(at) for at in counts]
        wide(made(estimate, yes=yes, n=n, design=list(pair)), case)
        table = [[sum(counts[0]), 0], [0, sum(counts[1])]]
        wide(made(estimate_joint, table, pair), case)
    for first, second in product(((0, 9), (9, 9)), repeat=2):
        wide(made(cheating_detection, first, second, yes=("0", "1/3")), (first, second))
        wide(made(stochastic_lie_detector, first, second, p=("0", "5/6")), (first, second))
        wide(made(unrelated_unknown, first, second, p=("1", "3/10")), (first, second))


@swept
def test_finite_populations(sizes: Sizes):
    """Totals by chances of being asked, of a census and of a sample."""
    odd = unrelated_question("7/10", prevalence=0), unrelated_question("7/10", prevalence=1)
    pairs = [list(pair) for pair in product((*ONE_SIDED, *odd), repeat=2)]
    for design, chance in product((*DESIGNS, *odd, *pairs), (0.1, 0.5, 1.0)):
        for n in sizes.few:
            designs = (design * n)[:n] if isinstance(design, list) else design
            for ones in range(n + 1):
                reports = [int(place < ones) for place in range(n)]
                wide(made(horvitz_thompson, reports, designs, [chance] * n), (designs, reports))


def test_coins_that_seem_to_vary_by_less_than_nothing():
    """An unbiased estimate of their variance is negative where the share is impossible."""
    odd = custom([["3/5", "0", "2/5"], ["0", "1", "0"]])
    for kind, chance in product(range(3), (0.5, 1.0)):
        wide(horvitz_thompson([kind] * 9, odd, [chance] * 9), (kind, chance))
        wide(weighted_share(sample([kind] * 9, odd)), kind)


@swept
def test_weights_of_coins_that_never_change_one_answer(sizes: Sizes):
    """Under several designs, and of two domains, where all reports of each design agree."""
    designs = (*ONE_SIDED, triangular("1/4"), mangat("7/10"))
    for (first, second), one, other in product(product(designs, repeat=2), (0, 1), (0, 1)):
        for n in sizes.few:
            if n < 2:
                continue
            case = (first.name, second.name, one, other, n)
            rows = sample([one] * n + [other] * n, [first] * n + [second] * n)
            wide(made(weighted_share, rows), case)
            domain = np.arange(2 * n) < n
            halves = weighted_share(rows, domain), weighted_share(rows, ~domain)
            wide(made(WeightedDifference, *halves), case)


def test_what_nothing_varies_in_is_refused():
    """By its name: scrambled numbers, and numbers that leave an answer nothing to move."""
    with pytest.raises(EstimationError, match="do not show what the coins changed"):
        scrambled([5, 5, 5], told="1/2", mean=5, deviation=0)
    x, reports = np.arange(60.0), [0, 1, 1] * 20
    for numbers, covariates, why in (
        (2 + 3 * x, {"x": x}, "explain every number exactly"),
        (np.array([0.0, 1.0] * 30), {}, "two values only"),
        (x * 1e-200, {}, "scale them"),
    ):
        with pytest.raises(EstimationError, match=why):
            regress_number_on(numbers, covariates, reports, COINS)


@swept
def test_regressions(sizes: Sizes):
    """Every kind of error, over clusters too few and enough, of balanced and of uneven rows."""
    kinds = ("observed", "expected", "robust", "cluster", "opg")
    for n in set(sizes.few) - {1}:
        rows = np.arange(n)
        for ones, covariates, clusters in product(
            range(n + 1), ({}, {"x": rows % 2}), (None, rows % 2, rows // 2, rows)
        ):
            reports = [int(place < ones) for place in range(n)]
            groups = None if clusters is None else clusters.tolist()
            fit = made(regress, reports, covariates, COINS, clusters=groups)
            for errors in kinds if fit else ():
                found = made(fit.standard_errors, errors)
                assert found is None or found.min() > 0.05, (reports, covariates, clusters, errors)
                for interval in made(fit.intervals, errors=errors) or ():
                    spans(interval, (reports, covariates, clusters, errors))


def test_what_leaves_no_degrees_of_freedom_is_refused_by_that_name():
    """No more clusters than coefficients; one cluster, one respondent, one unit in a stratum."""

    def errors(clusters: list[int]) -> object:
        rows = {"counts": [30, 20, 20, 30], "clusters": clusters}
        fit = regress([0, 1, 0, 1], {"x": [0, 0, 1, 1]}, COINS, **rows)
        return fit.standard_errors("cluster")

    def share(reports: list[int], **design: list[int]) -> object:
        return weighted_share(sample(reports, COINS, **design)).interval()

    refused: dict[str, Callable[[], object]] = {
        "two clusters": lambda: errors([1, 1, 2, 2]),
        "all in one cluster": lambda: errors([1, 1, 1, 1]),
        "one cluster": lambda: share([0, 1, 0, 1], clusters=[0, 0, 0, 0]),
        "one respondent": lambda: share([0]),
        "strata of one": lambda: share([0, 1, 0, 1], strata=[0, 1, 2, 3]),
    }
    for case, ask in refused.items():
        said = ""
        try:
            ask()
        except EstimationError as error:
            said = str(error)
        assert "no degrees of freedom" in said, (case, said)


@swept
def test_other_regressions(sizes: Sizes):
    """Of choices, groups and denial, and with the hidden answer as predictor."""
    three = custom([["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]])
    for n in {2, 4, 8} & set(sizes.few):
        rows = np.arange(n)
        half = (rows % 2 == 0).tolist()
        mixed = [COINS if each else warner("4/5") for each in half]
        for ones in range(n + 1):
            reports = [int(place < ones) for place in range(n)]
            wide(made(regress_choice, rows % 3, {}, three), n)
            wide(made(regress_on, rows % 2, {}, reports, COINS), reports)
            wide(made(regress_number_on, rows % 3, {}, reports, COINS), reports)
            wide(made(regress_with_denial, reports, {}, mixed, rows % 2 == 0), reports)
            for design in (COINS, *ONE_SIDED, triangular("1/4")):
                wide(made(answer_correlation, reports, rows, design), (reports, design.name))
    for reports in ([0, 1] * 4, [0] * 4 + [1] * 4, [1, 1, 0, 0, 1, 0, 1, 0]):
        wide(made(regress_grouped, reports, {}, COINS, [0, 0, 1, 1, 2, 2, 3, 3]), reports)


@swept
def test_numbers(sizes: Sizes):
    """Means, variances, quartiles and shares of points, at low and at high odds."""
    grid = Grid.integers(0, 2)
    mechanisms = (
        TruncatedGeometric(3, (6, 3, 2)),
        TruncatedGeometric(3, (10**6, 10**3, 1)),
        Duchi(3),
        DiscreteGaussian.for_odds(3, Fraction(9)),
    )
    for mechanism in mechanisms:
        kinds = mechanism.counters
        few = small(sizes, kinds) if kinds < 4 else ()
        for counts in (
            *few,
            *(c for c in of_one_kind(sizes, kinds) if kinds < 4 or sum(c) in {1, 7, 2000}),
        ):
            for found in (
                *estimate_numbers(counts, mechanism, grid),
                *estimate_histogram(counts, mechanism, grid),
            ):
                case = (mechanism.name, counts, str(found))
                error = found.standard_error
                assert error is None or error > NOTHING, case
                spans(found.interval, case)


@pytest.mark.parametrize("name", ["vector-laplace", "privunit", "entry-laplace", "entry-gaussian"])
def test_vectors(name: str):
    """Means and covariances where all reports agree, or are of two kinds."""
    for moments in (False, True):
        vector = VectorAnswer(("x", "y"), Fraction(2), Fraction(1, 16), moments=moments)
        mechanism = for_vector(vector.entries, vector.radius, name, Fraction(9))
        kernel, coins = VectorKernel(mechanism), Coins()
        one, two = (
            kernel.toss([vector.index(vector.place(place), mechanism, coins)])
            for place in ((1.5, -1), (0, 0))
        )
        for n in (1, 2, 3, 12, 30, 200, 2000):
            for counts in (n * one, one + n * two):
                found = estimate_vector(tuple(counts.tolist()), mechanism, vector)
                entries = (*found.means, *(found.covariance.entries if found.covariance else ()))
                for entry in entries:
                    assert entry.standard_error > NOTHING, (name, n, entry)
                    spans(entry.interval, (name, n, entry))
                    spans(entry.joint, (name, n, entry))


def test_texts():
    """A text that all reports support, or none, and all texts that were not found."""
    design = PrefixExtending(2, (1, 2), 2, KaryRandomizedResponse(5, 5, 2))
    size = design.slot_counters
    for n, kind in product((1, 3, 12, 200, 2000), range(size)):
        counts = [n * (place % size == kind) for place in range(design.counters)]
        found = estimate_texts(counts, design)
        # Without a candidate the rest is everyone by its meaning, and results leave it out.
        for share in (*found.examined, found.rest) if found.examined else ():
            assert share.standard_error > NOTHING, (n, kind, share)
            spans(share.interval, (n, kind, share))


@swept
def test_what_reads_the_same_estimates(sizes: Sizes):
    """Groups and waves compared together, shares by scores and points, and other suppositions."""
    few = [(yes, n) for n in (1, 3, 200) for yes in {0, 1, n}]
    for waves in [*product(few, repeat=3)][:: sizes.step]:
        shares = {
            str(at): estimate_yes(yes=yes, n=n, mechanism=COINS)
            for at, (yes, n) in enumerate(waves)
        }
        wide(made(compare_pairs, shares), waves)
        wide(made(changes, shares), waves)
        for share in pooled(shares, 4).values():
            wide(share, waves)
    scores = Exponential(in_a_row(3), keep=2)
    for counts in (*small(sizes, 3, most=6), *of_one_kind(sizes, 3)):
        for share in inverse_shares(counts, scores):
            wide(share, counts)
        wide(made(estimate_several, counts, SampledOptions(1, most=1)), counts)
        for points in estimate_points(counts, RankedChoice((6, 4, 2))):
            wide(points, counts)
        spans(score_sequence(counts, (0, 1, 2)), counts)
    for yes, n in few:
        share = estimate_share((n - yes, yes), COINS)
        spans(forged_interval(share, 0.1), (yes, n))
        for supposed in if_some_answer_at_random(share):
            spans(supposed.interval, (yes, n, supposed))
        wide(estimate_table([{"yes": yes, "n": n, "design": "two-coin"}]), (yes, n))


#: Functions whose results are no estimate from reports, or are read from one that is swept: by why.
NO_ESTIMATE = {
    "a design": {"design_named", "direct", "disguised_response"},
    "a p-value": {"design_p_value", "independence", "likelihood_ratio"}
    | {"same_shares", "vector_p_value"},
    "published": {"fetch", "read_results", "to_frame", "tabulate"},
    "a view, a channel or a type": {
        *("distribution_view", "nearest_covariance", "norm_sub", "named_or_not", "Method")
    },
    "by estimate_counts, shares_covariance or post_stratified": {
        *("estimate_statements", "raked", "respondents_share_covariance", "share_covariance")
    },
    "of values that no coins of ours made": {"finite_total"},
}


def test_every_function_of_the_package_is_swept():
    """Each that returns an estimate is named in code here; of each other one stands why not."""
    public = ((name, getattr(estimation, name)) for name in estimation.__all__)
    names = {name for name, value in public if callable(value) and not isclass(value)}
    code = ast.walk(ast.parse(Path(__file__).read_text().partition("\nNO_ESTIMATE")[0]))
    used = {node.id for node in code if isinstance(node, ast.Name)}
    left = set().union(*NO_ESTIMATE.values())

    assert left == names - used
