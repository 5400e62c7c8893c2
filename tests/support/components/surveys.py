"""Made-up surveys with questions of every kind, and simulated reports to them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from typing import Final

import numpy as np

from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.source import seeded
from tossup.server.kinds import kind_of, toss
from tossup.server.kinds.told.answer import Looks
from tossup.server.results import Results, results
from tossup.server.results.joint.tables import JointResult
from tossup.server.results.minimum import joint_minimum
from tossup.server.store.records import SurveyRecord
from tossup.server.store.tally import Cell
from tossup.server.surveys.file import load_survey
from tossup.server.web.authoring.checking import NO_KEY
from tossup.shared.survey import Question, Survey

#: A draft with one question, as its file.
DRAFT: Final = """
id = "sample-of-a-draft"
title = "Nights out"
purpose = "To learn how common it is."
publisher = { name = "Example University", contact = "irb@example.org" }
[[question]]
id = "ever"
text = "Have you ever driven home drunk?"
"""

_HEAD: Final = """
id = "sample-of-NAME"
title = "Sample of NAME"
purpose = "To see what a page shows."
question_cap = 729
publisher = { name = "Example University", contact = "irb@example.org" }
"""

_REGION: Final = """
[[attribute]]
id = "region"
text = "Where do you live?"
answers = ["North", "South"]
"""

#: By the survey's name: what it asks. A device would refuse all of it in one survey.
_ASKED: Final[Mapping[str, str]] = {
    "shares": f"""linkage = "joint"
[[question]]
id = "ever"
text = "Have you ever driven home drunk?"
[[question]]
id = "travel"
text = "How do you travel?"
answers = ["Bus", "Tram", "Bike", "Car"]
[[question]]
id = "cards"
text = "Have you ever cheated?"
mechanism = "kuk"
cards = 2
[[question]]
id = "drugs"
text = "Which have you tried?"
answers = {{ several = ["MDMA", "Speed", "None of these"] }}
[[question]]
id = "true"
text = "Which of these are true of you?"
answers = {{ several = ["I cheated", "I was born in spring"] }}
mechanism = "unrelated-question"
selected = "4/5"
{_REGION}""",
    "others": f"""
[[question]]
id = "order"
text = "In which order do you like them?"
answers = {{ ranking = ["Bus", "Tram", "Bike"] }}
[[question]]
id = "place"
text = "Which place is nearest?"
answers = ["North", "Centre", "South"]
mechanism = "permute-and-flip"
distances = [[0, 1, 5], [1, 0, 4], [5, 4, 0]]
[[question]]
id = "district"
text = "In which district?"
answers = [
  "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R",
]
[[question]]
id = "drinks"
text = "How many drinks a week?"
answers = {{ integers = [0, 20] }}
[[question]]
id = "body"
text = "Height and weight?"
answers = {{ moments = ["Height", "Weight"], norm = 2 }}
{_REGION}""",
    "texts": f"""
[[question]]
id = "brand"
text = "Which brand?"
answers = {{ text = "a-z ", longest = 3, others = true }}
odds = 81
{_REGION}""",
    "waves": """
[waves]
count = 2
first = 2026-01-05
days = 7
[[question]]
id = "still"
text = "Do you still?"
[[question]]
id = "which"
text = "Which one now?"
answers = ["A", "B", "C"]
""",
}
#: The names of the surveys.
NAMES: Final = tuple(_ASKED)

#: What the people of a question answer, as ``--truth`` of ``tossup simulate`` says it.
_TRUTHS: Final[Mapping[str, str]] = {
    "ever": "0.32",
    "travel": "0.4,0.35,0.15,0.1",
    "drugs": "0.2,0.1,0.7",
    "district": "0.5,0.3,0.2" + 15 * ",0",
    "order": "bus>tram>bike,tram>bus>bike",
    "drinks": "2,3,4,9",
    "body": "0.5,0.25",
    "brand": "abc:0.6,xyz:0.3",
}
#: Reports of each region by day: weeks with a gap, and one with too few.
_PEOPLE: Final = {0: 180, 7: 200, 14: 190, 28: 210, 35: 3, 42: 190}
_FIRST: Final = date(2026, 1, 5)
#: The last day with reports.
LAST: Final = _FIRST + timedelta(days=max(_PEOPLE))
_SEED: Final = 13


@cache
def sample(name: str) -> Survey:
    """Return a survey by its name."""
    return load_survey(_HEAD.replace("NAME", name) + _ASKED[name], NO_KEY)


def record(survey: Survey, *, closed: bool = False) -> SurveyRecord:
    """Return what a store would know of a survey."""
    reports = 2 * sum(_PEOPLE.values())
    return SurveyRecord(survey, b"", closed, "closed" if closed else "open", reports, 1)


@cache
def found(name: str) -> Results:
    """Return what the simulated reports to a survey say."""
    survey = sample(name)
    first, *others = survey.questions
    said = replace(first, text={"en": f"{first.text['en']} (as asked before)"})
    before = replace(survey, questions=(said, *others))
    now = replace(survey, version=2, previous=before.digest)
    with seeded(_SEED):
        cells = [*_cells(before, slice(2)), *_cells(now, slice(2, None))]
    looks: Looks = "every" if name == "others" else "one"
    return results(record(now), cells, versions=[before, now], looks=looks)


def joint(*, few: bool = False) -> JointResult:
    """Return what the reports to the first two questions say together, or too few of them."""
    survey = sample("shares")
    ever, travel = survey.questions[:2]
    with seeded(_SEED):
        columns = [np.asarray(_column(question, 3 if few else 900)) for question in (ever, travel)]
    counts = np.zeros((ever.mechanism.reports, travel.mechanism.reports), dtype=np.int64)
    np.add.at(counts, tuple(column.ravel().astype(np.int64) for column in columns), 1)
    questions = (ever, travel)
    return JointResult(questions, counts, joint_minimum(questions, survey), 0.95, ((), ()), 1)


def _cells(survey: Survey, days: slice) -> Iterator[Cell]:
    for question in survey.questions:
        kernel = kernel_of(question.mechanism)
        for after, people in list(_PEOPLE.items())[days]:
            for region in (0, 1) if survey.asked_attributes else (0,):
                counts = tuple(kernel.count(_column(question, people)).tolist())
                stratum = (region,) if survey.asked_attributes else (after // 7 % 2,)
                day = _FIRST + timedelta(days=after)
                yield Cell(survey.digest, question.id, day, stratum, counts)


def _column(question: Question, people: int) -> np.ndarray:
    kind = kind_of(question)
    written = _TRUTHS.get(question.id) or kind.example_of_truth(question)
    return toss(question, kind.people(question, kind.read_truth(question, written)), people)
