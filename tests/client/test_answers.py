"""What may be answered, what it costs, and what is refused with nothing tossed."""

import enum
import os
from collections import UserDict
from dataclasses import replace
from fractions import Fraction

import numpy
import pytest
from sweeps import each

from tossup.client import Client, Outcome
from tossup.client.preview import preview
from tossup.client.testing import MemoryServer
from tossup.shared.mechanisms import KaryRandomizedResponse, RandomizedResponse
from tossup.shared.survey import Option

ANSWERS = {"ever_tried": True, "rating": "r2", "region": "north"}


class Text(str):
    """A str that is not exactly a str."""


class Yes(enum.IntEnum):
    YES = 1


class TrueLike:
    """Claims to be equal to True."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(True)

    def __bool__(self) -> bool:
        return True


NOT_ANSWERS = [
    None,
    float("nan"),
    "",
    2,
    1,
    0,
    -1,
    "no",
    "yes",
    "True",
    "r9",
    "r2 ",
    b"r2",
    [],
    ["r2"],
    {"r2": 1},
    Text("r2"),
    numpy.bool_(True),
    numpy.int64(1),
    numpy.str_("r2"),
    Yes.YES,
    TrueLike(),
    Fraction(1),
    object(),
]


@each("value", NOT_ANSWERS)
@each("place", ["ever_tried", "rating", "region"])
def test_what_is_not_a_declared_answer_is_refused_with_nothing_tossed(
    client, stub, tossed, value, place
):
    """Look-alikes of answers draw no coin, spend nothing, store nothing and send nothing."""
    outcome = client.answer({**ANSWERS, place: value})
    client.flush()
    status = client.status()

    assert outcome is Outcome.REFUSED_ANSWER
    assert tossed == []
    assert (status.device.odds, status.pending, len(stub.reports)) == (1, 0, 0)


@pytest.mark.parametrize(
    "answers",
    [
        None,
        [],
        {},
        {"region": "north"},
        {"ever_tried": True},
        {**ANSWERS, "unknown": True},
        {Text("ever_tried"): True, "region": "north"},
        {1: True, "region": "north"},
    ],
    ids=str,
)
def test_what_is_not_a_set_of_answers_is_refused_with_nothing_tossed(client, tossed, answers):
    """Missing attributes, unknown names, no question at all: nothing happens."""
    outcome = client.answer(answers)

    assert outcome is Outcome.REFUSED_ANSWER
    assert tossed == []


def test_a_mapping_that_fails_does_not_reach_the_host_app(client, tossed):
    """An error in the host app's own mapping becomes an outcome."""

    class Broken(UserDict):
        def __getitem__(self, key):
            raise RuntimeError

    assert client.answer(Broken(ANSWERS)) is Outcome.FAILED
    assert tossed == []


@pytest.mark.parametrize("tried", [True, False])
@pytest.mark.parametrize("rating", ["r1", "r3", "r5"])
def test_every_answer_draws_the_same_number_of_random_bytes(client, tossed, tried, rating):
    """The bytes drawn depend on the design alone: 1 for two coins, 17 for three in seven."""
    client.answer({**ANSWERS, "ever_tried": tried, "rating": rating})

    assert tossed == [1, 17]


def test_a_topic_is_answered_once(client, stub, tossed):
    """The second answer tosses nothing and sends nothing, whatever it says."""
    client.answer(ANSWERS)
    before = len(tossed)
    outcome = client.answer({**ANSWERS, "ever_tried": False})
    client.flush()

    assert outcome is Outcome.ALREADY_ANSWERED
    assert len(tossed) == before
    assert len(stub.reports) == 2


def test_a_topic_is_answered_once_across_surveys(client, stub, survey, store, publisher_key):
    """Another survey of the publisher that asks the same topic in other words gets nothing."""
    reworded = replace(
        survey, id="reworded", questions=(replace(survey.questions[0], id="another_wording"),)
    )
    stub.publish(reworded, publisher_key)
    other = Client(stub.link(reworded), survey.publisher.key, store=store)
    client.answer(ANSWERS)

    assert other.answer({"another_wording": True, "region": "north"}) is Outcome.ALREADY_ANSWERED


def test_answers_can_be_given_one_by_one(client, stub):
    """With linkage none a later call answers what is left; old topics are left out."""
    client.answer({"rating": "r1", "region": "south"})
    outcome = client.answer(ANSWERS)
    client.flush()

    assert outcome is Outcome.QUEUED
    assert sorted(tuple(columns) for _, columns, _ in stub.reports.values()) == [
        ("ever_tried",),
        ("rating",),
    ]


def test_joint_answers_travel_as_one_report(stub, joint_survey, store):
    """With linkage joint all answers share one id, and all of them must be given."""
    client = Client(stub.link(joint_survey), joint_survey.publisher.key, store=store)

    assert client.answer({"rating": "r1", "region": "south"}) is Outcome.REFUSED_ANSWER
    assert client.answer(ANSWERS) is Outcome.QUEUED
    assert client.answer(ANSWERS) is Outcome.ALREADY_ANSWERED
    assert client.flush().sent == 1
    [(_, columns, attributes)] = stub.reports.values()
    assert (set(columns), attributes) == ({"ever_tried", "rating"}, {"region": 0})


def test_a_joint_survey_with_one_old_topic_is_answered_before(
    client, stub, joint_survey, survey, store
):
    """A joint report repeats no topic, so one old topic refuses all of it."""
    client.answer({"rating": "r1", "region": "south"})
    joint = Client(stub.link(joint_survey), survey.publisher.key, store=store)

    assert joint.answer(ANSWERS) is Outcome.ALREADY_ANSWERED
    assert client.status().answered_topics == ("habit-rating",)


