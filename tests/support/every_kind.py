"""Surveys of every kind of question, and the reports that devices would send to them."""

import secrets
from collections.abc import Iterator
from random import Random

from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.source import coins
from tossup.server.surveys.file import load_survey
from tossup.shared.coins import Coins
from tossup.shared.survey import Question, Survey
from tossup.shared.wire import Batch

_HEAD = """
question_cap = 81
id = "ID"
title = "Every kind"
purpose = "To see every kind of question."
minimum_batch = 30
[publisher]
name = "Example University"
contact = "irb@example.org"
"""

_QUESTIONS = """
[[question]]
id = "uses"
text = "Which do you use?"
answers = { several = ["Python", "Rust", "C"], most = 2 }
[[question]]
id = "place"
text = "Which place is nearest?"
answers = ["North", "Centre", "South"]
mechanism = "permute-and-flip"
distances = [[0, 1, 5], [1, 0, 4], [5, 4, 0]]
[[question]]
id = "order"
text = "In which order do you like them?"
answers = { ranking = ["Bus", "Tram", "Bike"] }
[[question]]
id = "cards"
text = "Have you ever cheated?"
mechanism = "kuk"
cards = 2
[[question]]
id = "hours"
text = "How many hours?"
answers = { integers = [0, 10] }
mechanism = "discrete-gaussian"
[[question]]
id = "body"
text = "Height and weight?"
answers = { moments = ["Height", "Weight"], norm = 2 }
"""

_TEXT_AND_STATEMENTS = """
[[question]]
id = "brand"
text = "Which brand?"
answers = { text = "a-z ", longest = 6 }
odds = 81
[[question]]
id = "true"
text = "Which of these are true of you?"
answers = { several = ["I cheated", "I was born in spring"] }
mechanism = "unrelated-question"
selected = "4/5"
"""

_WAVES = """
[waves]
count = 4
first = 2026-01-05
days = 7
"""

_COUNTERS = """
[[question]]
id = "starts"
text = "How often was it started?"
answers = { integers = [0, 20] }
mechanism = "one-bit-mean"
[[question]]
id = "files"
text = "How many files are open?"
answers = { integers = [0, 4] }
mechanism = "d-bit-flip"
"""

_YES_NO = '[[question]]\nid = "tried"\ntext = "Have you ever tried it?"\n'

ANSWERS = {
    "uses": ["python", "rust"],
    "place": "north",
    "order": ["bike", "bus", "tram"],
    "cards": True,
    "hours": 6,
    "body": [1, 0.5],
    "brand": "apple",
    "true": ["i_cheated"],
    "tried": True,
    "starts": 7,
    "files": 3,
}


def surveys(key: bytes) -> list[Survey]:
    """Return surveys ``every-kind``, ``brands``, ``panel`` and ``counters`` (in waves).

    ``brands`` asks for a text and which of two statements are true.
    """
    texts = {
        "every-kind": _QUESTIONS,
        "brands": _TEXT_AND_STATEMENTS,
        "panel": _WAVES + _YES_NO,
        "counters": f"{_WAVES}times = 2\n{_COUNTERS}",
    }
    return [load_survey(_HEAD.replace("ID", name) + text, key) for name, text in texts.items()]


def reports(survey: Survey, n: int) -> Iterator[Batch]:
    """Yield the reports of n people who all answer alike, to each question and in two waves.

    The coins are the same at every call, so that a page of them looks the same.
    """
    coins = Coins(Random(2026).randbytes)
    for question in survey.questions:
        for wave in (0, 1) if survey.waves else (0,):
            place = question.place(ANSWERS[question.id])
            tossed = tuple(question.perturb(place, coins) for _ in range(n))
            ids = tuple(secrets.token_bytes(16) for _ in tossed)
            publics = {attribute.id: (wave,) * n for attribute in survey.attributes}
            yield Batch(survey.digest, ids, {question.id: tossed}, publics)


def tally(question: Question, answer: object, n: int) -> tuple[int, ...]:
    """Return the tally of n people who all answer so; of a text a hundred times as many.

    In a block of `seeded` it is the same every time.
    """
    kernel, place = kernel_of(question.mechanism), question.place(answer)
    if question.mechanism.answer_kind == "vector":
        drawn = [question.domain.index(place, question.mechanism, coins()) for _ in range(n)]
        return tuple(kernel.toss(drawn).tolist())
    if question.mechanism.answer_kind == "text":
        return tuple(kernel.simulate_texts({place: 100 * n}).tolist())
    truth = [n if at == place else 0 for at in range(question.mechanism.answers)]
    return tuple(kernel.simulate(truth).tolist())
