"""Answer, flush, count: the road of one device, over real HTTP."""

from tossup.client import Outcome

ANSWERS = {"ever_tried": True, "rating": "r2", "region": "north"}


def test_it_works(client, stub):
    """Two answers become two reports, each under its own id, counted once."""
    assert client.answer(ANSWERS) is Outcome.QUEUED
    result = client.flush()

    assert (result.sent, result.pending, result.reason) == (2, 0, None)
    assert len(stub.reports) == 2
