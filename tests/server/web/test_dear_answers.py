"""What is worked out in a request is bounded, whatever is asked: by counted work, never by time."""

from cProfile import Profile
from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from types import SimpleNamespace

import pytest

from tossup.server.config import Config
from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.source import seeded
from tossup.server.store import SQLiteStore
from tossup.server.store.records import Count
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.lifecycle import publish
from tossup.server.web.answers import MAKERS, Asked, is_dear
from tossup.server.web.app import create_app
from tossup.server.web.pages.templating import load
from tossup.server.web.pages.words import language
from tossup.server.web.pages.words.language import LANGUAGES
from tossup.shared.signing import public_bytes, sign_manifest

#: Python functions that are called while an answer is made: a quarter of a second.
MOST_CALLS = 400_000
DAYS = 3
LAST = date(2026, 3, 14)
HEAD = """
id = "dear"
title = "Dear"
purpose = "To see what is dear."
minimum_batch = 30
results = "public"
[publisher]
name = "Example University"
contact = "irb@example.org"
[[question]]
id = "q"
text = "Question?"
"""


def listed(count):
    return str([f"o{place}" for place in range(count)]).replace("'", '"')


KINDS = {
    "yes/no": "",
    "choice": f"answers = {listed(16)}",
    "order": f"answers = {{ ranking = {listed(10)} }}",
    "ticks": f"answers = {{ several = {listed(16)}, most = 4 }}",
    "cards": 'mechanism = "kuk"\ncards = 5',
    "number": "answers = { integers = [0, 10] }",
    "statements": 'answers = { several = ["I cheated", "I was born in spring"] }\n'
    'mechanism = "unrelated-question"\nselected = "4/5"',
}


def largest(asked, key):
    """Return a survey with as many groups as are not made aside, with reports on three days."""
    attribute = f'\n[[attribute]]\nid = "g"\ntext = "G"\nanswers = {listed(256)}\n'
    survey = load_survey(f"{HEAD}{asked}{attribute}", public_bytes(key))
    counters = survey.questions[0].mechanism.counters * DAYS
    (every,) = survey.attributes
    for groups in range(256, 0, -1):
        fewer = replace(survey, attributes=(replace(every, options=every.options[:groups]),))
        store = SimpleNamespace(tally_size=lambda *_, cells=groups: (cells * counters, DAYS))
        if not is_dear("json", store, SimpleNamespace(survey=fewer, reports=0)):
            return fewer
    raise AssertionError("one group is too dear")


def fill(store, survey):
    """Give a question the same reports in each group on each day."""
    answers = survey.questions[0].mechanism.answers
    truth = [2000 // min(answers, 16)] * min(answers, 16) + [0] * max(0, answers - 16)
    with seeded(13):
        tally = kernel_of(survey.questions[0].mechanism).simulate(truth).tolist()
    cells = product(range(DAYS), range(len(survey.attributes[0].options)), enumerate(tally))
    counts = [
        Count(survey.digest, "q", LAST - timedelta(day), group, value, number)
        for day, group, (value, number) in cells
        if number
    ]
    with store.write() as transaction:
        transaction.count(survey.id, counts, sum(count.change for count in counts))


def calls_of(app, asked, record):
    """Return how many functions are called to make an answer again."""
    counting = Profile(builtins=False)
    with app.test_request_context(asked.address or "/"):
        MAKERS[asked.kind](asked, record)
        counting.runcall(MAKERS[asked.kind], asked, record)
    return sum(function.callcount for function in counting.getstats())


@pytest.mark.parametrize(
    "kinds",
    [("choice", "number"), pytest.param(KINDS, marks=pytest.mark.prove)],
    ids=["some", "all"],
)
def test_what_is_made_in_a_request_calls_so_many_functions_at_most(tmp_path, publisher_key, kinds):
    """JSON and page of every kind, in the most groups that are not made aside."""
    for kind in kinds:
        survey = largest(KINDS[kind], publisher_key)
        config = Config(data=tmp_path / kind.replace("/", "-"))
        store = SQLiteStore(config.database, day=lambda: LAST)
        publish(store, sign_manifest(survey.payload, publisher_key))
        fill(store, survey)
        app, record = create_app(config, store=store, reading=True), store.survey(survey.id)
        for made, address in (("json", ""), ("survey-page", "/surveys/dear")):
            calls = calls_of(app, Asked(made, "dear", (), "en", address), record)

            assert calls <= MOST_CALLS, (kind, made, calls, survey.attributes[0].options[-1].id)
        store.close()


def test_templates_and_messages_are_loaded_at_the_start(tmp_path):
    """All of both, so that the first page is no dearer than the next."""
    app = create_app(Config(data=tmp_path))
    load(app)
    made = {name for _, name in app.jinja_env.cache}
    app.extensions["tossup"].close()

    assert {*app.jinja_env.list_templates(extensions=["html", "svg"])} == made
    assert any(name.endswith("_question.html") for name in made)
    assert len(LANGUAGES) == language._catalogue.cache_info().currsize
