"""An id means the same in every version, or its publisher signs that other words mean the same."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from tests.support.every_kind import surveys

from tossup.server.refusals import Refused
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.lifecycle import publish
from tossup.server.surveys.meaning import MeaningError, changes, check_meaning
from tossup.server.surveys.topics import shared_topics
from tossup.server.surveys.waves import wave_attribute
from tossup.shared import strict_json
from tossup.shared.errors import ManifestError
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Attribute, Survey
from tossup.shared.wire import MANIFEST_TYPE

#: Fields of a manifest, and of a question, that say nothing of what an answer means. Mechanisms
#: are coins: reports of different ones are never added up.
NO_MEANING = {
    *("v", "survey", "version", "previous", "publisher", "languages", "linkage", "odds"),
    *("epsilon", "delta", "minimum_batch", "opens", "closes", "retention_days", "results"),
    *("requires", "mechanism", "count", "times", "late_days", "short"),
}

TWO_LANGUAGES = """
id = "two"
title = {en = "Habits", zh-Hans = "习惯"}
purpose = {en = "To learn.", zh-Hans = "了解"}
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "rating"
text = {en = "How do you rate it?", zh-Hans = "评价如何？"}
[[question.option]]
id = "good"
label = {en = "Good", zh-Hans = "好"}
[[question.option]]
id = "bad"
label = {en = "Bad", zh-Hans = "坏"}
[[question]]
id = "grid"
text = {en = "How many?", zh-Hans = "多少？"}
answers = {numbers = [0, 10], step = "1/2"}
[[attribute]]
id = "region"
text = {en = "Region", zh-Hans = "地区"}
[[attribute.option]]
id = "north"
label = {en = "North", zh-Hans = "北"}
[[attribute.option]]
id = "south"
label = {en = "South", zh-Hans = "南"}
"""


@pytest.fixture(scope="module")
def two(publisher_key) -> Survey:
    """A survey in two languages, version 1."""
    return load_survey(TWO_LANGUAGES, public_bytes(publisher_key))


def following(survey: Survey, before: Survey, *same: str) -> Survey:
    return replace(
        survey, version=before.version + 1, previous=before.digest, same_meaning=tuple(sorted(same))
    )


def reworded(before: Survey, old: str, new: str, *same: str) -> Survey:
    """Return the next version, with a text in place of another."""
    value = json.loads(before.payload.decode().replace(json.dumps(old, ensure_ascii=False),
                       json.dumps(new, ensure_ascii=False)))  # fmt: skip
    return following(Survey.read(strict_json.dumps(value)), before, *same)


def only(survey: Survey, language: str) -> Survey:
    """Return a survey in one of its languages."""

    def spoken(value: Any) -> Any:
        match value:
            case dict() if language in value:
                return {language: value[language]}
            case dict():
                return {key: spoken(inner) for key, inner in value.items()}
            case list():
                return [spoken(inner) for inner in value]
        return value

    value = spoken(json.loads(survey.payload)) | {"languages": [language]}
    return Survey.read(strict_json.dumps(value))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value of a manifest that carries meaning."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            another = key == "id" and "text" in value  # another id of a part is another part
            if key not in NO_MEANING and not another:
                yield from leaves(inner, (*path, key))
    else:
        yield path


def altered(payload: bytes, path: tuple[Any, ...], to: Any) -> Survey | None:
    """Return the next version with one value altered; None where that is no survey."""
    value = json.loads(payload)
    place = value
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    value |= {"version": 2, "previous": "0" * 64}
    try:
        return Survey.read(strict_json.dumps(value))
    except ManifestError:
        return None


def alternatives(value: Any) -> tuple[Any, ...]:
    """Return what could stand in a value's place; for ids, numbers and days too."""
    match value:
        case bool():
            return (not value,)
        case int():
            return (value + 1, value - 1, value + 7)
        case str() if value[:1].isdigit():
            return ("2026-01-06", "1/4", "20", "50", f"{value}x")
    return (f"{value}x",)


def test_whatever_carries_meaning_is_compared(publisher_key, two):
    """Every value of manifests of every kind but those that say nothing of what answers mean."""
    checked = 0
    for survey in (two, *surveys(public_bytes(publisher_key))):
        value = json.loads(survey.payload)
        for path in leaves(value):
            inner = value
            for key in path:
                inner = inner[key]
            for to in alternatives(inner):
                other = altered(survey.payload, path, to)
                if other is None:
                    continue
                checked += 1
                assert changes(other, [survey]), f"{survey.id}: {path} became {to!r} unseen"
                with pytest.raises(MeaningError):
                    check_meaning(other, [survey])

    assert checked > 100


def test_the_order_of_options_is_compared(publisher_key, two):
    """A report of a choice is a place among the options, and an order is one of them."""
    for survey in (two, *surveys(public_bytes(publisher_key))):
        for place, question in enumerate(survey.questions):
            if len(question.options) < 2:
                continue
            value = json.loads(survey.payload)
            value["questions"][place]["options"].reverse()
            other = Survey.read(strict_json.dumps(value | {"version": 2, "previous": "0" * 64}))

            assert question.id in {change.id for change in changes(other, [survey])}, survey.id


