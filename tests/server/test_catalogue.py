"""`tossup mechanism`: facts about every mechanism, read off its exact channel."""

import json
import shlex
from fractions import Fraction
from math import factorial

import pytest
from click.testing import CliRunner
from sweeps import each

from tossup.server.catalogue import design, entries, facts, find, report_bits
from tossup.server.cli.root import root
from tossup.server.estimation.texts.detection import _standard_error
from tossup.server.kinds.choosing import named
from tossup.server.kinds.choosing import number as number_designs
from tossup.server.kinds.choosing.scored import share_variance
from tossup.server.kinds.choosing.text import By, for_text
from tossup.server.kinds.spread import variance
from tossup.server.surveys.verification import recomputed_delta, recomputed_odds
from tossup.shared.errors import MechanismError
from tossup.shared.kinds.text import FreeText
from tossup.shared.mechanisms import (
    MECHANISMS,
    EntryLaplace,
    FrequencyOracle,
    KaryRandomizedResponse,
    Piecewise,
    RandomizedResponse,
    RankedChoice,
    SampledOptions,
    SetMechanism,
    TableMechanism,
    TruncatedGeometric,
    TwoCoin,
    VectorMechanism,
    from_spec,
)


def tossup(*arguments: str):
    return CliRunner().invoke(root, ["mechanism", *arguments])


def test_it_works():
    """Every mechanism of the registry is listed, with parameters that a manifest takes."""
    listed = json.loads(tossup("list", "--json").stdout)["mechanisms"]

    assert list(MECHANISMS) == [entry["name"] for entry in listed]
    assert all(entry["summary"].endswith(".") for entry in listed)


@each("entry", lambda: [e for e in entries() if e.parameters or e.name == TwoCoin.name])
def test_listed_parameters_make_the_mechanism(entry):
    """What `list` prints can be copied into a manifest; the odds are not above 3."""
    answers = {"vectors": 65**2, "several options": 4}.get(entry.answers, 2)

    assert 1 < from_spec({"name": entry.name, **entry.parameters}, answers).odds <= 3


def offered(options: int, odds: Fraction):
    """Return the designs that `show` can make, over the whole registry."""
    made = []
    for name in MECHANISMS:
        try:
            made.append(design(name, options, odds))
        except MechanismError:
            assert odds != 3 or options > 2 or name not in PUBLISHED
    return made


PUBLISHED = [
    "two-coin/1",
    "randomized-response/1",
    "k-ary-randomized-response/1",
    "subset-selection/1",
    "symmetric-unary/1",
    "optimized-unary/1",
    "hadamard-response/1",
    "projective-geometry-response/1",
    "local-hashing/1",
]


@pytest.mark.parametrize("odds", [Fraction(3, 2), Fraction(3), Fraction(9)])
@pytest.mark.parametrize("options", [2, 3, 4, pytest.param(7, marks=pytest.mark.prove)])
def test_what_is_shown_is_the_channel_and_its_odds(options, odds):
    """Rows of the printed channel sum to 1, and its odds are those printed, never above."""
    for made in offered(options, odds):
        shown = facts(made, Fraction(0))
        # Probabilities that are no ratios, or ratios too long to be written.
        if isinstance(made, VectorMechanism) and not made.is_summable:
            assert shown["channel"] is None
            continue
        rows = [[Fraction(chance) for chance in row] for row in shown["channel"]]

        sets, orders = isinstance(made, SetMechanism), isinstance(made, RankedChoice)
        answers = 1 << options if sets else factorial(options) if orders else options
        assert [1] * answers == [sum(row) for row in rows]
        assert Fraction(shown["odds"]) <= odds
        assert made.delta == Fraction(shown["delta"])
        if made.delta:
            assert made.delta == recomputed_delta(made)
        elif isinstance(made, EntryLaplace):  # which has a step of decay in parts of 2**60
            assert 0 <= Fraction(shown["odds"]) - recomputed_odds(made) < Fraction(odds, 2**38)
        else:
            assert recomputed_odds(made) == Fraction(shown["odds"])
        assert shown["variance"] is not None or not isinstance(made, FrequencyOracle)


