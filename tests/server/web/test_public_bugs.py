"""Faults found in public privacy code that concern the server, each over a sweep of parameters.

The numbers are those of docs/explanation/known-faults.md.
"""

import json
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import factorial, prod

import pytest
from sweeps import each

from tossup.server.estimation import EstimationError, estimate_shares
from tossup.server.kinds.choosing.options import plain
from tossup.server.kinds.spread import variance
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import KaryRandomizedResponse, RandomizedResponse, TwoCoin
from tossup.shared.wire import REPORTS_TYPE, b64, unb64

DESIGNS = [
    TwoCoin(),
    RandomizedResponse(((4, 1), (2, 3))),
    RandomizedResponse(((1, 99), (99, 1))),
    KaryRandomizedResponse(2, 5, 4),
    KaryRandomizedResponse(3),
    KaryRandomizedResponse(4, 81, 1),
]
N = 3  # respondents, few enough to go through all that may happen


def outcomes(design, share):
    """Yield every tally of N reports with its exact chance, for a true share of answer 0."""
    options = design.answers
    rest = [(1 - share) / (options - 1)] * (options - 1)
    truth = [share, *rest]
    chances = [
        sum(truth[answer] * design.probability(answer, report) for answer in range(options))
        for report in range(design.reports)
    ]
    for counts in product(range(N + 1), repeat=design.reports):
        if sum(counts) == N:
            ways = Fraction(factorial(N), prod(factorial(count) for count in counts))
            chance = prod(p**count for p, count in zip(chances, counts, strict=True))
            yield counts, ways * chance


@each("share", [Fraction(0), Fraction(1, 10), Fraction(1)])
@each("design", DESIGNS)
def test_fault_13_the_variance_is_that_of_the_estimates(design, share):
    """Over all that may happen: the mean square around the truth, n times, is the formula."""
    found = sum(
        chance * (estimate_shares(counts, design).options[0].exact - share) ** 2
        for counts, chance in outcomes(design, share)
    )

    # The formula is about the last answer; by symmetry it is about every option of a choice.
    expected = variance(design, 1 - share if design.answers == 2 else share)
    assert expected is not None
    assert N * found == expected[1]


@each("share", [Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(1)])
@each("design", DESIGNS)
def test_fault_14_estimates_are_not_clipped_and_rescaled(design, share):
    """The mean over all that may happen is the true share exactly, at 0 and at 1 as well."""
    mean = sum(
        chance * estimate_shares(counts, design).options[0].exact
        for counts, chance in outcomes(design, share)
    )

    assert share == mean


@each("design", DESIGNS)
def test_fault_16_a_share_of_zero_may_be_estimated_below_zero(design):
    """Negative estimates are kept: without them the mean at a share of 0 would be above it."""
    values = [
        estimate_shares(counts, design).options[0].value
        for counts, _ in outcomes(design, Fraction(0))
    ]

    assert min(values) < 0


@pytest.mark.parametrize("epsilon", ["NaN", "Infinity", "800", "0", "-1"])
def test_fault_21_no_design_is_made_of_an_impossible_epsilon(epsilon):
    """An author who asks for it is told, and gets no question with 100 % of the truth."""
    for yes_no in (True, False):
        with pytest.raises(MechanismError):
            plain(Decimal(epsilon), 2, yes_no=yes_no)


@pytest.mark.parametrize("odds", [Fraction(1), Fraction(1, 2), Fraction(0), Fraction(-3)])
def test_fault_21_no_design_is_made_of_impossible_odds(odds):
    """Odds of 1 tell nothing; below 1 there are none."""
    with pytest.raises(MechanismError):
        plain(odds, 3, yes_no=False)


@each("options", [2, 3, 5, 16, 64])
@each("place", ["first", "last"])
@each("value", [-1, -1000])
def test_fault_28_a_negative_count_is_no_count(options, place, value):
    """Nothing is taken from the end of a tally by a negative number."""
    counts = [10] * options
    counts[0 if place == "first" else -1] = value

    with pytest.raises(EstimationError):
        estimate_shares(counts, KaryRandomizedResponse(options))


@pytest.mark.parametrize("value", [5, 6, 100, 255])
@pytest.mark.parametrize("place", [0, 1, 6])
def test_fault_28_one_report_outside_the_range_refuses_its_batch(
    client, store, survey, make_body, value, place
):
    """Whatever its place among good ones; no counter of the survey moves."""
    body = json.loads(make_body((0, 1, 2, 3, 4, 0, 1), question="rating"))
    column = bytearray(unb64(body["columns"]["rating"]))
    column[place] = value
    body["columns"]["rating"] = b64(bytes(column))

    answer = client.post("/v1/reports", data=json.dumps(body), content_type=REPORTS_TYPE)

    assert 400 == answer.status_code
    assert [] == store.tally(survey.id)


def test_fault_28_the_same_batch_without_it_is_counted(client, store, survey, make_body):
    """The control: what the sweep above changes is all that is wrong with its batches."""
    body = make_body((0, 1, 2, 3, 4, 0, 1), question="rating")

    answer = client.post("/v1/reports", data=body, content_type=REPORTS_TYPE)

    assert 200 == answer.status_code
    assert [(2, 2, 1, 1, 1)] == [tuple(cell.counts) for cell in store.tally(survey.id)]


@each("options", [2, 3, 5, 6, 7, 9, 10, 100, 255])
def test_fault_31_estimates_are_exact_for_every_number_of_options(options):
    """Expected reports give the truth back, powers of two or not."""
    design = KaryRandomizedResponse(options)
    truth = [Fraction(2, options + 1), *[Fraction(1, options + 1)] * (options - 1)]
    total = (options + 2) * (options + 1)
    columns = zip(*design.channel(), strict=True)
    counts = [
        int(total * sum(t * chance for t, chance in zip(truth, column, strict=True)))
        for column in columns
    ]

    assert truth == [option.exact for option in estimate_shares(counts, design).options]
