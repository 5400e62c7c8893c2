"""Several of k options are asked with the mechanism of least variance, which says why."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from sweeps import each

from tossup.server.kinds.choosing.choice import variance
from tossup.server.kinds.choosing.named import compared
from tossup.server.kinds.choosing.several import choose, for_several
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import KaryRandomizedResponse, PerOptionBits, SampledOptions
from tossup.shared.odds import largest_odds

# n times the variance of a share of 0 where d questions with 4 answers each are asked with k-ary
# randomized response, everything spent on one of them (SMP) or split evenly (SPL): formulas of
# multi-freq-ldpy 0.2.5, mdim_freq_est (Arcolezi, Couchot, Al Bouna and Xiao 2021, CIKM).
GOLDEN = [
    # questions, epsilon, SMP, SPL
    (2, "1.0", 3.196134737769448, 8.670106102024695),
    (5, "1.0", 7.990336844423621, 65.71718807520489),
    (10, "1.0", 15.980673688847242, 280.7334610608641),
    (10, "4.0", 0.19701651651005228, 14.435497808891352),
]


FIGURES = ("sampled-options", "per-option-bits")  # in the order of the reference's table


def four_way(epsilon: Decimal) -> float:
    return float(variance(KaryRandomizedResponse(4, *largest_odds(epsilon, 4).as_integer_ratio())))


@pytest.mark.parametrize(("questions", "epsilon", "sampled", "split"), GOLDEN)
def test_the_golden_figures_are_what_we_compare(questions, epsilon, sampled, split):
    """Sampling one of d multiplies a question's variance by d; splitting takes the d-th root.

    Our mechanisms do so with the two answers of an option, ticked or not.
    """
    whole, part = Decimal(epsilon), Decimal(epsilon) / questions

    assert sampled == pytest.approx(questions * four_way(whole), rel=1e-6)
    assert split == pytest.approx(four_way(part), rel=1e-6)
    for epsilon_, factor, made in (
        (whole, questions, SampledOptions.asking(1, largest_odds(whole), questions)),
        (part, 1, PerOptionBits.from_odds(largest_odds(whole), questions)),
    ):
        two_way = variance(KaryRandomizedResponse(2, *largest_odds(epsilon_).as_integer_ratio()))
        assert float(factor * two_way) == pytest.approx(float(made.variance_at(0)), rel=1e-6)


def every_design(odds: Fraction, options: int, most: int):
    """Everything that can be asked with at these odds."""
    yield PerOptionBits.from_odds(odds, options, most)
    for asked in range(1, options + 1):
        yield SampledOptions.asking(asked, odds, options, most)


@each("odds", [Fraction(3, 2), Fraction(3), Fraction(9), Fraction(81)])
@each("options, most", [(1, 1), (2, 1), (2, 2), (4, 1), (5, 2), (8, 1), (8, 8), (16, 1), (16, 3)])
def test_no_design_has_less_variance_than_the_choice(odds, options, most):
    """Of all numbers of options asked, and of a bit for every option."""
    found = choose(odds, options, most).chosen
    least = min(design.worst_variance for design in every_design(odds, options, most))

    assert found.mechanism.odds <= odds
    assert found.variance == least


@each(
    "odds, options, most, expected",
    [
        (3, 2, 2, "sampled-options"),
        (3, 16, 16, "sampled-options"),
        (3, 16, 1, "per-option-bits"),
        (9, 8, 1, "per-option-bits"),
        (9, 64, 2, "per-option-bits"),
        (Fraction(3, 2), 8, 2, "sampled-options"),
    ],
)
def test_few_ticks_of_many_options_are_told_all_at_once(odds, options, most, expected):
    """A bit for every option costs little if two answers can differ in a few of them only."""
    assert expected == choose(Fraction(odds), options, most).chosen.name


def test_more_than_one_is_asked_from_odds_of_about_21_on():
    """Two of 8 options asked at once then have less variance than one."""
    asked = {odds: SampledOptions.from_odds(Fraction(odds), 8).asked for odds in (3, 20, 23, 81)}

    assert {3: 1, 20: 1, 23: 2, 81: 2} == asked


def test_it_says_why():
    """All figures that were compared stand in one sentence."""
    assert (
        "sampled-options has the least variance at these odds; n times the variance of an option's"
        " share where it is largest: sampled-options 8, per-option-bits 53.19"
    ) == choose(Fraction(3), 8, 8).why


def documented() -> list[tuple[str, ...]]:
    """The rows of the reference's table: odds, options, most, and both figures."""
    page = (Path(__file__).parents[3] / "docs/reference/survey-file.md").read_text("utf-8")
    rows = page.partition("| odds | options |")[2].partition("\n\n")[0].splitlines()[2:]
    return [tuple(cell.strip(" *") for cell in row.strip("|").split("|")) for row in rows]


@each("row", documented())
def test_the_figures_of_the_reference_are_ours(row):
    """Each is n times the largest variance of a share, at the odds of the row."""
    odds, options, most, *figures = row
    made = [
        compared("several")[name].from_file({"most": int(most)}, Fraction(odds), int(options))
        for name in FIGURES
    ]

    assert figures == [f"{float(design.worst_variance):.2f}" for design in made]


@each("name", [None, "auto", *compared("several")])
@each("asked", [Fraction(3), Decimal("1.0986122887"), Decimal("0.5")])
def test_realised_odds_never_exceed_those_asked(name, asked):
    """For odds and for an epsilon."""
    limit = asked if isinstance(asked, Fraction) else largest_odds(asked)

    assert 1 < for_several(6, 3, asked, {"mechanism": name}).odds <= limit


@pytest.mark.parametrize(
    ("name", "odds", "words"),
    [("two-coin", Fraction(3), "use one of auto,"), (None, Fraction(1), "must be above 1")],
)
def test_what_does_not_fit_is_refused(name, odds, words):
    """A mechanism for other answers, and odds that tell nothing."""
    with pytest.raises(MechanismError, match=words):
        for_several(6, 3, odds, {"mechanism": name})


@pytest.mark.parametrize(("options", "most"), [(0, 0), (65, 1), (4, 5), (4, 0)])
def test_so_many_options_or_ticks_are_refused(options, most):
    """From 1 to 64 options, of which one may tick at least one."""
    with pytest.raises(MechanismError):
        choose(Fraction(3), options, most)