def test_swapped_labels_are_shown_and_refused(two):
    """The same ids, their labels swapped: both are named, with both wordings, in each language."""
    good, bad = two.questions[0].options
    swapped = (replace(good, label=bad.label), replace(bad, label=good.label))
    question = replace(two.questions[0], options=swapped)
    version = following(replace(two, questions=(question, two.questions[1])), two)

    assert [str(change) for change in changes(version, [two])] == [
        'rating.good, text (en): "Good" in version 1, now "Bad"',
        'rating.good, text (zh-Hans): "好" in version 1, now "坏"',
        'rating.bad, text (en): "Bad" in version 1, now "Good"',
        'rating.bad, text (zh-Hans): "坏" in version 1, now "好"',
    ]
    with pytest.raises(MeaningError, match=r"rating\.good, text \(en\).*named in same_meaning"):
        check_meaning(version, [two])
    with pytest.raises(MeaningError, match=r"rating\.bad"):
        check_meaning(replace(version, same_meaning=("rating.good",)), [two])
    check_meaning(replace(version, same_meaning=("rating.bad", "rating.good")), [two])


def test_only_what_changed_is_declared(two):
    """A declaration is a record of what was looked at: no blanket ones."""
    version = reworded(two, "Region", "Area", "region", "region.north")

    with pytest.raises(MeaningError, match=r"says the same as before: region\.north$"):
        check_meaning(version, [two])


def test_a_word_that_was_left_out_for_a_version_is_remembered(two):
    """Dropping a question or a language, and bringing it back reversed, is no way round."""
    without = following(replace(two, questions=two.questions[1:]), two)
    back = following(reworded(two, "Good", "Bad!"), without)
    assert [change.id for change in changes(back, [two, without])] == ["rating.good"]

    english = following(only(two, "en"), two)
    assert changes(english, [two]) == ()
    chinese = following(only(reworded(two, "好", "坏透"), "zh-Hans"), english)
    assert [change.id for change in changes(chinese, [two, english])] == ["rating.good"]
    assert changes(following(two, english), [english]) == (), "a language added beside one"
    other_words = {change.id for change in changes(chinese, [english])}
    assert {"rating", "rating.good", "rating.bad", "survey:title"} <= other_words


def test_nobody_can_declare_another_topic_or_kind(two):
    """Under a new topic devices count twice; a public attribute is no randomized answer."""
    renamed = replace(two.questions[0], topic="rating-2")
    again = following(replace(two, questions=(renamed, two.questions[1])), two, "rating")
    with pytest.raises(MeaningError, match="counted twice"):
        check_meaning(again, [two])

    rating = two.questions[0]
    public = Attribute(rating.id, rating.text, rating.options)
    opened = replace(two, questions=two.questions[1:], attributes=(*two.attributes, public))
    with pytest.raises(MeaningError, match="never becomes an attribute"):
        check_meaning(following(opened, two, "rating"), [two])


def test_waves_stay_where_they_are(publisher_key):
    """Reports are added up by the wave's number: more waves are no change, other days are."""
    panel = surveys(public_bytes(publisher_key))[2]
    words = panel.attributes[-1].text

    def waves(**changed):
        made = replace(panel.waves, **changed)
        waved = replace(panel, waves=made, attributes=(wave_attribute(made, words),))
        return [change.id for change in changes(following(waved, panel), [panel])]

    assert waves(count=6) == []
    assert waves(times=2) == []
    assert waves(days=14) == ["wave", "wave.2", "wave.3", "wave.4"]
    assert waves(first=date(2026, 1, 6)) == ["wave", "wave.1", "wave.2", "wave.3", "wave.4"]


def test_the_server_refuses_what_is_not_declared(store, two, publisher_key):
    """Whoever posts: the command line is not asked to be honest. Nothing is kept of the refused."""
    publish(store, sign_manifest(two.payload, publisher_key))
    reversed_ = reworded(two, "How do you rate it?", "How would you not rate it?")
    with pytest.raises(Refused, match="rating, text") as refused:
        publish(store, sign_manifest(reversed_.payload, publisher_key))

    assert refused.value.code == "meaning-changed"
    assert store.survey("two").survey == two
    signed = replace(reversed_, same_meaning=("rating",))
    assert publish(store, sign_manifest(signed.payload, publisher_key)) == signed
    assert store.manifests("two") == [two, signed]


def test_the_record_is_signed_and_strict(two):
    """The field is in the one form of a manifest; manifests without it do not mention it."""
    version = reworded(two, "Region", "Area", "region")

    assert Survey.parse(version.payload) == version
    assert b'"same_meaning":["region"]' in version.payload
    assert b"same_meaning" not in two.payload
    for names in (["b", "a"], ["a", "a"], ["A"], ["a.b.c"], ["survey:x"], [""], "region", [1]):
        wrong = json.loads(version.payload) | {"same_meaning": names}
        with pytest.raises(ManifestError):
            Survey.parse(strict_json.dumps(wrong))
    empty = json.loads(version.payload) | {"same_meaning": []}
    with pytest.raises(ManifestError, match="one form"):
        Survey.parse(strict_json.dumps(empty))
    with pytest.raises(ManifestError, match="first version"):
        replace(two, same_meaning=("region",))


def test_topics_of_two_surveys_are_told(client, key, store, two, publisher_key):
    """Whoever publishes a topic twice learns that devices answer one of the two."""

    def post(survey):
        body = sign_manifest(survey.payload, publisher_key)
        answer = client.post("/v1/surveys", data=body, content_type=MANIFEST_TYPE, headers=key)
        return answer.json["shared_topics"]

    other = replace(reworded(two, "How do you rate it?", "And this?"), id="other")
    other = replace(other, version=1, previous=None)
    assert post(two) == []
    assert post(two) == []
    alike = {"question": "grid", "other_question": "grid", "survey": "two", "topic": "grid"}
    apart = {"question": "rating", "other_question": "rating", "survey": "two", "topic": "rating"}
    assert post(other) == [apart | {"same_wording": False}, alike | {"same_wording": True}]

    stranger = replace(two, publisher=replace(two.publisher, key=bytes(32)))
    assert shared_topics(other, [stranger, other]) == ()
