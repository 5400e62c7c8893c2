"""The unit of a number: what a survey file says of it, and what a manifest does."""

from dataclasses import replace

import pytest

from tossup.server.surveys.file import load_survey
from tossup.server.surveys.meaning import changes
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.shared.errors import ManifestError
from tossup.shared.survey import Survey

HEAD = 'id = "h"\ntitle = "H"\npurpose = "P"\n[publisher]\nname = "E"\ncontact = "c"\n'
NUMBER = "answers = { integers = [0, 9] }\n"


def loaded(question: str) -> Survey:
    return load_survey(f'{HEAD}[[question]]\nid = "q"\ntext = "T?"\n{question}', bytes(32))


def test_it_works():
    """It is a text of the question, in every language, and is read again."""
    survey = loaded(f'{NUMBER}unit = "hours"')

    assert survey.questions[0].unit == {"en": "hours"}
    assert Survey.parse(survey.payload) == survey


def test_without_it_a_manifest_is_as_it_was():
    """Its bytes have no place for what nobody says."""
    assert b"unit" not in loaded(NUMBER).payload


def test_every_other_use_is_refused_and_says_why():
    """Of other kinds, without words, and in a manifest that says it another way."""
    for question, words in (
        ('unit = "hours"', "leave it out here"),
        (f'{NUMBER}unit = " "', "blank"),
        (f'{NUMBER}unit = {{ fr = "heures" }}', "in each of en"),
        (f"{NUMBER}unit = 3", "a text"),
    ):
        with pytest.raises(SurveyFileError, match=words):
            loaded(question)
    signed = loaded(f'{NUMBER}unit = "hours"').payload
    for instead in (b'{"en":""}', b'{"fr":"hours"}', b"null", b'"hours"'):
        with pytest.raises(ManifestError):
            Survey.parse(signed.replace(b'{"en":"hours"}', instead))
    [question] = loaded("").questions
    with pytest.raises(ManifestError, match="only a number"):
        replace(loaded(""), questions=(replace(question, unit={"en": "hours"}),))


def test_another_unit_is_another_meaning():
    """Hours that were minutes, or were never named, need the publisher's word."""
    minutes, hours = (loaded(f'{NUMBER}unit = "{unit}"') for unit in ("minutes", "hours"))
    none = loaded(NUMBER)

    for before, now, found in (
        (minutes, hours, [("q.unit", "text")]),
        (none, hours, [("q", "answers")]),
        (hours, none, [("q", "answers")]),
        (hours, hours, []),
    ):
        version = replace(now, version=2, previous=before.digest)
        assert [(c.id, c.what) for c in changes(version, [before])] == found