@pytest.mark.parametrize("caps", [{"publisher_cap": 8}, {"device_cap": 8}])
def test_a_cap_refuses_the_whole_call_and_spends_nothing(stub, survey, store, tossed, caps):
    """Two answers at 3:1 cost 9:1; a cap of 8:1 allows one of them only."""
    client = Client(stub.link(survey), survey.publisher.key, store=store, **caps)

    assert client.answer(ANSWERS) is Outcome.REFUSED_CAP
    assert tossed == []
    assert client.answer({"ever_tried": True, "region": "north"}) is Outcome.QUEUED


def test_the_default_caps_allow_six_answers_to_a_publisher_and_eight_to_a_device(
    stub, survey, store, publisher_key
):
    """729 is six two-coin answers; 6561 is eight, whoever asks."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from tossup.shared.signing import public_bytes

    question = survey.questions[0]
    questions = tuple(replace(question, id=f"q{n}", topic=f"t{n}") for n in range(9))
    queued = []
    for name, key in (("one", publisher_key), ("two", Ed25519PrivateKey.generate())):
        publisher = replace(survey.publisher, key=public_bytes(key))
        asked = replace(survey, id=name, questions=questions, attributes=(), publisher=publisher)
        stub.publish(asked, key)
        client = Client(stub.link(asked), publisher.key, store=store)
        outcomes = [client.answer({f"q{n}": True}) for n in range(9)]
        queued.append(outcomes.count(Outcome.QUEUED))

    assert queued == [6, 2]
    assert (client.status().publisher.odds, client.status().device.odds) == (9, 6561)


def test_no_answer_before_consent_where_it_is_required(stub, survey, store, tossed):
    """With require_consent nothing is tossed until the respondent has agreed."""
    client = Client(stub.link(survey), survey.publisher.key, store=store, require_consent=True)

    assert client.answer(ANSWERS) is Outcome.NO_CONSENT
    assert tossed == []
    assert client.consent(True) is Outcome.STORED
    assert client.answer(ANSWERS) is Outcome.QUEUED


def test_preview_shows_every_possible_report_and_tosses_nothing(client, tossed, monkeypatch):
    """The preview is the exact channel; it holds whatever the random source does."""
    monkeypatch.setattr(os, "urandom", lambda n: pytest.fail("a preview drew a coin"))
    shown = client.preview()

    assert tossed == []
    assert shown.questions[0].chances["yes"] == {"no": Fraction(1, 4), "yes": Fraction(3, 4)}
    assert shown.questions[1].chances["r2"]["r5"] == Fraction(1, 7)
    assert (shown.odds, shown.public) == (9, {"region": ("north", "south")})
    assert "yes is sent 75 of 100 times" in str(shown)
    assert "3 of 7 times" in str(shown)


def test_preview_is_the_same_whatever_the_answer(client):
    """Only the keys of the answers are looked at."""
    assert client.preview({"ever_tried": True}) == client.preview({"ever_tried": False})
    assert client.preview({"ever_tried": True}).odds == 3


def test_reports_follow_the_design_and_not_only_the_truth(survey, envelope, tmp_path):
    """Of 150 yes answers about 3 in 4 are reported as yes.

    At 3/4 the count is outside 85 to 136 with probability 6.0e-7 (exact binomial).
    """
    server = MemoryServer(envelope)
    link = f"https://survey.example/v1/surveys/{survey.id}"
    for device in range(150):
        store = tmp_path / f"{device}.db"
        client = Client(link, survey.publisher.key, store=store, transport=server)
        client.answer({"ever_tried": True, "region": "north"})
        client.flush()
    yes = sum(report.columns["ever_tried"] for report in server.reports.values())

    assert len(server.reports) == 150
    assert 85 <= yes <= 136


def test_every_outcome_says_what_happened_and_what_to_do():
    """Each explanation is at least one whole sentence."""
    assert all(o.explanation.endswith(".") and len(o.explanation) > 60 for o in Outcome)


def test_a_device_keeps_no_more_than_it_must(client, store):
    """After the acknowledgement the report's value is gone from the file; its id stays."""
    client.answer(ANSWERS)
    assert b'{"ever_tried":' in store.read_bytes()
    client.flush()

    assert b'{"ever_tried":' not in store.read_bytes()
    assert client.status().sent == 2


def test_preview_of_many_options_is_a_summary(survey):
    """256 options have 65,536 chances, but only two different ones."""
    options = tuple(Option(f"o{place}", {"en": str(place)}) for place in range(256))
    question = replace(survey.questions[1], options=options, mechanism=KaryRandomizedResponse(256))
    shown = preview(replace(survey, questions=(question,))).questions[0]

    assert shown.chances["the option"] == {"not named": Fraction(85, 86), "named": Fraction(1, 86)}
    assert len(str(shown).splitlines()) == 3
    assert "an option is named 1 of 86 times if it is your answer" in str(shown)


def test_odds_of_large_integers_have_a_decimal_beside(survey):
    """Nobody reads 1062238464/354079489; rounded up, so that the cost is not understated."""
    more, less = 1062238464, 354079489
    mechanism = RandomizedResponse(((more, less), (less, more)))
    question = replace(survey.questions[0], mechanism=mechanism)
    shown = str(preview(replace(survey, questions=(question,))))

    assert 2 == shown.count("at most 1062238464/354079489:1, about 3.00:1")


@pytest.mark.parametrize("asked", [[], {}, {"region": "north"}, ["ever_tired"], "rating", [[]]])
def test_what_is_not_asked_has_no_preview(client, asked):
    """A slip in a question's id is no empty preview."""
    assert client.preview(asked) is None
