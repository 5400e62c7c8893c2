"""Whether the ids of a survey mean what they meant before.

Stage: authoring and publishing. Reports of all versions under one id are added up, so an id keeps
its meaning for ever. Only the publisher knows whether other words mean the same: a version names
every id whose words differ (`Survey.same_meaning`, signed), or it is refused.

What carries meaning: the survey's title and purpose; of a question its text, what can be answered
(ids in their order, bounds, step, norm, alphabet, unit) and the labels of its options, which are
also components of vectors and statements; of a public attribute its text, options and labels; of
waves the days that their numbers stand for. Words are compared language by language with the newest
earlier version that has the id in that language, so that nothing changes its meaning by being left
out for a version. A language that is added beside one that stays is no change.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tossup.server.shortening import shortened
from tossup.shared.errors import TossupError
from tossup.shared.survey import PURPOSE, TITLE, WAVE, Attribute, Question, Survey, Text

#: Nobody can declare that these mean the same: under a new topic devices answer again and count
#: twice, and a public attribute is no randomized answer.
_FIXED: Final = ("kind", "topic")
_QUESTION, _ATTRIBUTE = "a question", "a public attribute"


@dataclass(frozen=True, slots=True)
class Change:
    """Something that has other words than before, under an id that stays.

    Attributes
    ----------
    id
        Of a question or attribute; ``id.option``; `TITLE` or `PURPOSE`.
    what
        ``"text"``, ``"answers"``, ``"kind"`` (question or attribute) or ``"topic"``.
    language
        That of a text; empty for all else.
    version
        The version that said `before`.
    before, now
        What was said, and what is.
    """

    id: str
    what: str
    language: str
    version: int
    before: str
    now: str

    @property
    def can_be_declared(self) -> bool:
        """Whether the publisher may declare that it means the same."""
        return self.what not in _FIXED

    @property
    def place(self) -> str:
        """The id, and what of it changed."""
        return f"{self.id}, {self.what}{f' ({self.language})' if self.language else ''}"

    def __str__(self) -> str:
        """Return both wordings on one line."""
        return (
            f"{self.place}: {_short(self.before)} in version {self.version}, now {_short(self.now)}"
        )


class MeaningError(TossupError):
    """A version whose ids may not mean what they meant.

    ``undeclared`` are changes that it does not declare, or that no version can; ``unneeded`` are
    ids that it declares and that say the same as before.
    """

    def __init__(self, undeclared: Sequence[Change], unneeded: Sequence[str]) -> None:
        self.undeclared = tuple(undeclared)
        self.unneeded = tuple(unneeded)
        super().__init__(" ".join(self._told()))

    def _told(self) -> Iterator[str]:
        if self.undeclared:
            places = "; ".join(dict.fromkeys(change.place for change in self.undeclared))
            yield (
                "reports of all versions under one id are added up, and under ids that stay this"
                f" says something else: {places}. What means something else needs an id of its"
                " own; what means the same is named in same_meaning"
            )
            fixed = {change.what for change in self.undeclared if not change.can_be_declared}
            if "kind" in fixed:
                yield "(a question never becomes an attribute, nor the other way round)"
            if "topic" in fixed:
                yield "(under a new topic a device would be counted twice)"
        if self.unneeded:
            yield f"same_meaning names what says the same as before: {', '.join(self.unneeded)}"


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What one id means: its words, and what else may not change under it."""

    words: Text
    facts: Mapping[str, str] = field(default_factory=dict)


def changes(survey: Survey, earlier: Iterable[Survey]) -> tuple[Change, ...]:
    """Return what has other words in a version than in those before it, under the same ids."""
    newest_first = sorted(earlier, key=lambda version: -version.version)
    before = [(version.version, _meanings(version)) for version in newest_first]
    return tuple(
        change
        for name, now in _meanings(survey).items()
        for change in _changed(
            name, now, [(v, known[name]) for v, known in before if name in known]
        )
    )


def check_meaning(survey: Survey, earlier: Iterable[Survey]) -> None:
    """Refuse a version that changes the meaning of an id, or declares what did not change.

    Raises
    ------
    MeaningError
        If so.
    """
    found = changes(survey, earlier)
    declared = set(survey.same_meaning)
    undeclared = [c for c in found if c.id not in declared or not c.can_be_declared]
    unneeded = sorted(declared - {change.id for change in found})
    if undeclared or unneeded:
        raise MeaningError(undeclared, unneeded)


def answers_of(question: Question) -> str:
    """Return what can be answered: ids in their order, and bounds, step, norm or alphabet.

    Whether numbers have a unit is a part of it; which one is words, by language.
    """
    domain = question.domain
    ids = " | ".join(question.answer_ids)
    if not domain.field:
        return ids
    unit = " in a unit" if question.unit else ""
    return f"{ids} {domain.field} {json.dumps(domain.to_json())}{unit}".strip()


def _changed(name: str, now: _Meaning, before: list[tuple[int, _Meaning]]) -> Iterator[Change]:
    """Yield how an id differs from what it was, newest first."""
    if not before:
        return
    version, last = before[0]
    for what, fact in now.facts.items():
        if last.facts.get(what, "") != fact:
            yield Change(name, what, "", version, last.facts.get(what, ""), fact)
    stays = False
    for language, words in now.words.items():
        known = next(((v, m.words[language]) for v, m in before if language in m.words), None)
        stays |= known is not None
        if known is not None and known[1] != words:
            yield Change(name, "text", language, *known, words)
    if not stays:
        language, words = next(iter(now.words.items()))
        yield Change(name, "text", language, version, next(iter(last.words.values())), words)


def _meanings(survey: Survey) -> dict[str, _Meaning]:
    """Return what each id of a survey means."""
    found = {TITLE: _Meaning(survey.title), PURPOSE: _Meaning(survey.purpose)}
    parts: tuple[Question | Attribute, ...] = (*survey.questions, *survey.attributes)
    for part in parts:
        facts = _of_question(part) if isinstance(part, Question) else _of_attribute(part, survey)
        found[part.id] = _Meaning(part.text, facts)
        if isinstance(part, Question) and part.unit is not None:
            found[f"{part.id}.unit"] = _Meaning(part.unit)
        found |= {f"{part.id}.{option.id}": _Meaning(option.label) for option in part.options}
    return found


def _of_question(question: Question) -> dict[str, str]:
    return {"kind": _QUESTION, "topic": question.topic, "answers": answers_of(question)}


def _of_attribute(attribute: Attribute, survey: Survey) -> dict[str, str]:
    """Return what an attribute tells: waves tell the days they stand for, others their options."""
    answers = " | ".join(sorted(option.id for option in attribute.options))
    if survey.waves is not None and attribute.id == WAVE:
        answers = f"every {survey.waves.days} days from {survey.waves.first} on"
    return {"kind": _ATTRIBUTE, "answers": answers}


def _short(words: str) -> str:
    """Return a text in quotes on one line, cut where it is long."""
    return json.dumps(shortened(words, 200), ensure_ascii=False)
