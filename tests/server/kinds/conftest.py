"""Tests of kinds: what is worked out aside elsewhere is worked out in this process."""

import pytest


@pytest.fixture(autouse=True)
def every_answer_is_made_here(made_here: None) -> None:
    """Texts and many options are dear, however few the reports."""