def test_it_is_said_what_a_mechanism_is_for():
    """Two coins are for yes/no alone, k-ary randomized response for choices, Duchi's for means."""
    answers = {entry.name: entry.answers for entry in entries()}

    assert ["yes/no", "yes/no", *["choices"] * 7] == [answers[name] for name in PUBLISHED]
    assert "numbers" == answers["duchi/1"]
    assert "vectors" == answers["privunit/1"]
    assert "several options" == answers["per-option-bits/1"] == answers["sampled-options/1"]


@each("most, rows", [([], 8), (["--most", "1"], 4), (["--most", "2"], 7)])
@each("name", named.compared("several"))
def test_a_channel_of_several_options_has_a_row_for_each_set_one_may_tick(name, most, rows):
    """Three options: all 8 sets, or none and the single ones, or all but the whole."""
    shown = json.loads(tossup("show", name, "--options", "3", *most, "--json").stdout)

    assert (rows, rows) == (len(shown["channel"]), shown["answers"])
    assert {1} == {sum(map(Fraction, row)) for row in shown["channel"]}
    assert shown["variance"]["population"] == shown["variance"]["respondents"]


def test_how_many_one_may_tick_is_refused_where_one_answers_once():
    """--most says nothing of a choice."""
    assert tossup("show", "k-ary", "--options", "3", "--most", "2").exit_code == 2
    assert tossup("show", "per-option-bits", "--options", "3", "--most", "4").exit_code == 2


def test_variance_of_an_option_that_few_reports_ask():
    """One of 8 options asked: eight times the variance of its share; the share adds its own."""
    alone, sampled = TwoCoin(), SampledOptions(8, 8)
    share = Fraction(1, 4)
    respondents, population = variance(sampled, share)

    assert 8 * variance(alone, share)[1] == population
    assert population - respondents == share * (1 - share)


def test_a_report_that_names_no_single_answer_has_no_variance():
    """Where other answers differ in how they lead to a report, its count tells no share."""
    shown = facts(Graded(), Fraction(0))

    assert variance(Graded(), Fraction(0)) is None
    assert (None, "a report of graded/1 names no single answer") == (
        shown["variance"],
        shown["variance_reason"],
    )


@pytest.mark.parametrize("odds", ["3", "9"])
def test_orders_show_the_variance_of_mean_points(odds: str):
    """Everyone has one order: each option's reports are binomial, with its rank's weight."""
    made = design("ranked-choice", 4, Fraction(odds))
    q, p = made.rates
    for option, points in enumerate(made.points):
        named = made.probability(0, option)
        arguments = ("show", "ranked-choice", "--options", "4", "--odds", odds)
        shown = tossup(*arguments, "--share", str(points), "--json")

        assert {"points": str(named * (1 - named) / (p - q) ** 2)} == (
            json.loads(shown.stdout)["variance"]
        )


@each("share", [Fraction(0), Fraction(1, 5), Fraction(1)])
@each("oracle", ["k-ary", "subset-selection", "projective-geometry-response"])
def test_texts_show_the_variance_that_the_search_expects(oracle: str, share: Fraction):
    """As results say how common a text must be: from the reports of one level of all."""
    made = for_text(FreeText("abc", 9), None, Fraction(3), by=By(oracle))
    spread = facts(made, share)["variance"]["text"]
    expected = made.levels * _standard_error(float(share), 1, made) ** 2

    assert expected == pytest.approx(float(Fraction(spread)))


