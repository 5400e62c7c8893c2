"""Topics that two surveys of one publisher ask: devices answer only one of the two questions.

Stage: authoring and publishing. A device answers a topic once for life, in whichever survey.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tossup.server.surveys.meaning import answers_of
from tossup.shared.survey import Question, Survey, Text


@dataclass(frozen=True, slots=True)
class SharedTopic:
    """A topic of a survey that another survey of its publisher asks, too.

    Attributes
    ----------
    topic, question
        The topic, and the question of this survey.
    survey, other_question
        The other survey, and its question.
    same_wording
        Whether texts and answers are the same in every language that both have.
    """

    topic: str
    question: str
    survey: str
    other_question: str
    same_wording: bool


def shared_topics(survey: Survey, others: Iterable[Survey]) -> tuple[SharedTopic, ...]:
    """Return the topics of a survey that other surveys of its publisher ask.

    Parameters
    ----------
    others
        Surveys in any of their versions; those of other publishers, and versions of the survey
        itself, are passed over. Closed ones count: their devices have answered.
    """
    asked = {question.topic: question for question in survey.questions}
    found: dict[tuple[str, str], SharedTopic] = {}
    for other in sorted(others, key=lambda version: (version.id, -version.version)):
        if other.id == survey.id or other.publisher.key != survey.publisher.key:
            continue
        for question in other.questions:
            own = asked.get(question.topic)
            if own is not None and (own.topic, other.id) not in found:
                found[own.topic, other.id] = SharedTopic(
                    own.topic, own.id, other.id, question.id, _same_wording(own, question)
                )
    return tuple(found.values())


def _same_wording(question: Question, other: Question) -> bool:
    """Return whether two questions ask the same in the same words."""
    if answers_of(question) != answers_of(other):
        return False
    labels = zip(question.options, other.options, strict=True)
    texts = [(question.text, other.text), *((own.label, its.label) for own, its in labels)]
    return all(_same_words(own, its) for own, its in texts)


def _same_words(text: Text, other: Text) -> bool:
    """Return whether two texts have a language in common, and say the same in all such."""
    common = text.keys() & other.keys()
    return bool(common) and all(text[language] == other[language] for language in common)
