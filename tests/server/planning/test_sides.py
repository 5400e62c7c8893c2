"""Other queries than a share, local and central side by side: figures, and what is missing."""

import json
from fractions import Fraction
from math import exp, log, sqrt
from statistics import NormalDist

import pytest
from click.testing import CliRunner
from sweeps import each

from tossup.server.cli.planning import both_sides
from tossup.server.cli.root import root
from tossup.server.estimation import estimate_shares, estimate_vector
from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.source import coins, seeded
from tossup.server.kinds.choosing.choice import choose
from tossup.server.kinds.choosing.number import for_number, mean_variance
from tossup.server.planning.curator import central
from tossup.server.planning.curator.elastic import Join, Table
from tossup.server.planning.curator.noise import Staircase
from tossup.server.planning.errors import PlanningError
from tossup.server.planning.sides import MAX_OPTIONS, QUERIES, Asked, sides
from tossup.server.surveys.file import load_survey
from tossup.shared.kinds.number import Grid

THREE = Fraction(3)


def plan(*arguments: str):
    return CliRunner().invoke(root, ["plan", "--compare", *arguments])


def ways(query: str, **asked: object) -> dict[tuple[str, str], float]:
    """Return the error of each way, by its mechanism and what it hides."""
    found = sides(query, Asked(**{"n": 1000, "odds": THREE, **asked}))
    return {(way.mechanism, way.hides.split()[0]): way.error for way in found.ways}


def test_ten_thousand_names_are_within_the_published_figure():
    """12.2 with probability 0.95 at epsilon 1: Dwork and Roth 2014, example 3.1."""
    found = ways("histogram", odds=Fraction(exp(1)).limit_denominator(10**12), options=10_000)

    assert pytest.approx(12.2, abs=0.01) == found["laplace", "whether"]
    assert found["staircase", "whether"] < found["laplace", "whether"]
    assert pytest.approx(2 * 12.2, abs=0.02) == found["laplace", "what"]


def test_a_count_is_off_by_what_a_share_is_off():
    """Two coins: sqrt(3 n / 4) times 1.96."""
    found = ways("count", n=1000)

    assert pytest.approx(1.959964 * sqrt(750)) == found["two coins", "every"]