@pytest.mark.prove
def test_large_grids_show_the_variance_of_the_mean_or_why_not():
    """A channel too large to list is summed up to 2**22 cells; one beyond says so."""
    finer = facts(design("discrete-laplace", 1024, Fraction(3)), Fraction(0))
    coarser = facts(design("discrete-laplace", 128, Fraction(3)), Fraction(0))
    beyond = facts(Piecewise(1024, 8000, 3, 1), Fraction(0))
    spec = ("--options", "1024", "--set", "window=8000", "--set", "keep=3", "--set", "lie=1")
    printed = tossup("show", "piecewise", *spec).output

    assert finer["channel"] is None
    assert finer["variance"]["mean"] == pytest.approx(coarser["variance"]["mean"], rel=0.01)
    assert beyond["variance"] is None
    assert "summed over 4,194,304 at most" in beyond["variance_reason"]
    assert f"No variance: {beyond['variance_reason']}." in printed


def test_reports_that_tell_nothing_say_so():
    """Odds so near to 1 that no mean can be told: the estimator's own reason."""
    shown = facts(TruncatedGeometric.for_odds(33, 1 + Fraction(1, 10**6)), Fraction(0))

    assert shown["variance"] is None
    assert "reports of truncated-geometric/1 do not tell this statistic" == shown["variance_reason"]


class Graded(TableMechanism):
    """Three answers in a row, of which the neighbours look more alike."""

    name = "graded/1"
    weights = ((4, 2, 1), (2, 3, 2), (1, 2, 4))

    def spec(self):
        return {}

    @classmethod
    def from_spec(cls, parameters, answers):
        return cls()

    def _sample(self, answer, coins):
        raise NotImplementedError


def test_the_channel_is_printed_as_ratios():
    """Odds 3 among 4 options: 3/6 and three times 1/6, in lowest terms."""
    shown = json.loads(
        tossup(
            "show", "k-ary-randomized-response", "--odds", "3", "--options", "4", "--json"
        ).stdout
    )

    assert ["1/2", "1/6", "1/6", "1/6"] == shown["channel"][0]
    assert ("3", "1.0987", 8) == (shown["odds"], shown["epsilon"], shown["report_bits"])
    assert {"respondents": "5/4", "population": "5/4"} == shown["variance"]


@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1)])
def test_variance_in_both_conventions(share: Fraction):
    """Two coins: 3/4 for these respondents whatever the share; the population adds its own."""
    assert (Fraction(3, 4), Fraction(3, 4) + share * (1 - share)) == variance(TwoCoin(), share)


def test_variance_is_that_of_the_estimator():
    """An asymmetric table: y(1 - y) / (p - q)**2 with y the chance of a yes."""
    table = RandomizedResponse(((4, 1), (2, 3)))
    share, without, with_it = Fraction(1, 3), Fraction(1, 5), Fraction(3, 5)
    yes = share * with_it + (1 - share) * without

    assert yes * (1 - yes) / (with_it - without) ** 2 == variance(table, share)[1]


@pytest.mark.parametrize(("options", "bits"), [(2, 1), (3, 8), (256, 8)])
def test_report_bits_are_those_on_the_wire(options: int, bits: int):
    """One bit for two reports, whole bytes for more."""
    assert bits == report_bits(KaryRandomizedResponse(options))


@pytest.mark.parametrize("name", ["two-coin", "two-coin/1"])
def test_a_name_without_a_version_is_its_newest(name: str):
    """People need not type the version."""
    assert find(name) is TwoCoin


def test_weights_by_rank_are_known_by_their_names_in_files():
    """Equal steps, or the first rank alone."""
    made = [design(name, 4, Fraction(3)).spec()["by_rank"] for name in ("linear", "first")]

    assert [[9, 7, 5, 3], [3, 1, 1, 1]] == made


