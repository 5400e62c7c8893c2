"""Drafts outlive the process that kept them, and nobody overwrites what they have not seen."""

import pytest

from tossup.server.store import SQLiteStore
from tossup.server.store.drafts import DraftUnknown


def test_a_draft_is_there_after_the_store_was_opened_again(config):
    """What was saved needs no orderly end of the process: nothing is closed here."""
    first = SQLiteStore(config.database)
    draft = first.add_draft('title = "Habits"', "secret")
    assert first.save_draft(draft.number, 'title = "Customs"', draft.revision)
    again = SQLiteStore(config.database).draft(draft.number)

    assert ('title = "Customs"', "secret", 2, None) == (
        again.text,
        again.trial,
        again.revision,
        again.published,
    )


def test_an_older_revision_changes_nothing(store):
    """Of two pages that show one draft, the second to save is told, and the first one's stays."""
    draft = store.add_draft("a = 1", "secret")

    assert store.save_draft(draft.number, "a = 2", draft.revision)
    assert not store.save_draft(draft.number, "a = 3", draft.revision)
    assert store.draft(draft.number).text == "a = 2"


def test_what_was_published_is_kept_and_never_changed(store):
    """The next version begins with it; a draft that was not published can be deleted."""
    kept, gone = store.add_draft("a = 1", "one"), store.add_draft("a = 1", "two")
    store.end_draft(kept.number, "digest")
    store.end_draft(gone.number, None)

    assert [(kept.number, "digest")] == [(d.number, d.published) for d in store.drafts()]
    assert not store.save_draft(kept.number, "a = 2", kept.revision)
    with pytest.raises(DraftUnknown):
        store.draft(gone.number)
