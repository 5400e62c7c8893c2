"""Any kind of question beside a trusted curator, and the odds that meet demands on it."""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import dist, isclose, sqrt

import pytest

from tossup.server.kinds import kind_of
from tossup.server.planning import beside, whole_survey
from tossup.server.planning.compare import compare
from tossup.server.planning.errors import PlanningError
from tossup.server.planning.feasible import Deviation, Tail
from tossup.server.surveys.file import load_survey

HEAD = """
id = "plan"
title = "Plan"
purpose = "Plan"
question_cap = 729
publisher = {name = "-", contact = "-"}
"""
ANSWERS = {
    "yes_no": "",
    "choice": 'answers = ["a", "b", "c", "d"]',
    "several": 'answers = {several = ["a", "b", "c", "d"], most = 2}',
    "all ticked": 'answers = {several = ["a", "b", "c"]}',
    "ranking": 'answers = {ranking = ["a", "b", "c", "d"]}',
    "scores": 'mechanism = "exponential"\nanswers = {ranking = ["a", "b", "c"], scores = [9,2,0]}',
    "number": "answers = {integers = [0, 10]}",
    "vector": 'answers = {vector = ["x", "y"], norm = 1}',
}


def asked(kind: str, odds: object = 3, waves: str = ""):
    """Return a survey that asks one question of a kind at some odds."""
    question = f'[[question]]\nid = "q"\ntext = "Q?"\nodds = "{odds}"\n{ANSWERS[kind]}\n'
    return load_survey(f"{HEAD}{waves}{question}", bytes(32))


def ticked(options: int, most: int) -> list[tuple[int, ...]]:
    sets = (held for size in range(most + 1) for held in combinations(range(options), size))
    return [tuple(int(each in held) for each in range(options)) for held in sets]


def test_one_person_moves_the_sums_as_far_as_said_and_no_farther():
    """Every pair of answers is tried, of the kinds that have few."""
    scores = [1, Fraction(2, 9), 0]
    points = {"ranking": [1, Fraction(2, 3), Fraction(1, 3), 0], "scores": scores}
    every = {
        "yes_no": [(0,), (1,)],
        "choice": [tuple(int(each == held) for each in range(4)) for held in range(4)],
        "several": ticked(4, 2),
        "all ticked": ticked(3, 3),
        "number": [(Fraction(at, 10),) for at in range(11)],
    } | {kind: list(permutations(by_rank)) for kind, by_rank in points.items()}
    for kind, answers in every.items():
        question = asked(kind).questions[0]
        moved = kind_of(question).moved(question)
        pairs = list(product(answers, repeat=2))
        l1 = max(sum(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairs)
        l2 = max(dist(*pair) for pair in pairs)
        assert isclose(float(l1), moved.l1), kind
        assert isclose(l2, moved.l2), kind
        assert len(answers[0]) == moved.answers, kind


def test_a_curator_is_the_one_of_yes_or_no():
    """What is said for every kind is what `compare` says of a share."""
    survey = asked("yes_no")
    found = beside.curator(survey, survey.questions[0])
    local, *central = compare(Fraction(3), 1537)
    least = min(way.margin_population for way in central)
    fewest = min(way.respondents for way in central)

    assert isclose(1.959964 * found.deviation(1537), least, rel_tol=1e-6)
    assert fewest == found.respondents(local.margin_population, 1.959964)


def test_waves_divide_what_a_curator_may_spend():
    """Two tosses afresh, or one for life that is published in four waves."""
    once = asked("yes_no", 9)
    afresh, life = (
        asked("yes_no", 3, f"waves = {{count = 4, first = 2026-01-01, days = 7{times}}}\n")
        for times in (", times = 2", "")
    )
    single, twice, four = (
        beside.curator(each, each.questions[0]).standard_deviation for each in (once, afresh, life)
    )

    assert single < twice < four


def test_demands_are_met_at_the_odds_found_and_missed_just_below():
    """For every kind; a curator needs less."""
    demands = [Deviation(0.04), Tail(0.08, 0.02)]
    for kind in ANSWERS:

        def question(odds: Fraction, kind: str = kind):
            return asked(kind, odds).questions[0]

        found = beside.feasible_for(question, 5000, demands)
        odds = Fraction(str(found.local.odds))
        at = beside.LADDER.index(odds)
        spread = [
            sqrt(kind_of(q).largest_variance(q.mechanism) / 5000)
            for q in (question(beside.LADDER[at]), question(beside.LADDER[max(0, at - 1)]))
        ]
        needed = 0.08 / 2.3263479  # sharper than the deviation of 0.04
        assert spread[0] < needed, kind
        assert at == 0 or spread[1] >= needed, kind
        assert found.central.epsilon < found.local.epsilon, kind


def test_no_odds_meet_what_few_people_cannot_tell():
    """Neither coins nor a curator take away that some people were asked instead of all."""
    found = beside.feasible_for(
        lambda odds: asked("yes_no", odds).questions[0], 50, [Deviation(0.05)]
    )

    assert (None, None) == (found.local, found.central)
    assert found.floor > 0.05


def test_a_difference_takes_more_people_the_more_is_compared():
    """More groups, a smaller difference, more power: each takes more; 4 of yes/no twice."""
    plain = whole_survey.for_difference(asked("yes_no"), 0.1)[0].respondents
    more = [
        whole_survey.for_difference(asked("yes_no"), 0.1, groups=4)[0].respondents,
        whole_survey.for_difference(asked("yes_no"), 0.05)[0].respondents,
        whole_survey.for_difference(asked("yes_no"), 0.1, 0.95)[0].respondents,
        whole_survey.for_difference(asked("choice"), 0.1)[0].respondents,
    ]

    assert 1570 == plain
    assert all(people > plain for people in more)
    with pytest.raises(PlanningError, match="at least 2"):
        whole_survey.for_difference(asked("yes_no"), 0.1, groups=1)
