"""Rappor: its whole channel, its odds, and every run of its coins."""

from fractions import Fraction
from math import lcm, log

import pytest
from channels import channel, largest_ratio, reports_of, walked
from small_designs import of, two_stages
from sweeps import each

from tossup.shared.mechanisms import Rappor

each_design = each("design", of(Rappor))


@each_design
def test_a_report_is_what_some_answer_gives(design: Rappor):
    """A report is possible under every answer or under none; probabilities sum to 1."""
    rows = channel(design)

    assert {1} == {sum(row) for row in rows}
    assert reports_of(rows) == [y for y in range(-1, design.reports + 1) if design.is_report(y)]


@each_design
def test_odds_by_enumeration(design: Rappor):
    """The odds are the largest ratio over all reports and pairs of answers."""
    assert design.odds == largest_ratio(channel(design))


@each_design
def test_the_sampler_is_the_channel(design: Rappor):
    """Over all choices of the coins, each report comes with exactly its probability."""
    assert channel(design) == walked(design)


@each("design", two_stages(Rappor))
def test_odds_of_a_report_by_enumeration(design: Rappor):
    """Of both stages at once, they are those of one report of what is kept."""
    assert design.odds == design.odds_of(1) == largest_ratio(channel(design))


# f, p, q and h of the paper; epsilon of one report and for life, at double precision; the scale of
# an estimate, and how often a bit is reported where the answer does not set it and where it does.
PAPER = [
    ("1/2", "1/2", "3/4", 1, 0.537142932083364, 2.1972245773362196, 8.0, (0.5625, 0.6875)),
    ("1/2", "1/2", "3/4", 2, 1.074285864166728, 4.394449154672439, 8.0, (0.5625, 0.6875)),
    (
        "1/4",
        "7/20",
        "13/20",
        2,
        1.8313323745019214,
        7.783640596221253,
        4.444444444444445,
        (0.3875, 0.6125),
    ),
    ("1/2", "1/4", "3/4", 1, 1.0216512475319814, 2.1972245773362196, 4.0, (0.375, 0.625)),
    ("3/4", "1/2", "3/4", 2, 0.5342750864402974, 2.043302495063963, 16.0, (0.59375, 0.65625)),
    ("1/5", "1/10", "9/10", 4, 12.130779914944707, 17.577796618689757, 1.5625, (0.18, 0.82)),
]


@each("f, p, q, hashes, once, life, scale, rates", PAPER)
def test_rappor_has_the_values_of_the_paper(f, p, q, hashes, once, life, scale, rates):
    """Theorems 1 and 2; h hash functions set h bits, whose odds multiply."""
    f, p, q = Fraction(f), Fraction(p), Fraction(q)
    lie, total = (f / 2).as_integer_ratio()
    out_of = lcm(p.denominator, q.denominator)
    design = Rappor(2, total - lie, lie, int(q * out_of), int(p * out_of), out_of)
    rate_without, rate_with = design.rates

    assert hashes * log(design.odds) == pytest.approx(once, rel=1e-12)
    assert hashes * log(design.memory.odds) == pytest.approx(life, rel=1e-12)
    assert float(1 / (rate_with - rate_without)) == pytest.approx(scale, rel=1e-12)
    assert rates == pytest.approx((float(rate_without), float(rate_with)), rel=1e-12)