@pytest.mark.parametrize("options", [2, 5, pytest.param(16, marks=pytest.mark.prove)])
def test_a_local_histogram_has_the_spread_of_its_counts(options: int):
    """Of the mechanism that a survey would take: 1,000 tallies, within 15 %.

    The root of a mean of 1,000 squares is off by more than that with a chance below 1e-9.
    """
    n = 16 * 80
    found = sides("histogram", Asked(n, THREE, options=options)).ways[0]
    design = choose(THREE, options).chosen.mechanism
    tallies = [kernel_of(design).simulate([n // options] * options) for _ in range(1000)]
    shares = [estimate_shares(tuple(map(int, tally)), design).values for tally in tallies]
    spread = sum(
        sum((n * (float(value) - 1 / options)) ** 2 for value in each) / options for each in shares
    )

    assert pytest.approx(found.standard_deviation, rel=0.15) == sqrt(spread / 1000)
    assert found.error == pytest.approx(
        found.standard_deviation * NormalDist().inv_cdf(1 - 0.025 / options)
    )


def test_the_option_most_chosen_has_two_errors_on_either_side():
    """Of the option named, and of the one that it is not."""
    both = ways("most-chosen", options=16)

    assert 2 * ways("histogram", options=16)["subset-selection", "every"] == pytest.approx(
        both["subset-selection", "every"]
    )
    assert both["noisy-max", "whether"] == pytest.approx(2 * log(16 / 0.05) / log(3))


def test_the_most_chosen_of_people_who_may_switch_takes_twice_the_noise():
    """One count rises and another falls: report noisy max of any queries (Dwork and Roth 2014)."""
    both = ways("most-chosen", options=16)

    assert both["noisy-max", "what"] == pytest.approx(4 * log(16 / 0.05) / log(3))


def test_a_mean_is_that_of_the_best_design_for_one():
    """Its variance in squared ranges, at the answers that are hardest to tell."""
    found = ways("mean", bounds=(-5.0, 15.0), n=400)
    grid = Grid(Fraction(0), Fraction(32), Fraction(1))
    deviation = 20 * sqrt(mean_variance(for_number(grid, "auto", THREE)) / 400)

    assert pytest.approx(1.959964 * deviation) == found["hybrid", "every"]
    assert pytest.approx(20 / 400 / log(3) * log(20)) == found["laplace", "what"]


_MOMENTS = """
id = "moves"
title = "Moves"
purpose = "To learn how far people move."
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "where"
text = "How far?"
answers = { moments = ["x", "y", "z"], norm = 2 }
odds = 3
"""


def test_moments_have_the_spread_of_a_survey_that_asks_them():
    """The errors of 3,000 reports of one answer, of every product: within 12 %.

    A seed fixes the reports. A mean far from 0 adds its square, times four, to the variance of a
    component's square: by chance alone one of the errors is too large in 2 of 100 draws.
    """
    question = load_survey(_MOMENTS, bytes(32)).questions[0]
    domain, design = question.domain, question.mechanism
    with seeded(1):
        index = domain.index(domain.place((0, 0, 0)), design, coins())
        counts = tuple(kernel_of(design).toss([index] * 3000).tolist())
    found = sides("moments", Asked(3000, THREE, components=3)).ways[0]

    assert found.mechanism == design.name.partition("/")[0]
    for entry in estimate_vector(counts, design, domain).covariance.entries:
        told = 3000 * entry.standard_error / 2**2  # in squared norms
        assert 0.88 * found.standard_deviation < told < 1.12 * found.standard_deviation


def test_a_curator_of_moments_may_add_wishart_noise_where_there_is_a_delta():
    """Never without one; with one it is the last of the ways that hide the same."""
    without = ways("moments", components=3)
    found = ways("moments", components=3, delta=1e-6)

    assert "additive-wishart" not in {name for name, _ in without}
    assert found["additive-wishart", "whether"] == pytest.approx(
        central.answer_second_moments(3, 1.0, log(3), 1e-6)[-1].error
    )
    assert found["additive-wishart", "what"] > found["additive-wishart", "whether"]


def test_a_median_and_a_join_are_the_curators_alone():
    """They need a delta, and it is said why there is no local way."""
    median = sides("median", Asked(1000, THREE, 1e-6, bounds=(0.0, 10.0)))
    join = sides("join", Asked(1000, THREE, 1e-6, frequencies=(10, 3)))
    itself = sides("join", Asked(1000, THREE, 1e-6, frequencies=(10, 3), self_join=True))
    query = Join(Table("a", "l", {"k": 10}), Table("b", "r", {"k": 3}), ("a", "k"), ("b", "k"))

    assert ["central"] == [way.model for way in median.ways] == [way.model for way in join.ways]
    assert "results have it with an interval" in median.no_local
    assert "no device holds rows of two tables" in join.no_local
    assert median.price is join.price is None
    assert join.ways[0].error == pytest.approx(
        central.join_count(query, 1000, log(3), 1e-6).error, rel=1e-9
    )
    assert itself.ways[0].error > join.ways[0].error


def test_a_median_of_many_is_worked_out_for_fewer():
    """A million respondents take no longer, and it is said."""
    many = sides("median", Asked(10**6, THREE, 1e-6, bounds=(0.0, 10.0)))

    assert "worked out for 10001 of them" in many.assumes


def test_staircases_of_several_counts_share_the_epsilon():
    """Someone who answers otherwise moves two counts by one: each costs half."""
    names = central.answer(central.histogram(5, replaced=True), 1.0)
    (found,) = [way for way in names if way.mechanism == "staircase"]

    assert found.standard_deviation == Staircase(1, 0.5).standard_deviation


@pytest.mark.parametrize("query", ["histogram", "most-chosen"])
def test_the_price_is_that_of_hiding_the_same(query: str):
    """The local error over the least central one that hides an answer, too."""
    found = sides(query, Asked(1000, THREE, options=8))

    assert found.best.hides.startswith("what one person answers")
    assert found.price == found.ways[0].error / found.best.error


@each(
    "query, asked",
    [
        ("histogram", {}),
        ("histogram", {"options": 1}),
        ("most-chosen", {}),
        ("mean", {}),
        ("mean", {"bounds": (3.0, 1.0)}),
        ("moments", {}),
        ("moments", {"components": 1}),
        ("median", {"bounds": (0.0, 1.0)}),
        ("join", {"delta": 1e-6}),
        ("join", {"frequencies": (1, 1)}),
        ("join", {"frequencies": (0, 1), "delta": 1e-6}),
        ("count", {"n": 0}),
        ("count", {"odds": Fraction(1)}),
        ("count", {"confidence": 1.0}),
    ],
)
def test_what_is_missing_or_out_of_range_is_refused(query: str, asked: dict):
    """A typed error, for every query."""
    with pytest.raises(PlanningError):
        sides(query, Asked(**{"n": 100, "odds": THREE, **asked}))


def test_the_command_knows_every_query():
    """By name, without loading what computes them."""
    assert list(QUERIES) == list(both_sides.QUERIES)


@each(
    "arguments, first, central_ways",
    [
        (["--query", "count"], "two coins", 3),
        (["--query", "histogram", "--options", "16"], "subset-selection", 6),
        (["--query", "histogram", "--options", "2000"], None, 6),
        (["--query", "most-chosen", "--options", "4"], "k-ary", 2),
        (["--query", "most-chosen", "--options", "2000"], None, 2),
        (["--query", "mean", "--bounds", "0", "10"], "hybrid", 2),
        (["--query", "moments", "--components", "3"], "privunit", 2),
        (["--query", "moments", "--components", "3", "--delta", "1e-6"], "privunit", 6),
        (["--query", "moments", "--components", "17", "--delta", "1e-6"], None, 6),
        (["--query", "median", "--bounds", "0", "10", "--delta", "1e-6"], None, 1),
        (["--query", "join", "--most-frequent", "10", "3", "--delta", "1e-6"], None, 1),
    ],
)
def test_the_command_prints_the_local_way_first(arguments, first, central_ways):
    """As JSON and for people; both say why where there is none."""
    found = json.loads(plan(*arguments, "-n", "1000", "--json").stdout)
    shown = plan(*arguments, "-n", "1000")
    local = [way["mechanism"] for way in found["ways"] if way["model"] == "local"]

    assert ([] if first is None else [first]) == local
    assert len(found["ways"]) == len(local) + central_ways
    assert ("local" == found["ways"][0]["model"]) is not bool(found["no_local"])
    assert 0 == shown.exit_code
    assert ("To trust nobody makes the error" in shown.stderr) == bool(local)
    assert ("No local way" in shown.stderr) == (not local)


@each(
    "arguments, words",
    [
        (["--query", "mean", "-n", "9"], "--bounds LOW HIGH"),
        (["--query", "histogram", "-n", "9"], "--options 16"),
        (["--query", "moments", "-n", "9"], "--components 3"),
        (["--query", "join", "-n", "9"], "--most-frequent 10 3"),
        (["--query", "median", "--bounds", "0", "1", "-n", "9"], "such as 1e-6"),
        (["--query", "count", "--margin", "0.1"], "--compare and --n alone"),
        (["--options", "4", "-n", "9"], "belong to --query"),
        (["--components", "4", "-n", "9"], "belong to --query"),
        (["--query", "count", "-n", "9", "--questions", "4"], "--questions says nothing"),
        (["--query", "count", "-n", "9", "--deviation", "4"], "--deviation says nothing"),
        (["--query", "mean", "-n", "9", "--bounds", "0", "1", "--self-join"], "--self-join says"),
        (["--query", "median", "-n", "9", "--share", "0.2"], "--share says nothing"),
    ],
)
def test_the_command_says_what_is_missing(arguments, words):
    """In options that one can type."""
    done = plan(*arguments)

    assert 2 == done.exit_code
    assert words in done.stderr


def test_more_options_than_a_device_takes_are_the_curators_alone():
    """The limit is that of the mechanisms for choices."""
    assert choose(THREE, MAX_OPTIONS).chosen
    assert sides("histogram", Asked(9, THREE, options=MAX_OPTIONS)).ways[0].model == "local"
    assert sides("histogram", Asked(9, THREE, options=MAX_OPTIONS + 1)).no_local


@each(
    "arguments",
    [
        ["--query", "mean", "--bounds", "0", "10", "--epsilon", "1"],
        ["--query", "mean", "--bounds", "0", "10", "--epsilon", "0.01"],
        ["--query", "most-chosen", "--options", "1000", "--epsilon", "4"],
        ["--query", "histogram", "--options", "1000", "--epsilon", "15"],
        ["--query", "count", "--odds", "39"],
        ["--query", "histogram", "--options", "3", "--odds", "100000"],
        ["--query", "histogram", "--options", "2", "--confidence", "0.9999999999999999"],
    ],
)
def test_every_epsilon_and_odds_have_figures(arguments):
    """An epsilon becomes a ratio that every mechanism has weights for; an error of 0 no price."""
    done = plan(*arguments, "-n", "1000", "--json")

    assert 0 == done.exit_code, done.output
    assert all(way["error"] >= 0 for way in json.loads(done.stdout)["ways"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["--query", "mean", "--bounds", "0", "1", "--odds", "5000000000"],
        ["--query", "mean", "--bounds", "0", "1", "--odds", "1"],
        ["--query", "mean", "--bounds", "-1e308", "1e308"],
        ["--query", "median", "--bounds", "1e308", "1.1e308", "--delta", "1e-6"],
        ["--query", "join", "--delta", "1e-320", "--most-frequent", "10", "10"],
    ],
)
def test_numbers_beyond_reason_are_wrong_usage(arguments):
    """A message, and neither a traceback nor a figure that is none."""
    done = plan(*arguments, "-n", "100")

    assert 2 == done.exit_code
    assert "Error:" in done.stderr
