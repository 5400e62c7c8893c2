"""People whose true answers are known, and the survey they are asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tossup.shared.errors import TossupError
from tossup.shared.survey import Question

Answers = Mapping[str, bool | str]


class StatsmodelsMissing(TossupError):  # noqa: N818 - reads as the condition
    """Fair's survey comes with statsmodels, which is not installed."""


@dataclass(frozen=True, slots=True)
class Population:
    """A survey file, and one mapping of true answers a respondent."""

    survey_file: str
    answers: Sequence[Answers]

    def truth(self, question: Question, answer: str) -> Fraction:
        """Return the true share of an answer, by its id."""
        wanted = question.domain.read(answer)
        given = sum(answers[question.id] == wanted for answers in self.answers)
        return Fraction(given, len(self.answers))


_STUDENTS: Final = """
id = "study-habits"
title = "Study habits"
purpose = "To learn how common it is to hand in the work of others, and why."
linkage = "joint"

[publisher]
name = "Tossup demonstration"
contact = "nobody@example.org"

[[question]]
id = "copied"
text = "Have you ever handed in work that was not your own?"

[[question]]
id = "reason"
text = "What comes closest to why people do it?"
answers = ["Time", "Grades", "Everybody does"]

[[attribute]]
id = "faculty"
text = "Faculty"
answers = ["Arts", "Science"]
"""


def students(n: int = 1000) -> Population:
    """Return made-up students: 30 % of arts and 14 % of science once copied; 22 % together.

    >>> population = students(1000)
    >>> sum(answers["copied"] for answers in population.answers)
    220
    """
    return Population(_STUDENTS, [_student(place) for place in range(n)])


def _student(place: int) -> Answers:
    faculty, number = ("arts", "science")[place % 2], place // 2
    reason = "time" if place % 20 < 10 else "grades" if place % 20 < 16 else "everybody_does"
    copied = number * 7 % 50 < (15 if faculty == "arts" else 7)
    return {"copied": copied, "reason": reason, "faculty": faculty}


_FAIR: Final = """
id = "fair-1978"
title = "Marriage and affairs"
purpose = "To repeat the survey of Redbook magazine, 1974, that Fair analysed in 1978."
linkage = "joint"

[publisher]
name = "Tossup demonstration"
contact = "nobody@example.org"

[[question]]
id = "affair"
text = "Have you had an affair while married?"

[[question]]
id = "marriage"
text = "How do you rate your marriage?"
option = [
  { id = "r1", label = "Very poor" },
  { id = "r2", label = "Poor" },
  { id = "r3", label = "Fair" },
  { id = "r4", label = "Good" },
  { id = "r5", label = "Very good" },
]

[[attribute]]
id = "age"
text = "Age, in years"
answers = ["17.5", "22", "27", "32", "37", "42"]

[[attribute]]
id = "married"
text = "Years married"
answers = ["0.5", "2.5", "6", "9", "13", "16.5", "23"]

[[attribute]]
id = "religious"
text = "How religious, from 1 to 4"
answers = ["1", "2", "3", "4"]

[[attribute]]
id = "children"
text = "Children"
answers = ["0", "1", "2", "3", "4", "5.5"]
"""

#: Where statsmodels keeps what the attributes of the survey ask.
_TOLD: Final = {
    "age": "age",
    "married": "yrs_married",
    "religious": "religious",
    "children": "children",
}


def fair() -> Population:
    """Return the 6,366 women of Fair's survey: 2,053 had an affair.

    Fair 1978, "A theory of extramarital affairs", Journal of Political Economy 86:45-61; the
    data come with statsmodels.

    Raises
    ------
    StatsmodelsMissing
        If statsmodels is not installed.
    """
    try:
        from statsmodels.datasets import fair as dataset
    except ModuleNotFoundError as error:
        raise StatsmodelsMissing("Fair's survey comes with statsmodels; it is missing") from error
    data = dataset.load_pandas().data
    return Population(_FAIR, [_woman(row) for row in data.to_dict("records")])


def _woman(row: Mapping[str, float]) -> Answers:
    told = {name: option_id(f"{row[column]:g}") for name, column in _TOLD.items()}
    return {"affair": row["affairs"] > 0, "marriage": f"r{row['rate_marriage']:.0f}", **told}


def option_id(number: str) -> str:
    """Return the id that a survey file gives an option by its label: 5.5 is 5_5."""
    return number.replace(".", "_")
