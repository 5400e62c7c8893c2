"""How many must answer a survey that is written down: every kind of question, groups and waves."""

from fractions import Fraction
from itertools import combinations_with_replacement

import every_kind
import numpy as np
import pytest
from sweeps import each

from tossup.server.estimation import estimate_numbers
from tossup.server.planning.errors import PlanningError
from tossup.server.planning.sample_size import respondents_for_margin, symmetric
from tossup.server.planning.whole_survey import for_margin, for_respondents
from tossup.server.surveys.file import load_survey

HEAD = """
id = "plan"
title = "Plan"
purpose = "To plan."
[publisher]
name = "Example University"
contact = "irb@example.org"
"""
YES_NO = HEAD + '[[question]]\nid = "tried"\ntext = "Tried?"\n'


def survey(text):
    return load_survey(text, bytes(32))


def test_it_works():
    """A yes/no question needs what a yes/no question of the same coins needs anywhere."""
    (plan,) = for_margin(survey(YES_NO), 0.05)

    assert respondents_for_margin(symmetric(Fraction(3)), 0.05) == plan.respondents == 1537
    assert ("tried", "share of yes", Fraction(3)) == (plan.question, plan.of, plan.odds)


def test_every_kind_reaches_its_margin_and_one_less_misses_it():
    """The number is the smallest that does, for every kind of question, in waves too."""
    for asked in every_kind.surveys(bytes(32)):
        for place, plan in enumerate(for_margin(asked, 0.05)):
            enough = for_respondents(asked, plan.respondents)[place]
            less = for_respondents(asked, int(plan.respondents * 0.99) - 1)[place]

            assert enough.margin <= 0.05 * (1 + 1e-9) < less.margin, plan
            assert plan.reports <= plan.respondents, plan


def test_a_wave_has_its_part_of_the_respondents():
    """With two of eight waves a device, four times as many are needed; tossed once, as many."""
    waves = "[waves]\ncount = 8\nfirst = 2027-01-04\ndays = 7\n"
    (afresh,) = for_margin(survey(YES_NO + waves + "times = 2\n"), 0.05)
    (once,) = for_margin(survey(YES_NO + waves), 0.05)

    assert (1537, 4 * 1537, Fraction(9)) == (afresh.reports, afresh.respondents, afresh.odds)
    assert (1537, 1537, Fraction(3)) == (once.reports, once.respondents, once.odds)


def test_a_number_has_its_own_range():
    """Five points of a range of 20 are one: the mean's margin is told in its own unit."""
    text = HEAD + '[[question]]\nid = "h"\ntext = "h?"\nanswers = { integers = [0, 20] }\n'
    (plan,) = for_margin(survey(text), 0.05)

    assert ("mean", 20) == (plan.of, plan.range)


@each(
    "mechanism",
    ["truncated-geometric", "discrete-laplace", "staircase", "discrete-gaussian", "duchi",
     "three-outputs", "piecewise", "hybrid", "square-wave"],
)  # fmt: skip
@each("odds", [3, 9, 81])
def test_a_mean_reaches_its_margin_however_people_differ(mechanism, odds):
    """At the counts that each population leads to on average; in one of them barely."""
    number = f'answers = {{ integers = [0, 10] }}\nmechanism = "{mechanism}"\nodds = {odds}\n'
    asked = survey(f'question_cap = 81\n{HEAD}[[question]]\nid = "h"\ntext = "h?"\n{number}')
    (plan,), question = for_margin(asked, 0.005), asked.questions[0]
    chances = np.array(question.mechanism.channel(), dtype=float)
    halves = []
    for low, high in combinations_with_replacement(range(11), 2):
        for part in (0.3, 0.5):
            people = np.zeros(11)
            people[low] += part
            people[high] += 1 - part
            counts = np.rint(plan.reports * people @ chances).astype(int).tolist()
            mean = estimate_numbers(counts, question.mechanism, question.domain)[0]
            halves.append(mean.interval.width / 2 / 10)

    assert 0.995 * 0.005 < max(halves) < 1.005 * 0.005


@pytest.mark.parametrize(("margin", "confidence"), [(0.0, 0.95), (1.0, 0.95), (0.1, 1.0)])
def test_what_is_no_margin_is_refused(margin, confidence):
    """Neither nothing nor everything is a margin."""
    with pytest.raises(PlanningError):
        for_margin(survey(YES_NO), margin, confidence)
