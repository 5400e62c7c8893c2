"""A manifest is parsed strictly; what it costs is computed, not believed."""

import enum
import json
from contextlib import suppress
from dataclasses import replace
from datetime import date
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tossup.shared import strict_json
from tossup.shared.errors import AnswerError, ManifestError
from tossup.shared.mechanisms import KaryRandomizedResponse, RandomizedResponse, TwoCoin
from tossup.shared.survey import Option, Question, Survey


def changed(survey: Survey, fields: dict[str, object]) -> bytes:
    return strict_json.dumps({**json.loads(survey.payload), **fields})


def test_it_works(survey: Survey):
    """Parsing inverts writing, and the digest names the bytes."""
    parsed = Survey.parse(survey.payload)

    assert survey == parsed
    assert survey.digest == parsed.digest


def test_odds_multiply_over_the_questions(survey: Survey):
    """Two questions at 3:1 cost 9:1, and the manifest says so."""
    assert Fraction(9) == survey.odds
    assert ("9", "2.1973") == tuple(json.loads(survey.payload)[k] for k in ("odds", "epsilon"))


@pytest.mark.parametrize(
    "fields",
    [
        {"v": 2},
        {"v": True},
        {"survey": "Habits"},
        {"survey": "habits\n"},
        {"survey": "-habits"},
        {"survey": ""},
        {"survey": "a" * 65},
        {"version": 0},
        {"version": "1"},
        {"version": True},
        {"version": 2},
        {"previous": "0" * 64},
        {"publisher": {"name": "", "key": "AA", "contact": "x"}},
        {"publisher": "Example"},
        {"title": "Habits"},
        {"title": {}},
        {"title": {"de": "Gewohnheiten"}},
        {"title": {"en": ""}},
        {"title": {"en": "a\u202eb"}},
        {"title": {"en": "x" * 2001}},
        {"languages": []},
        {"languages": ["en", "en"]},
        {"languages": ["English"]},
        {"questions": []},
        {"questions": {}},
        {"linkage": "some"},
        {"odds": "1"},
        {"epsilon": "0.0001"},
        {"minimum_batch": 0},
        {"minimum_batch": None},
        {"opens": "2026-13-01"},
        {"opens": "2026-01-01T00:00:00"},
        {"opens": "20260101"},
        {"opens": "2027-01-01", "closes": "2026-01-01"},
        {"retention_days": 0},
        {"results": "secret"},
        {"requires": ["sealing"]},
        {"more": 1},
    ],
)
def test_a_changed_field_is_refused(survey: Survey, fields: dict[str, object]):
    """Unknown versions, wrong types, false claims and requirements unknown here are refused."""
    with pytest.raises(ManifestError):
        Survey.parse(changed(survey, fields))


@pytest.mark.parametrize("field", ["v", "survey", "odds", "requires", "attributes", "questions"])
def test_a_missing_field_is_refused(survey: Survey, field: str):
    """Every field is required: silence is not a default."""
    fields = json.loads(survey.payload)
    del fields[field]

    with pytest.raises(ManifestError):
        Survey.parse(strict_json.dumps(fields))


@pytest.mark.parametrize(
    "change",
    [
        {"id": "rating"},
        {"id": "region"},
        {"id": "Ever"},
        {"topic": "habit-rating"},
        {"topic": ""},
        {"options": [{"id": "a", "label": {"en": "A"}}]},
        {"options": [{"id": "a", "label": {"en": "A"}}] * 2},
        {"mechanism": {"name": "two-coin/9"}},
        {"mechanism": {"name": "k-ary-randomized-response/1", "keep": 1, "lie": 3}},
        {"mechanism": "two-coin/1"},
        {"more": 1},
    ],
)
def test_a_changed_question_is_refused(survey: Survey, change: dict[str, object]):
    """Ids and topics differ, options are none or several, and the mechanism fits them."""
    questions = json.loads(survey.payload)["questions"]
    questions[0] = {**questions[0], **change}

    with pytest.raises(ManifestError):
        Survey.parse(changed(survey, {"questions": questions}))


