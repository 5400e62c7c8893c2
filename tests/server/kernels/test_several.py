"""Kernels of several options count, admit and toss columns as the mechanisms do one by one."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from channels import column_of
from hypothesis import given, settings
from hypothesis import strategies as st
from small_designs import examples
from sweeps import each

from tossup.server.kernels import kernel_of
from tossup.shared.mechanisms import PerOptionBits, SampledOptions, SeveralMechanism

DESIGNS: list[SeveralMechanism] = [
    PerOptionBits(1, 1),
    PerOptionBits(5, 2),
    PerOptionBits(8, 8, 2, 1, 4),
    PerOptionBits(9, 3),
    PerOptionBits(33, 2),
    PerOptionBits(64, 64, 60, 59, 119),
    SampledOptions(1, 1),
    SampledOptions(6, 6),
    SampledOptions(7, 7, 3),
    SampledOptions(10, 2, 10),
    SampledOptions(64, 64),
    SampledOptions(64, 3, 2),
    SampledOptions(64, 64, 12),  # more possible reports than are counted at once
    SampledOptions(40, 5, 26),
    *examples(SeveralMechanism),
]


def ids(mechanism: SeveralMechanism) -> str:
    return f"{mechanism.spec()} of {mechanism.options}"


def sets_of(mechanism: SeveralMechanism, n: int) -> list[int]:
    """Sets of every allowed size, one after the other through all options."""
    sizes = [place % (mechanism.most + 1) for place in range(n)]
    ticked = [
        {(place + step) % mechanism.options for step in range(s)} for place, s in enumerate(sizes)
    ]
    return [sum(1 << option for option in options) for options in ticked]


@each("mechanism", DESIGNS)
def test_counts_are_those_of_counting_one_by_one(mechanism: SeveralMechanism):
    """A column of 400 true reports asks and ticks each option as often as its reports say."""
    reports = [mechanism.perturb(answer) for answer in sets_of(mechanism, 400)]
    expected = np.zeros((mechanism.options, 2), dtype=int)
    for report in reports:
        for option, ticked in mechanism.told(report):
            expected[option, int(ticked)] += 1

    counted = kernel_of(mechanism).count(column_of(mechanism, reports)).tolist()

    assert [tuple(row) for row in expected.tolist()] == list(mechanism.by_option(counted))
    assert (mechanism.counters, 400) == (len(counted), mechanism.reports_counted(counted))


@pytest.mark.parametrize("mechanism", DESIGNS, ids=ids)
@settings(max_examples=30)
@given(data=st.data())
def test_a_column_is_admitted_if_each_value_is_a_report(mechanism, data: st.DataObject):
    """Any bytes beside true reports: the kernel refuses what the mechanism refuses."""
    width = max(1, -(-(mechanism.reports - 1).bit_length() // 8))
    largest = (1 << 8 * width) - 1
    near = data.draw(st.integers(-3, 3)) + mechanism.reports
    good = [mechanism.perturb(0), mechanism.perturb(1)]

    for value in (data.draw(st.integers(0, largest)), min(max(near, 0), largest), largest, 0):
        column = column_of(mechanism, [*good, value])
        assert mechanism.is_report(value) == kernel_of(mechanism).admits(column)


def check(mechanism: SeveralMechanism, tally: list[int], shares: list[Fraction], n: int) -> None:
    """Each counter is within 7 standard deviations of its mean: by chance not in 1e-11 of runs."""
    q, p = mechanism.rates
    assert n == mechanism.reports_counted(tally)
    for share, (others, ticked) in zip(shares, mechanism.by_option(tally), strict=True):
        asked, said = mechanism.asked_share, q + share * (p - q)
        for count, chance in ((others, asked * (1 - said)), (ticked, asked * said)):
            mean, spread = float(n * chance), sqrt(float(n * chance * (1 - chance)))
            assert abs(count - mean) <= 7 * spread


@each("mechanism", [design for design in DESIGNS if design.options <= 10])
def test_reports_simulated_for_sets_follow_the_rates(mechanism: SeveralMechanism):
    """Half of the respondents tick nothing, a quarter the first and a quarter the last option."""
    n, last = 20_000, mechanism.options - 1
    truth = [0] * mechanism.answers
    for answer, respondents in ((0, n // 2), (1, n // 4), (1 << last, n // 4)):
        truth[answer] += respondents
    shares = [Fraction(0)] * mechanism.options
    for option in (0, last):
        shares[option] += Fraction(1, 4)

    check(mechanism, kernel_of(mechanism).simulate(truth).tolist(), shares, n)


@each("mechanism", DESIGNS)
def test_reports_simulated_for_shares_follow_the_rates(mechanism: SeveralMechanism):
    """Shares of 0, of 1 and between, of every option by itself."""
    shares = [Fraction(option % 5, 4) for option in range(mechanism.options)]
    tally = kernel_of(mechanism).simulate_shares(shares, 30_000).tolist()

    check(mechanism, tally, shares, 30_000)