@each("kind", ["yes_no", "choice", "number", "several"])
def test_names_of_survey_files_are_known(kind: str):
    """What an author writes can be looked up, and audited, by the same name."""
    for name, mechanism in named.for_kind(kind).items():
        assert find(name) is mechanism
        assert tossup("show", name, "--options", "2").exit_code == 0, name


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("two-cion", "did you mean two-coin?"),
        ("zzz", "known are two-coin, "),
        ("crosswize", "did you mean crosswise?"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(name: str, nearest: str):
    """A slip of the finger costs one try; nothing near lists what there is."""
    done = tossup("show", name)

    assert done.exit_code == 2
    assert nearest in done.output


@each(
    "arguments",
    [
        ["two-coin", "--odds", "4"],
        ["two-coin", "--options", "3"],
        ["randomized-response", "--odds", "1"],
        ["k-ary-randomized-response", "--odds", "nan"],
        ["k-ary-randomized-response", "--odds", "1/0"],
        ["k-ary-randomized-response", "--set", "keep"],
        ["k-ary-randomized-response", "--set", "keep=NaN"],
        ["k-ary-randomized-response", "--set", "keep=3", "--set", "lie=0"],
        ["two-coin", "--share", "2"],
    ],
)
def test_designs_that_do_not_exist_are_wrong_usage(arguments: list[str]):
    """What no mechanism can be is refused with 2, not shown as something near."""
    assert tossup("show", *arguments).exit_code == 2


@each(
    "name, odds, options, words",
    [
        ("two-coin", "3", "4", "it is for yes/no"),
        ("kuk", "3", "5", "it is for yes/no"),
        ("two-coin", "5", "2", "its odds are 3"),
        ("hybrid", "1", "4", "odds must be above 1"),
        ("k-ary", "3", "300", "options must be an integer from 2 to 256"),
        ("hadamard-response", "5.12345678901", "9", "the limit is 4294967296"),
        ("vector-laplace", "3", "4", "give the dimension of the vector and its norm in steps"),
        ("privunit", "10000000000", "4", "privunit"),
    ],
)
def test_it_is_said_why_there_is_no_design(name: str, odds: str, options: str, words: str):
    """Nobody is sent to parameters that would not help."""
    assert words in tossup("show", name, "--odds", odds, "--options", options).output


@pytest.mark.parametrize(
    ("name", "odds", "options", "shown"),
    [
        ("vector-laplace", "3", "4", "3"),
        ("privunit", "9", "4", "9"),
        ("entry-gaussian", "3", "4", "3"),
        ("exponential", "10000000000", "5", "4278173642"),
    ],
)
def test_the_command_that_is_given_instead_works(name: str, odds: str, options: str, shown: str):
    """It names the parameters, and shows the design that was said."""
    refused = tossup("show", name, "--odds", odds, "--options", options).output
    command = shlex.split(refused.rpartition(": tossup mechanism ")[2])
    done = tossup(*command, "--json")

    assert shown == json.loads(done.stdout)["odds"]


def test_parameters_are_taken_as_a_manifest_has_them():
    """--set reads JSON, so every mechanism can be shown, whatever its parameters."""
    done = tossup("show", "randomized-response", "--set", "weights=[[4,1],[2,3]]", "--json")

    assert [["4/5", "1/5"], ["2/5", "3/5"]] == json.loads(done.stdout)["channel"]


def test_a_large_channel_is_cut_on_a_terminal_only():
    """Eight rows and columns are shown; JSON has all 64."""
    short = tossup("show", "k-ary-randomized-response", "--options", "64")

    assert "--json prints the whole channel" in short.output
    assert 64 == len(facts(KaryRandomizedResponse(64), Fraction(0))["channel"])


@pytest.mark.parametrize("options", [3, 9, 27])
def test_noise_too_wide_to_sum_has_no_channel_to_show(options: int):
    """At odds of 1.01 vectors need noise of thousands of steps: odds are shown, no cells."""
    arguments = ["vector-laplace", "--odds", "1.01", "--options", str(options)]
    found = json.loads(tossup("show", *arguments, "--json").stdout)

    assert ("101/100", None) == (found["odds"], found["channel"])


def test_no_design_is_made_up():
    """Odds that a mechanism cannot have are an error, never the nearest it can."""
    with pytest.raises(MechanismError, match="no design with odds 5"):
        design("two-coin", 2, Fraction(5))


@pytest.mark.parametrize("delta", [Fraction(1, 1000), Fraction(1, 10**6), Fraction(1, 10**9)])
def test_normal_noise_is_shown_for_a_delta(delta: Fraction):
    """The design is that of a survey file: the best margin, and a delta of at most the asked."""
    found = facts(design("discrete-gaussian", 11, Fraction(3), delta=delta), Fraction(0))

    assert Fraction(found["delta"]) <= delta
    assert number_designs.gaussian(11, Fraction(3), delta).spec()["tails"] == found["tails"]


NORMAL = {"discrete-gaussian/1", "entry-gaussian/1"}


@each("name", [name for name in MECHANISMS if name not in NORMAL])
def test_no_other_mechanism_takes_a_delta(name: str):
    """Their odds hold without exception."""
    with pytest.raises(MechanismError, match="takes no delta"):
        design(name, 2, Fraction(3), delta=Fraction(1, 10))


def test_deltas_on_the_command_line():
    """Exact in JSON, beside odds and epsilon for people; what is no chance is a wrong usage."""
    show = ["mechanism", "show", "discrete-gaussian", "--options", "5"]
    shown = json.loads(CliRunner().invoke(root, [*show, "--delta", "1e-3", "--json"]).stdout)
    refused = [CliRunner().invoke(root, [*show, "--delta", wrong]) for wrong in ("0", "1", "x")]
    pure = CliRunner().invoke(root, ["mechanism", "show", "two-coin", "--delta", "1e-6"])

    assert 0 < Fraction(shown["delta"]) <= Fraction(1, 1000)
    assert [2, 2, 2, 2] == [done.exit_code for done in (*refused, pure)]


def test_the_variance_of_numbers_is_that_of_their_mean():
    """By one bit, everyone in the middle of the range: 1/2 (1 - 1/2) / (3/4 - 1/4)**2."""
    shown = facts(design("duchi", 3, Fraction(3)), Fraction(0))

    assert {"mean": pytest.approx(1)} == shown["variance"]


@each("name", ["exponential", "permute-and-flip", "noisy-max-laplace"])
@each("options", [3, 5, 9])
def test_choices_by_score_show_the_variance_of_the_share_told_worst(name: str, options: int):
    """n times it, over all populations; larger at smaller odds."""
    shown = []
    for odds in ("3", "9"):
        arguments = ("show", name, "--options", str(options), "--odds", odds)
        spread = json.loads(tossup(*arguments, "--json").stdout)["variance"]
        assert f"told worst, over all populations: {spread['any_share']:.4g}" in (
            tossup(*arguments).output
        )
        shown.append(spread["any_share"])

    assert shown[0] > shown[1] > 0
    assert shown == [share_variance(design(name, options, Fraction(odds))) for odds in (3, 9)]


def test_noise_for_entries_of_products_is_shown_by_its_components():
    """Two components and their products are nearer together than any five numbers."""
    five, products = (
        design("entry-laplace", 2, Fraction(3), {"dimension": 5, "radius": 32, **more})
        for more in ({}, {"components": 2})
    )

    assert (5, 2) == (five.components, products.components)
    assert products.distance < five.distance
    with pytest.raises(MechanismError):
        design("privunit", 2, Fraction(3), {"dimension": 5, "radius": 32, "components": 2})


@pytest.mark.parametrize("name", ["vector-laplace", "entry-laplace", "privunit", "entry-gaussian"])
def test_vectors_show_the_variance_of_a_component(name: str):
    """In squares of the declared norm: hardly another one for a finer step."""
    coarse, fine = (
        facts(design(name, points, Fraction(3)), Fraction(0))["variance"]["component"]
        for points in (33**2, 65**2)
    )

    assert coarse == pytest.approx(fine, rel=0.15)
