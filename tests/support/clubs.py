"""A survey of five kinds of question and four regions, and what 2,000 people would send to it."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random

import numpy as np

from tossup.server.kernels import kernel_of
from tossup.server.store.tally import Cell
from tossup.server.surveys.file import load_survey
from tossup.shared.coins import Coins
from tossup.shared.survey import Question, Survey

FILE = (Path(__file__).parents[1] / "web/clubs.toml").read_text(encoding="utf-8")
#: Days before the last one on which people answer, and how many do; there is a week without any.
DAYS = {back: 80 if back < 11 else 64 for back in (*range(11), *range(18, 33))}
#: How the people of a region answer: all shares of the first question add up to a sixth.
COCAINE = (0.3, 0.1, 0.08, 0.04)
REGIONS = (0.39, 0.32, 0.2, 0.09)
OFTEN = ("never", "monthly", "some", "many", "most")
TRIED = {"cannabis": 0.5, "mdma": 0.14, "ketamine": 0.13, "lsd": 0.06, "ghb": 0.05}


def survey(key: bytes) -> Survey:
    """Return the survey, signed by nobody yet."""
    return load_survey(FILE, key)


def cells(asked: Survey, last: date) -> list[Cell]:
    """Return the tallies of all days up to a last one; the same coins at every call."""
    return list(_cells(asked, last, Random(2026)))


def _cells(asked: Survey, last: date, random: Random) -> Iterator[Cell]:
    coins = Coins(random.randbytes)
    for back, people in DAYS.items():
        regions = random.choices(range(4), REGIONS, k=people)
        for region in range(4):
            answers = [_answers(random, region) for _ in range(regions.count(region))]
            for question in asked.questions:
                sent = [
                    question.perturb(question.place(each[question.id]), coins) for each in answers
                ]
                if sent:
                    counts = _counted(question, sent)
                    yield Cell(asked.digest, question.id, last - timedelta(back), (region,), counts)


def _counted(question: Question, sent: list[int]) -> tuple[int, ...]:
    counted = np.asarray(kernel_of(question.mechanism).count(np.array(sent)))
    return tuple(map(int, counted))


def _answers(random: Random, region: int) -> dict[str, object]:
    ticked = [option for option, share in TRIED.items() if random.random() < share]
    first = random.choices(["health", "money", "family", "police"], [6, 2, 2, 1])[0]
    rest = [each for each in ("health", "money", "family", "police") if each != first]
    return {
        "cocaine": random.random() < COCAINE[region],
        "often": random.choices(OFTEN, [9, 22, 30, 29, 10])[0],
        "tried": ticked[:3],
        "drinks": min(20, int(random.expovariate(1 / 4.5))),
        "worry": [first, *random.sample(rest, 3)],
    }
