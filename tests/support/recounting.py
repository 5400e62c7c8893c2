"""A device's running totals and what it knows of each topic, compared with a recount."""

from tossup.client.store import ledger


def assert_right(connection, *, unread: bool = False) -> None:
    """Assert that what is told of the ledger is what all of its entries say.

    ``unread`` asserts as well that they need not be read for it.
    """
    whole = ledger.read(connection)
    for publisher in {publisher for publisher, _ in whole.past}:
        past = {topic: past for topic, past in whole.past.items() if topic[0] == publisher}
        book = ledger.about(connection, publisher, [name for _, name in past])

        assert {topic: book.past[topic] for topic in past} == past
        assert book.totals.spent == whole.totals.spent
        assert book.names(connection, publisher) == tuple(sorted(name for _, name in past))
        assert not (unread and book.is_whole)


def assert_in_step(connection) -> None:
    """Assert that whatever is kept beside the ledger was written with it."""
    assert_right(connection, unread=True)
    known = len(ledger.read(connection).past)

    assert connection.execute("SELECT count(*) FROM topics").fetchone()[0] == known
