"""The SDK's reference names everything that a host app can meet."""

import dataclasses
import inspect
from pathlib import Path

import pytest
from sweeps import each

from tossup.client import Client, Outcome, Preview, errors, results
from tossup.client.preview import QuestionPreview
from tossup.shared.survey import Question, Survey

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "sdk.md").read_text()


def subclasses(kind: type) -> list[type]:
    return [kind, *(below for sub in kind.__subclasses__() for below in subclasses(sub))]


# Bases, and what never leaves the SDK.
UNSEEN = {"ClientError", "StoreError", "OutboxDamaged", "VersionMissing"}
CALLS = [name for name, _ in inspect.getmembers(Client, inspect.isfunction) if name[0] != "_"]
SETTINGS = list(inspect.signature(Client).parameters)
ERRORS = [kind.__name__ for kind in subclasses(errors.ClientError)]


@each("call", CALLS)
def test_every_call_is_in_the_reference(call):
    """Each public method of Client has its row."""
    assert f"| `{call}(" in PAGE


@each("setting", SETTINGS)
def test_every_setting_is_in_the_reference(setting):
    """Each argument of Client has its row."""
    assert f"`{setting}`" in PAGE


@each("outcome", list(Outcome))
def test_every_outcome_is_in_the_reference(outcome):
    """Each outcome has its row."""
    assert f"| `{outcome.name}` |" in PAGE


@each("error", sorted(set(ERRORS) - UNSEEN))
def test_every_error_is_in_the_reference(error):
    """Each exception that strict=True can raise has its row."""
    assert f"`{error}`" in PAGE


@each("reason", sorted(set(results._REASONS) - {"survey-not-open"}))
def test_every_reason_is_in_the_reference(reason):
    """Each reason of our own for stopping a flush has its row."""
    assert f"| `{reason}` |" in PAGE


@pytest.mark.parametrize("kind", [Survey, Question, Preview, QuestionPreview])
def test_every_field_that_an_app_reads_is_in_the_reference(kind):
    """Each field of what `survey()` and `preview()` return has its place in the kind's table."""
    table = PAGE.split(f"| `{kind.__name__}` | |", 1)[1].split("\n\n", 1)[0]

    assert [f.name for f in dataclasses.fields(kind) if f"`{f.name}`" not in table] == []
