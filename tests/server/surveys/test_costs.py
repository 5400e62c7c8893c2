"""What a survey costs: local promises, every bound by name, and mixing with whom it trusts."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from tossup.server.accounting.bounds import bounds
from tossup.server.accounting.guarantee import Guarantee, of_ratios
from tossup.server.kinds import reasons
from tossup.server.surveys.costs import survey_cost
from tossup.shared.errors import AccountingError
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import (
    DiscreteGaussian,
    Duchi,
    Hybrid,
    KaryRandomizedResponse,
    SubsetSelection,
)
from tossup.shared.odds import epsilon
from tossup.shared.survey import Option, Question


@pytest.fixture(scope="module")
def normal() -> DiscreteGaussian:
    """Odds 3 but for one chance in a million."""
    return DiscreteGaussian.for_odds(11, Fraction(3))


def many(survey, count: int, mechanism=None):
    """Return the survey with its first question asked so often."""
    first = survey.questions[0]
    asked = replace(first, mechanism=mechanism or first.mechanism)
    return replace(
        survey, questions=tuple(replace(asked, id=f"q{n}", topic=f"t{n}") for n in range(count))
    )


def about_hours(survey, mechanism):
    grid = Grid.integers(0, mechanism.answers - 1)
    question = Question("hours", "hours", {"en": "How many?"}, (), mechanism, grid)
    return replace(survey, questions=(question,))


def test_it_works(survey):
    """Two answers at 3:1 are 9:1 exactly; bounds come by name, the sum first."""
    cost = survey_cost(survey)

    assert {"ever_tried": (3, 0), "rating": (3, 0)} == cost.answers
    assert (9, 0) == (cost.odds, cost.delta)
    assert "sequential" == cost.bounds[0].name
    assert Decimal("2.1973") == cost.bounds[0].guarantee.shown()[0]
    assert cost.tightest.guarantee.epsilon <= cost.bounds[0].guarantee.epsilon


@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_the_bounds_are_those_of_the_questions_together(survey, count: int):
    """Question by question they are `accounting.bounds` of the same promises."""
    three = Guarantee.of_odds(Fraction(3))

    assert bounds({three: count}, Decimal("1e-6")) == survey_cost(many(survey, count)).bounds


def test_deltas_are_in_every_bound(survey, normal):
    """Their sum is in the first; no bound promises a smaller one."""
    cost = survey_cost(
        replace(survey, questions=(*survey.questions, *about_hours(survey, normal).questions))
    )

    assert (27, normal.delta) == (cost.odds, cost.delta)
    assert of_ratios(Fraction(3), normal.delta).delta == cost.bounds[0].guarantee.delta
    assert all(bound.guarantee.delta >= cost.bounds[0].guarantee.delta for bound in cost.bounds)


def test_without_slack_epsilons_add_up_and_nothing_is_mixed(survey):
    """No delta is spent that nobody allowed."""
    cost = survey_cost(survey, Decimal(0))

    assert ["sequential"] == [bound.name for bound in cost.bounds]
    assert () == cost.mixed


def test_a_mixed_figure_says_whom_it_trusts_and_what_holds_without(survey):
    """Two coins among 10,000: 0.0609 for those who trust the mixer, 1.0987 for all others."""
    (mixed,) = survey_cost(survey).mixed

    assert ("ever_tried", "rating") == mixed.questions
    assert Decimal("0.0609") == mixed.amplified.mixed.shown()[0]
    assert Decimal("1.0987") == mixed.amplified.local.shown()[0]
    assert "whoever mixes the reports" in mixed.amplified.trusts


def test_answers_that_travel_together_are_mixed_together(joint_survey):
    """One report holds both answers, so its local odds are 9."""
    (mixed,) = survey_cost(joint_survey).mixed

    assert ("ever_tried", "rating") == mixed.questions
    assert epsilon(Fraction(9)) == mixed.amplified.local.shown()[0]


def test_answers_with_a_delta_are_not_called_amplified(survey, normal):
    """The bound for mixing is for pure mechanisms; nothing is said rather than too little."""
    assert () == survey_cost(about_hours(survey, normal)).mixed


@pytest.mark.parametrize(
    ("slack", "reports"), [(Decimal(1), 100), (Decimal(-1), 100), (Decimal("1e-6"), 0)]
)
def test_figures_out_of_range_are_refused(survey, slack: Decimal, reports: int):
    """A slack is below 1, and at least one report is mixed."""
    with pytest.raises(AccountingError):
        survey_cost(survey, slack, reports)


def choice(survey, mechanism):
    options = tuple(Option(f"o{n}", {"en": f"{n}"}) for n in range(mechanism.answers))
    question = Question("many", "many", {"en": "Which?"}, options, mechanism)
    return replace(survey, questions=(question,))


def test_the_best_choice_has_a_reason(survey):
    """It names what was taken and the figures of all that were compared."""
    best = reasons(choice(survey, SubsetSelection.from_odds(Fraction(3), 16)))

    assert best["many"].startswith("subset-selection has the least variance")
    assert {} == reasons(choice(survey, KaryRandomizedResponse(16)))


def test_the_best_mean_has_a_reason(survey):
    """So do numbers; a mechanism that was named and is not the best has none."""
    best = reasons(about_hours(survey, Hybrid.for_odds(11, Fraction(3))))

    assert best["hours"].startswith("hybrid has the least variance of the mean; n times it")
    assert {} == reasons(about_hours(survey, Duchi(11)))
