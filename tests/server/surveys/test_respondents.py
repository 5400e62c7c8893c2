"""People are counted where a device sends one report for life, and nowhere else."""

from dataclasses import replace
from datetime import date

from tossup.server.surveys.lifecycle import publish, respondents
from tossup.server.surveys.waves import wave_attribute
from tossup.shared.signing import sign_manifest
from tossup.shared.waves import Waves


def test_people_are_known_where_each_sends_one_report(store, survey, joint_survey, publisher_key):
    """Of one question, or of answers that travel together; not of several, nor of waves."""
    one = replace(survey, questions=survey.questions[:1])
    waves = Waves(4, date(2026, 3, 1), 30, times=1)
    wave = wave_attribute(waves, {"en": "Wave"})
    in_waves = replace(one, waves=waves, attributes=(*one.attributes, wave))
    made = {"one": one, "two": survey, "joint": joint_survey, "waves": in_waves}
    found = {}
    for name, each in made.items():
        publish(store, sign_manifest(replace(each, id=name).payload, publisher_key))
        found[name] = respondents(store, replace(store.survey(name), reports=7))

    assert {"one": 7, "two": None, "joint": 7, "waves": None} == found


def test_people_of_versions_with_other_topics_are_not_known(store, survey, publisher_key):
    """Who answered before answers the new topic, too; the same topic nobody answers twice."""
    first = replace(survey, questions=survey.questions[:1])
    publish(store, sign_manifest(first.payload, publisher_key))
    same = replace(first, version=2, previous=first.digest, retention_days=300)
    publish(store, sign_manifest(same.payload, publisher_key))
    before = respondents(store, replace(store.survey(survey.id), reports=7))
    renamed = replace(survey.questions[0], id="other", topic="other")
    other = replace(same, version=3, previous=same.digest, questions=(renamed,))
    publish(store, sign_manifest(other.payload, publisher_key))

    assert (7, None) == (before, respondents(store, store.survey(survey.id)))
