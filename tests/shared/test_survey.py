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
from sweeps import each

from tossup.shared import strict_json
from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, ManifestError
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import (
    DiscreteGaussian,
    Duchi,
    Hybrid,
    KaryRandomizedResponse,
    Mechanism,
    RandomizedResponse,
    SquareWave,
    TruncatedGeometric,
    TwoCoin,
)
from tossup.shared.survey import MAX_SHORT, Option, Question, Survey


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


@each(
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
        {"late_days": 0},
        {"late_days": 7},
        {"closes": "2027-01-01", "late_days": 7},
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


@each("field", ["v", "survey", "odds", "requires", "attributes", "questions"])
def test_a_missing_field_is_refused(survey: Survey, field: str):
    """Every field is required: silence is not a default."""
    fields = json.loads(survey.payload)
    del fields[field]

    with pytest.raises(ManifestError):
        Survey.parse(strict_json.dumps(fields))


@each(
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


def test_late_days_stand_after_the_last_day_and_only_where_there_are_any(survey: Survey):
    """A manifest that declares none has the bytes that it always had."""
    ending = replace(survey, closes=date(2026, 12, 31))
    late = replace(ending, late_days=7)

    assert b"late_days" not in ending.payload
    assert late.payload == ending.payload.replace(
        b'"closes":"2026-12-31",', b'"closes":"2026-12-31","late_days":7,'
    )
    assert Survey.parse(late.payload) == late
    assert (ending.counts_until, late.counts_until) == (date(2026, 12, 31), date(2027, 1, 7))
    assert replace(late, closes=date.max).counts_until == date.max
    for wrong in ({"late_days": -1}, {"late_days": 366}, {"closes": None}):
        with pytest.raises(ManifestError, match="late_days"):
            replace(late, **wrong)


class Answer(enum.Enum):
    YES = True
    R1 = "r1"


class Text(str):
    pass


@each(
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
)
def test_look_alikes_are_no_answers(survey: Survey, answer: object):
    """Only True and False answer yes/no; only a plain str that is an option answers a choice."""
    for question in survey.questions:
        with pytest.raises(AnswerError):
            question.place(answer)


def test_answers_have_indexes(survey: Survey):
    """No is 0 and yes is 1; options count from 0 in the manifest's order."""
    yes_no, choice = survey.questions

    assert [0, 1] == [yes_no.place(False), yes_no.place(True)]
    assert [0, 4] == [choice.place("r1"), choice.place("r5")]
    assert [0, 1] == [survey.attributes[0].index(region) for region in ("north", "south")]


def test_a_refusal_does_not_repeat_the_answer(survey: Survey):
    """The message names the declared answers, not the one given."""
    with pytest.raises(AnswerError) as refusal:
        survey.questions[1].place("heroin")

    assert "heroin" not in str(refusal.value)


def test_an_unknown_question_is_an_error(survey: Survey):
    """Asking for a question by a wrong id says so."""
    with pytest.raises(ManifestError, match="no question 'rate'"):
        survey.question("rate")


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


def numeric(survey: Survey, grid: Grid, mechanism: Mechanism) -> Survey:
    question = Question("hours", "hours", {"en": "How many hours?"}, (), mechanism, grid)
    return replace(survey, questions=(*survey.questions, question))


@pytest.mark.parametrize(
    ("grid", "mechanism"),
    [
        (Grid.integers(0, 10), TruncatedGeometric.for_odds(11, Fraction(3))),
        (Grid.integers(-1, 1), Duchi(3)),
        (Grid(Fraction(0), Fraction(24), Fraction(1, 2)), Hybrid.for_odds(49, Fraction(3))),
        (Grid(Fraction(0), Fraction(1), Fraction(1, 100)), SquareWave.for_odds(101, Fraction(3))),
    ],
)
def test_a_question_about_a_number_comes_back(survey: Survey, grid: Grid, mechanism: Mechanism):
    """A manifest with a number is parsed to the same survey, byte for byte."""
    with_number = numeric(survey, grid, mechanism)

    assert with_number == Survey.parse(with_number.payload)
    assert () == with_number.question("hours").answer_ids
    assert not with_number.question("hours").is_yes_no


@each(
    "old, new",
    [
        (b'"integers":{"low":0,"high":10}', b'"integers":{"low":0,"high":10.0}'),
        (b'"integers":{"low":0,"high":10}', b'"integers":{"low":0,"high":10,"clip":false}'),
        (b'"integers":{"low":0,"high":10}', b'"integers":{"low":0,"high":10},"options":[]'),
        (b'"integers":{"low":0,"high":10}', b'"numbers":{"low":"0","high":"10","step":"2/2"}'),
        (b'"integers":{"low":0,"high":10}', b'"options":[]'),
        (b'"keep":3', b'"keep":4'),
        (b'"duchi/1"', b'"two-coin/1"'),
    ],
)
def test_a_manifest_with_a_changed_number_is_refused(survey: Survey, old: bytes, new: bytes):
    """Bounds, kind, mechanism and odds must agree, in the one form."""
    payload = numeric(survey, Grid.integers(0, 10), Duchi(11)).payload
    assert old in payload
    with pytest.raises(ManifestError):
        Survey.parse(payload.replace(old, new))


def test_numbers_need_their_own_mechanisms(survey: Survey):
    """A mechanism for choices is refused for a number, and one for numbers for a choice."""
    with pytest.raises(ManifestError, match="not for its answers"):
        numeric(survey, Grid.integers(0, 10), KaryRandomizedResponse(11))
    with pytest.raises(ManifestError, match="not for its answers"):
        replace(survey, questions=(replace(survey.questions[0], mechanism=Duchi(2)),))
    with pytest.raises(ManifestError):
        numeric(survey, Grid.integers(0, 10), Duchi(12))


@each("answer", [True, 3.0, "3", None, float("nan"), 10**6 + 0.5])
def test_what_is_no_int_is_refused_without_being_shown(survey: Survey, answer: object):
    """A whole number is exactly an int; the message names the question and not the answer."""
    question = numeric(survey, Grid.integers(0, 10), Duchi(11)).question("hours")

    with pytest.raises(AnswerError) as refusal:
        question.place(answer)
    assert repr(answer) not in str(refusal.value)


def test_a_number_is_rounded_at_random_for_a_mean_and_to_the_nearest_for_a_distribution(
    survey: Survey,
):
    """Only numbers between points cost coins for rounding, and only where the mean needs it."""
    halves = Grid(Fraction(0), Fraction(5), Fraction(1, 2))

    def drawn(grid: Grid, mechanism: Mechanism) -> int:
        counts: list[int] = []

        def source(count: int) -> bytes:
            counts.append(count)
            return bytes(count)

        question = numeric(survey, grid, mechanism).question("hours")
        question.perturb(Fraction(1), Coins(source))
        return sum(counts)

    assert drawn(Grid.integers(0, 10), Duchi(11)) + 16 == drawn(halves, Duchi(11))
    assert drawn(Grid.integers(0, 10), SquareWave(11, 5)) == drawn(halves, SquareWave(11, 5))


def test_a_survey_whose_deltas_take_long_to_find_is_refused(survey):
    """Before any is looked for: a publisher must not keep a device busy with a manifest."""
    fine = DiscreteGaussian(1024, tuple(range(2524, 0, -1)))
    asked = [
        Question(f"q{n}", f"t{n}", {"en": "?"}, (), fine, Grid.integers(0, 1023)) for n in range(5)
    ]

    assert len(replace(survey, questions=tuple(asked[:4])).questions) == 4
    with pytest.raises(ManifestError, match="coarser grids"):
        replace(survey, questions=tuple(asked))


def test_a_short_title_stands_after_the_text_and_only_where_there_is_one(survey: Survey):
    """Manifests without one keep their bytes; one is 1 to 40 characters in every language."""
    first = survey.questions[0]

    def titled(short):
        return replace(survey, questions=(replace(first, short=short), *survey.questions[1:]))

    made = titled({"en": "x" * MAX_SHORT})

    assert b'"short"' not in survey.payload
    assert Survey.parse(made.payload) == made
    assert list(json.loads(made.payload)["questions"][0])[2:4] == ["text", "short"]
    for wrong in ({}, {"en": ""}, {"en": "x" * (MAX_SHORT + 1)}, {"en": "a\nb"}, {"de": "x"}):
        with pytest.raises(ManifestError, match="short"):
            titled(wrong)
