"""What mechanisms of two stages have in common: many reports of one kept value, by enumeration."""

from itertools import product

import pytest
from channels import largest_of_columns
from small_designs import TWO_STAGES
from sweeps import each
from two_stages import chance_of
from walking import Led

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import (
    KaryRandomizedResponse,
    Mechanism,
    PermanentInstantaneous,
    Rappor,
    SubsetSelection,
    TwoCoin,
    from_spec,
)


@each("mechanism", TWO_STAGES)
def test_one_report_is_the_second_stage_of_what_is_kept(mechanism: Mechanism):
    """Keeping first and reporting later has the channel of doing both at once."""
    for answer, report in product(range(mechanism.answers), range(mechanism.reports)):
        found = chance_of(mechanism, answer, [report])

        assert mechanism.probability(answer, report) == found


@each("mechanism", TWO_STAGES)
def test_odds_of_many_reports_by_enumeration(mechanism: Mechanism):
    """Over all sequences of reports of one kept value and all pairs of answers."""
    most = {2: 5, 3: 3, 4: 3, 7: 2, 8: 2}[mechanism.reports]
    for n in range(1, most + 1):
        columns = (
            [chance_of(mechanism, answer, reports) for answer in range(mechanism.answers)]
            for reports in product(range(mechanism.reports), repeat=n)
        )

        assert mechanism.odds_of(n) == largest_of_columns(columns)


@each("mechanism", TWO_STAGES)
def test_no_number_of_reports_tells_more_than_what_is_kept(mechanism: Mechanism):
    """Odds grow with the reports, and never beyond those of the memory."""
    odds = [mechanism.odds_of(n) for n in (1, 2, 3, 12, 365)]

    assert sorted(set(odds)) == odds
    assert odds[-1] < mechanism.memory.odds


@each("mechanism", TWO_STAGES)
def test_a_spec_gives_the_mechanism_back(mechanism: Mechanism):
    """What stands in a manifest is the whole mechanism."""
    assert mechanism == from_spec(mechanism.spec(), mechanism.answers)


@pytest.mark.parametrize("mechanism", [TwoCoin(), KaryRandomizedResponse(5), SubsetSelection(8, 2)])
def test_a_single_stage_is_resent_as_it_is(mechanism: Mechanism):
    """Other mechanisms keep their report and toss nothing again."""
    coins = Led()

    assert [3] == [mechanism.again(3, coins)]
    assert [] == coins.sizes
    assert mechanism.memory.odds == mechanism.odds_of(100) == mechanism.odds


@each(
    "kind, parameters",
    [
        (PermanentInstantaneous, (2, 1, 1, 3, 1)),
        (PermanentInstantaneous, (2, 3, 1, 1, 1)),
        (PermanentInstantaneous, (2, 3, 1, 3, 0)),
        (PermanentInstantaneous, (2, 3, 1, True, 1)),
        (PermanentInstantaneous, (1, 3, 1, 3, 1)),
        (PermanentInstantaneous, (257, 3, 1, 3, 1)),
        (PermanentInstantaneous, (2, 1 << 16, 1, 1 << 16, 1)),
        (Rappor, (4, 1, 1, 3, 1, 4)),
        (Rappor, (4, 3, 1, 1, 1, 4)),
        (Rappor, (4, 3, 1, 4, 1, 4)),
        (Rappor, (4, 3, 1, 3, 0, 4)),
        (Rappor, (4, 3, 1, 3, 1, 4.0)),
        (Rappor, (1025, 3, 1, 3, 1, 4)),
        (Rappor, (4, 3, 1, 3, 1, 1 << 31)),
    ],
)
def test_designs_that_protect_nobody_or_tell_nothing_are_refused(kind, parameters):
    """Weights of 0, stages that say nothing, and sums that no SDK can follow."""
    with pytest.raises(MechanismError):
        kind(*parameters)
