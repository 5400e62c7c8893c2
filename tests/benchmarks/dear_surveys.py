"""Surveys at the limits of the survey file, with up to a million reports, for dear questions to a
server.
"""

import secrets
from collections.abc import Iterator
from datetime import date, timedelta

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.server.ingest import packing
from tossup.server.ingest.packing import Reports
from tossup.server.kernels import kernel_of
from tossup.server.kinds import kind_of, toss
from tossup.server.store import SQLiteStore
from tossup.server.store.records import Count
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.lifecycle import publish
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Question, Survey

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
LAST_DAY = date(2026, 3, 14)
#: Reports of one stored chunk: few, so that reading them takes as long as it may.
_CHUNK = 500
#: People who are tossed for; each stands for many.
_TOSSED = 10_000

_HEAD = """
id = "ID"
title = "Dear"
purpose = "To see what is dear."
minimum_batch = 30
results = "public"
[publisher]
name = "Example University"
contact = "irb@example.org"
"""


def _listed(count: int, prefix: str = "o") -> str:
    return "[" + ", ".join(f'"{prefix}{place}"' for place in range(count)) + "]"


def _question(name: str, answers: str = "", rest: str = "") -> str:
    line = f"answers = {answers}\n" if answers else ""
    return f'[[question]]\nid = "{name}"\ntext = "Question {name}?"\n{line}{rest}'


def _attributes(*sizes: int) -> str:
    return "".join(
        f'[[attribute]]\nid = "a{place}"\ntext = "Group {place}"\nanswers = {_listed(size)}\n'
        for place, size in enumerate(sizes)
    )


_K_ARY = 'mechanism = "k-ary"\nodds = 3\n'
_WARNER = 'mechanism = "warner"\nodds = "11/10"\n'
_NOISE = 'mechanism = "discrete-laplace"\n'
_DISTANCES = [[abs(row - column) for column in range(16)] for row in range(16)]
_SCORES = f'mechanism = "exponential"\ndistances = {_DISTANCES}\n'
_WAVES = "[waves]\ncount = 256\nfirst = 2025-01-05\ndays = 1\n"
_GROUPS = _attributes(32, 32)

#: What each survey says first, its questions and attributes, and on how many days reports come.
SURVEYS = {
    "joint": (
        'linkage = "joint"\n',
        _question("one", _listed(16), _K_ARY) + _question("two", _listed(16), _K_ARY),
        1,
    ),
    "text": ("", _question("brand", '{ text = "a-z ", longest = 8 }', "odds = 9\n") + _GROUPS, 1),
    "options": ("", _question("choice", _listed(256)) + _GROUPS, 30),
    "groups": ("", _question("choice", _listed(256)) + _attributes(256, 4), 10),
    "many": ("", "".join(_question(f"q{i}", rest=_WARNER) for i in range(64)) + _GROUPS, 30),
    "order": ("", _question("order", f"{{ ranking = {_listed(6)} }}") + _GROUPS, 30),
    "several": (
        "",
        _question("uses", f"{{ several = {_listed(64)}, most = 4 }}") + _GROUPS,
        30,
    ),
    "grid": ("", _question("hours", "{ integers = [0, 255] }", _NOISE) + _GROUPS, 30),
    "vector": ("", _question("body", f"{{ vector = {_listed(64)}, norm = 2 }}") + _GROUPS, 30),
    "statements": (
        "",
        _question(
            "true",
            '{ several = ["I cheated", "I was born in spring"] }',
            'mechanism = "unrelated-question"\nselected = "4/5"\n',
        )
        + _GROUPS,
        30,
    ),
    "cards": ("", _question("cheated", rest='mechanism = "kuk"\ncards = 8\n') + _GROUPS, 30),
    "scores": ("", _question("place", _listed(16), _SCORES) + _GROUPS, 30),
    "moments": ("", _question("body", f"{{ moments = {_listed(16)}, norm = 2 }}") + _GROUPS, 30),
    "waves": (_WAVES, _question("q"), 256),
}


def survey_of(name: str) -> Survey:
    """Return one of `SURVEYS`."""
    first, rest, _ = SURVEYS[name]
    head, publisher = _HEAD.replace("ID", name).split("[publisher]")
    if first.startswith("["):
        return load_survey(f"{head}[publisher]{publisher}{first}{rest}", public_bytes(KEY))
    return load_survey(f"{head}{first}[publisher]{publisher}{rest}", public_bytes(KEY))


def fill(store: SQLiteStore, name: str, n: int) -> Survey:
    """Publish a survey and give every question n reports, over all groups and days."""
    survey = survey_of(name)
    publish(store, sign_manifest(survey.payload, KEY))
    days = SURVEYS[name][2]
    with store.write() as transaction:
        if survey.linkage == "joint":
            for reports in _joint(survey, n):
                transaction.append(name, packing.to_chunk(packing.by_id(reports)))
                transaction.count(name, packing.counts(reports), len(reports.ids))
            return survey
        for question in survey.questions:
            transaction.count(name, _counts(survey, question, n, days), n)
    return survey


def _counts(survey: Survey, question: Question, n: int, days: int) -> Iterator[Count]:
    """Yield counters of n reports: those of some people, so many times over, at random places."""
    strata = 1 if survey.waves else int(np.prod([len(a.options) for a in survey.attributes]))
    kind, kernel = kind_of(question), kernel_of(question.mechanism)
    truth = kind.read_truth(question, kind.example_of_truth(question))
    column = toss(question, kind.people(question, truth), _TOSSED)
    parts = np.random.default_rng(1).integers(0, strata * days, _TOSSED)
    for part in np.unique(parts).tolist():
        day, stratum = divmod(part, strata)
        when = LAST_DAY - timedelta(days - 1 - day)
        tally = kernel.count(column[parts == part]) * (n // _TOSSED)
        for value in np.flatnonzero(tally).tolist():
            place = day if survey.waves else stratum
            yield Count(survey.digest, question.id, when, place, value, int(tally[value]))


def _joint(survey: Survey, n: int) -> Iterator[Reports]:
    rng = np.random.default_rng(1)
    for start in range(0, n, _CHUNK):
        size = min(_CHUNK, n - start)
        ids = np.frombuffer(secrets.token_bytes(16 * size), np.uint8).reshape(-1, 16)
        values = tuple(rng.integers(0, 16, size, dtype=np.uint8) for _ in survey.questions)
        yield Reports(survey, None, LAST_DAY, ids, values, np.zeros((0, size), np.uint8))
