"""Designs of papers: what their reports are worth, and what is refused."""

from fractions import Fraction

import pytest
from sweeps import each

from tossup.server.estimation import EstimationError, estimate
from tossup.server.estimation.designs import design as designs
from tossup.server.estimation.designs.named import design_named, design_of
from tossup.server.estimation.papers.two_samples import (
    unrelated_unknown,
)
from tossup.server.kinds.choosing import paper
from tossup.shared.mechanisms import TwoCoin


@each("share", [Fraction(0), Fraction(1, 3), Fraction(1)])
@each(
    "design",
    [
        designs.triangular("3/10"),
        designs.mangat(0.7),
        designs.kuk(yes="3/4", no="7/20", draws=5),
        designs.disguised_response("4/5"),
    ],
)
def test_the_mean_value_of_a_report_is_the_share_of_yes(design, share):
    """Exactly, whatever the share: expected reports in, the truth out."""
    no, yes = design.channel()
    mean = sum(
        ((1 - share) * p + share * q) * value
        for p, q, value in zip(no, yes, design.report_values(), strict=True)
    )

    assert share == mean


def test_a_report_that_proves_an_answer_has_no_odds():
    """The triangular design's report 0 proves a no; two coins multiply odds by 3."""
    assert designs.triangular(0.3).odds is None
    assert designs.two_coins().odds == 3


def test_a_mechanism_is_a_design():
    """A device's mechanism and the paper's design give the same channel."""
    assert designs.two_coins().rows == design_of(TwoCoin()).rows


def test_a_float_means_its_shortest_decimal():
    """0.1 is one tenth, not the binary fraction next to it."""
    assert designs.warner(0.1).rates == (Fraction(9, 10), Fraction(1, 10))


@each(
    "make",
    [
        lambda: designs.warner("1/2"),
        lambda: designs.warner(1.2),
        lambda: designs.warner(float("nan")),
        lambda: designs.warner("often"),
        lambda: designs.forced_response(yes=0.5, no=0.5),
        lambda: designs.kuk(yes=0.8, no=0.2, draws=0),
        lambda: designs.custom([[1, 0]]),
        lambda: designs.custom([["1/2", "1/3"], [0, 1]]),
        lambda: designs.custom([[1, 0, 0], [0, 1, 0], [0, 0, 1]]).report_values(),
        lambda: designs.custom([["1/2", 0, "1/2"], [0, 1, 0]]).report_values(),
        lambda: estimate(yes=0, n=0, design=designs.two_coins()),
        lambda: estimate(yes=4, n=3, design=designs.two_coins()),
        lambda: unrelated_unknown((1, 10), (2, 10), p=(0.5, 0.5)),
        lambda: unrelated_unknown((1, 1), (2, 10), p=(0.5, 0.7)),
    ],
)
def test_impossible_designs_and_tables_are_refused(make):
    """With an error that says what is wrong."""
    with pytest.raises(EstimationError):
        make()


def test_the_names_of_survey_files_are_understood():
    """Whoever moves a question from a survey file to a table of studies keeps the design's name."""
    given = {
        "warner": {"p": "3/4"},
        "forced-response": {"forced_yes": "1/6", "forced_no": "1/6"},
        "crosswise": {"p": "1/4"},
        "unrelated-question": {"p": "2/3", "prevalence": "1/4"},
    }
    in_files = {
        "warner": {"selected": Fraction(3, 4)},
        "forced-response": {"forced": [Fraction(1, 6)] * 2},
        "crosswise": {"prevalence": Fraction(1, 4)},
        "unrelated-question": {"selected": Fraction(2, 3), "prevalence": Fraction(1, 4)},
    }

    assert set(given) == set(paper.NAMES)
    for name in paper.NAMES:
        made = paper.make(name, in_files[name], None).channel()
        assert made == design_named(name, given[name]).rows, name