def test_white_space_is_another_manifest(survey: Survey):
    """A survey has one byte string, so that its digest names what was read."""
    with pytest.raises(ManifestError, match="one form"):
        Survey.parse(survey.payload + b" ")


@settings(max_examples=300)
@given(place=st.integers(0, 10**6), byte=st.integers(0, 255))
def test_any_changed_byte_gives_a_manifest_or_an_error(survey: Survey, place: int, byte: int):
    """Nothing but a ManifestError leaves the parser, and what it accepts it writes back."""
    data = bytearray(survey.payload)
    data[place % len(data)] = byte
    with suppress(ManifestError):
        assert bytes(data) == Survey.parse(bytes(data)).payload


def test_every_kind_of_manifest_round_trips(survey: Survey):
    """A later version, dates, general tables and joint linkage come back as they went."""
    later = replace(
        survey,
        version=2,
        previous=survey.digest,
        linkage="joint",
        opens=date(2026, 1, 1),
        closes=date(2026, 12, 31),
        results="public",
        questions=(
            replace(survey.questions[0], mechanism=RandomizedResponse(((4, 1), (2, 3)))),
            replace(survey.questions[1], mechanism=KaryRandomizedResponse(5, 7, 2)),
        ),
    )

    assert later == Survey.parse(later.payload)


class Answer(enum.Enum):
    YES = True
    R1 = "r1"


class Text(str):
    pass


@pytest.mark.parametrize(
    "answer",
    [
        None,
        float("nan"),
        "",
        0,
        1,
        2,
        -1,
        "no",
        "yes",
        "True",
        b"r1",
        [],
        np.True_,
        np.int64(1),
        np.str_("r1"),
        Answer.YES,
        Answer.R1,
        Text("r1"),
        "R1",
        "r1 ",
        "r6",
    ],
    ids=repr,
)
def test_look_alikes_are_no_answers(survey: Survey, answer: object):
    """Only True and False answer yes/no; only a plain str that is an option answers a choice."""
    for question in survey.questions:
        with pytest.raises(AnswerError):
            question.index(answer)


def test_answers_have_indexes(survey: Survey):
    """No is 0 and yes is 1; options count from 0 in the manifest's order."""
    yes_no, choice = survey.questions

    assert [0, 1] == [yes_no.index(False), yes_no.index(True)]
    assert [0, 4] == [choice.index("r1"), choice.index("r5")]
    assert [0, 1] == [survey.attributes[0].index(region) for region in ("north", "south")]


def test_a_refusal_does_not_repeat_the_answer(survey: Survey):
    """The message names the declared answers, not the one given."""
    with pytest.raises(AnswerError) as refusal:
        survey.questions[1].index("heroin")

    assert "heroin" not in str(refusal.value)


def test_an_unknown_question_is_an_error(survey: Survey):
    """Asking for a question by a wrong id says so."""
    with pytest.raises(ManifestError, match="no question 'rate'"):
        survey.question("rate")


def test_an_attribute_does_not_shadow_a_filter(survey: Survey):
    """Results are filtered by ?from=..&to=..&region=..: an attribute called "to" is refused."""
    with pytest.raises(ManifestError, match="may not be called"):
        replace(survey, attributes=(replace(survey.attributes[0], id="to"),))


def test_too_many_groups_are_refused(survey: Survey):
    """Attributes whose combinations single people out are refused."""
    attribute = survey.attributes[0]
    options = tuple(Option(f"o{n}", {"en": str(n)}) for n in range(200))
    crowd = tuple(replace(attribute, id=name, options=options) for name in ("county", "city"))

    with pytest.raises(ManifestError, match="multiply to more than 1024"):
        replace(survey, attributes=crowd)


def test_a_question_needs_no_options_for_yes_no():
    """Yes/no questions answer to no and yes."""
    question = Question("a", "a", {"en": "A?"}, (), TwoCoin())

    assert question.is_yes_no
    assert ("no", "yes") == question.answer_ids
