"""A recount finds whatever does not add up."""

import pytest

from tossup.server.ingest.recount import recount
from tossup.server.store.records import SurveyUnknown

ON_BOTH_STORES = True


@pytest.fixture
def reported(services, make_body):
    """Reports of two groups, in one shard."""
    for region, values in ((0, (1, 0, 1)), (1, (0, 1))):
        ids = tuple(bytes([region, place] * 8)[:15] + b"\0" for place in range(len(values)))
        services.ingest.receive(make_body(values, region=region, ids=ids))


def test_it_works(store, survey, reported):
    """What ingest wrote adds up."""
    found = recount(store, survey.id)

    assert (found.agrees, found.reports) == (True, 5)


def test_a_survey_without_reports_adds_up(store, survey, services):
    """Nothing is stored and nothing counted."""
    assert recount(store, survey.id).agrees


def test_a_counter_without_its_report_is_found(store, survey, reported):
    """The place of the counter is named, with both numbers."""
    store._change("UPDATE tallies SET n = n + 2 WHERE stratum = 1 AND value = 1")

    (difference,) = recount(store, survey.id).differences
    assert (difference.place.stratum, difference.place.value) == ((1,), 1)
    assert (difference.counted, difference.stored) == (3, 1)


def test_a_report_without_its_counter_is_found(store, survey, reported):
    """A counter that was deleted counts as 0."""
    store._change("DELETE FROM tallies WHERE stratum = 0 AND value = 0")

    (difference,) = recount(store, survey.id).differences
    assert (difference.counted, difference.stored) == (0, 1)


def test_reports_that_stand_twice_are_found(store, survey, reported):
    """A copied chunk holds ids that are there already."""
    with store.audit(survey.id) as (_, chunks):
        chunk = next(iter(chunks))
    with store.write() as transaction:
        transaction.append(survey.id, chunk)

    found = recount(store, survey.id)
    assert (found.agrees, found.repeated > 0) == (False, True)


def test_an_unknown_survey_is_told(store):
    """It is not taken for a survey without reports."""
    with pytest.raises(SurveyUnknown):
        recount(store, "nothing")
