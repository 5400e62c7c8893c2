"""Rather not to answer: what a survey file says of it, and what a manifest does."""

import json

import pytest

from tossup.server.surveys.file import load_survey
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.shared.errors import ManifestError
from tossup.shared.mechanisms import KaryRandomizedResponse
from tossup.shared.survey import Survey

HEAD = 'id = "h"\ntitle = "H"\npurpose = "P"\n[publisher]\nname = "E"\ncontact = "c"\n'


def loaded(question: str, head: str = HEAD) -> Survey:
    return load_survey(f'{head}[[question]]\nid = "q"\ntext = "T?"\n{question}', bytes(32))


def test_it_works():
    """Randomized, it is the last option, and goes through the coins of a choice."""
    [question] = loaded('refusal = "randomized"').questions

    assert question.answer_ids == ("yes", "no", "rather_not")
    assert question.mechanism == KaryRandomizedResponse(3)
    assert question.refusal == "randomized"


def test_silent_says_nothing_in_the_manifest():
    """It is what manifests mean that do not say, so their bytes stay as they were."""
    assert loaded('refusal = "silent"').payload == loaded("").payload
    assert b"refusal" not in loaded("").payload


def test_a_manifest_with_it_is_read_again():
    """And one that names anything else, or says what goes without saying, is refused."""
    survey = loaded('answers = ["A", "B"]\nrefusal = "randomized"')

    assert Survey.parse(survey.payload) == survey
    for instead in (b'"silent"', b'"maybe"', b"null"):
        with pytest.raises(ManifestError):
            Survey.parse(survey.payload.replace(b'"randomized"', instead))


def test_a_label_of_ones_own_is_taken():
    """In every language of the survey, as other labels are."""
    [question] = loaded('refusal = "randomized"\nrefusal_label = "Keep it"').questions

    assert question.options[-1].label == {"en": "Keep it"}


def test_every_other_use_is_refused_and_says_why():
    """Kinds without options, coins for two answers, labels without it, languages without words."""
    french = HEAD.replace('title = "H"', 'title = "H"\nlanguages = ["fr"]')
    cases = [
        ('answers = { integers = [0, 9] }\nrefusal = "randomized"', HEAD, "leave it out"),
        ('refusal = "randomized"\nmechanism = "two-coin"', HEAD, "does not fit"),
        ('refusal = "sometimes"', HEAD, "silent or randomized"),
        ('refusal_label = "No"', HEAD, "goes with"),
        ('refusal = "randomized"', french, "give answers with labels"),
        ('answers = ["A", "B"]\nrefusal = "randomized"', french, "refusal_label"),
    ]
    for question, head, why in cases:
        with pytest.raises(SurveyFileError, match=why):
            loaded(question, head)


def test_a_manifest_cannot_call_a_yes_or_no_its_refusal():
    """The last of at least three options stands for it, so that two answers are left."""
    manifest = json.loads(loaded('answers = ["A", "B"]').payload)
    [question] = manifest["questions"]
    mechanism = question.pop("mechanism")
    question |= {"refusal": "randomized", "mechanism": mechanism}

    with pytest.raises(ManifestError, match="three options"):
        Survey.parse(json.dumps(manifest, separators=(",", ":")).encode())
