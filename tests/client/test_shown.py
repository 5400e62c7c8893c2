"""What a respondent was shown: the version that an answer is bound to, in every language."""

from dataclasses import replace

import pytest

from tossup.client import Client, Outcome
from tossup.shared.mechanisms import RandomizedResponse
from tossup.shared.survey import Option, Question, Survey

ANSWERS = {"ever_tried": True, "region": "north"}


def dearer(survey: Survey) -> Survey:
    """The next version, at 9:1."""
    question = replace(survey.questions[0], mechanism=RandomizedResponse(((9, 1), (1, 9))))
    questions = (question, *survey.questions[1:])
    return replace(survey, version=2, previous=survey.digest, questions=questions)


def test_an_answer_counts_for_the_version_that_was_shown(
    survey, stub, publisher_key, store, tossed
):
    """A page was shown at 3:1; another client fetches 9:1, and even previews it: no toss."""
    page = Client(stub.link(survey), survey.publisher.key, store=store)
    shown = page.preview()
    stub.publish(dearer(survey), publisher_key)
    other = Client(stub.link(survey), survey.publisher.key, store=store)
    other.survey()
    other.preview()

    assert page.answer(ANSWERS, manifest=shown.manifest) is Outcome.PREVIEW_AGAIN
    assert (tossed, page.status().device.odds) == ([], 1)
    again = page.preview()
    assert (shown.odds, again.odds) == (3 * 3, 9 * 3)
    assert page.answer(ANSWERS, manifest=again.manifest) is Outcome.QUEUED
    assert page.status().device.odds == 9


def test_a_manifest_of_another_survey_or_none_at_all_was_not_shown(client, tossed):
    """Only the digest of the version known now is taken; without one, nothing is bound."""
    for named in ("0" * 64, "", 7, b"", client.manifest()):
        assert client.answer(ANSWERS, manifest=named) is Outcome.PREVIEW_AGAIN
    assert tossed == []
    assert client.answer(ANSWERS) is Outcome.QUEUED


def translated(survey: Survey) -> Survey:
    """The survey with every text in Chinese, too, and a question with several answers."""

    def both(text):
        return {**text, "zh": f"中文 {text['en']}"}

    def options(some) -> tuple[Option, ...]:
        return tuple(Option(option.id, both(option.label)) for option in some)

    def question(one: Question) -> Question:
        return replace(one, text=both(one.text), options=options(one.options))

    def attribute(one):
        return replace(one, text=both(one.text), options=options(one.options))

    return replace(
        survey,
        languages=("en", "zh"),
        title=both(survey.title),
        purpose=both(survey.purpose),
        questions=tuple(map(question, survey.questions)),
        attributes=tuple(map(attribute, survey.attributes)),
    )


@pytest.mark.parametrize(("language", "begins"), [(None, ""), ("en", ""), ("zh", "中文 ")])
def test_a_preview_is_in_any_language_of_the_survey(
    survey, stub, publisher_key, store, language, begins
):
    """Texts and labels are that language's, ids and chances those of all."""
    stub.publish(translated(survey), publisher_key)
    client = Client(stub.link(survey), survey.publisher.key, store=store)
    shown = client.preview(language=language)

    assert (shown.language, shown.languages) == (language or "en", ("en", "zh"))
    assert (shown.title, shown.purpose) == (
        f"{begins}Habits",
        f"{begins}To learn how common a habit is.",
    )
    assert shown.questions[0].text == f"{begins}Have you ever tried it?"
    assert shown.questions[1].labels["r3"] == f"{begins}3 of 5"
    assert f"{begins}3 of 5 is sent" in str(shown)
    assert shown.public_texts == {
        "region": (f"{begins}Region", (f"{begins}North", f"{begins}South"))
    }
    assert [q.chances for q in shown.questions] == [q.chances for q in client.preview().questions]


@pytest.mark.parametrize("language", ["fr", "", "EN", 7])
def test_a_language_that_the_survey_does_not_have_is_refused_by_name(client, language):
    """The reason lists those that it has."""
    assert client.preview(language=language) is None
    assert client.status().problem.endswith("survey 'habits-7' is in en only")
