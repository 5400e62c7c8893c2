"""Show what can be sent, and with which odds, before anything is tossed.

Stage: beside the road. A preview is computed from the manifest alone. It sees no coin. Of
the answers that it is given it looks at the ids of the questions, never at an answer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from tossup.client.errors import AnswerRefused
from tossup.shared.mechanisms.base import Stated
from tossup.shared.odds import (
    chance_as_text,
    compose,
    epsilon,
    odds_as_text,
    promise_as_text,
)
from tossup.shared.survey import Attribute, Question, Survey
from tossup.shared.waves import Waves

_LONGEST_RATIO: Final = 10**6


@dataclass(frozen=True, slots=True)
class QuestionPreview:
    """What can be sent for one question.

    Attributes
    ----------
    id, text
        The question, in the preview's language.
    chances
        ``chances[answer][report]``: the exact probability that this report is sent if that is
        the answer. Where reports may name several options, or there are more than 32,
        ``"the option"`` and ``"another"`` stand for the answer, and ``"named"`` and
        ``"not named"`` for what the report says of it. Where reports are numbers of red cards,
        they stand as ``"2 red cards of 3"``.
    odds
        What the answer costs: all that is sent about it, over all waves, moves anyone's odds
        between two answers by at most this factor.
    one_report
        The odds of a single report, where they are smaller: in surveys that ask in waves.
    reports_alone, while_steady
        Where the device keeps coins for answers that change: the odds of all reports together for
        someone who never holds the device, and between two answers that never change. Else None.
    delta
        The chance, at worst, that what is sent tells more than these odds; 0 for most mechanisms.
    raised_from
        What was known of the cost, in words, where a new version of the survey raises it.
    names_several
        Whether a report may name several options, or none.
    in_brief
        Whether `chances` are those of one option, named or not.
    number
        For a question about a number, a vector, an order, a text or two statements, what becomes
        of it, in words; ``chances`` is empty then.
    several
        For a question with several answers, how many may be ticked and which are asked, in words;
        ``chances`` are those of an option that is asked, by ``"not ticked"`` and ``"ticked"``.
    labels
        What people read, in the preview's language, of the options' ids; empty for yes and no.
    """

    id: str
    text: str
    chances: Mapping[str, Mapping[str, Fraction]]
    odds: Fraction
    names_several: bool = False
    in_brief: bool = False
    number: str | None = None
    one_report: Fraction | None = None
    delta: Fraction = Fraction(0)
    raised_from: str | None = None
    several: str | None = None
    reports_alone: Fraction | None = None
    while_steady: Fraction | None = None
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def epsilon(self) -> Decimal:
        """ln(odds), rounded up."""
        return epsilon(self.odds)

    @property
    def _cost(self) -> str:
        promise = promise_as_text(self.odds, self.delta)
        if self.one_report is None:
            return promise
        return f"{odds_as_text(self.one_report)} by one report, {promise} by all together"

    @property
    def _alone(self) -> str:
        """Return what reports tell without what the device keeps, in one sentence."""
        if self.reports_alone is None or self.while_steady is None:
            return ""
        return (
            f"All of it together: {odds_as_text(self.odds)}, also for someone who takes this"
            f" device; the reports alone: {odds_as_text(self.reports_alone)}, and"
            f" {odds_as_text(self.while_steady)} as long as your answer stays the same"
        )

    def __str__(self) -> str:
        before = f", raised from {self.raised_from}" if self.raised_from else ""
        lines = [f"{self.text} (at most {self._cost}{before})"]
        if self.number is not None:
            lines.append(f"  {self.number}")
            lines += [f"  {self._alone}"] if self._alone else []
            return "\n".join(lines)
        if self.several is not None:
            lines.append(f"  {self.several}:")
            for answer, row in self.chances.items():
                lines.append(f"    if it is {answer}, ticked is sent {_times(row['ticked'])}")
            return "\n".join(lines)
        if self.in_brief:
            chances = [_times(row["named"]) for row in self.chances.values()]
            lines.append(f"    an option is named {chances[1]} if it is your answer")
            lines.append(f"    any other option is named {chances[0]}")
            return "\n".join(lines)
        for answer, reports in self.chances.items():
            lines.append(f"  if your answer is {self._named(answer)}:")
            lines += [
                f"    {self.labels.get(report, report)} is sent {_times(chance)}"
                for report, chance in reports.items()
            ]
        return "\n".join(lines)

    def _named(self, answer: str) -> str:
        """Return an answer's label, and its id where the label does not tell it."""
        label = self.labels.get(answer, answer)
        return label if label.casefold() == answer.replace("_", " ") else f"{label} ({answer})"


@dataclass(frozen=True, slots=True)
class Preview:
    """Everything that answering can send.

    Attributes
    ----------
    title, purpose
        The survey's, in ``language``.
    manifest
        The digest of the version that this shows, for ``answer(..., manifest=...)``.
    language, languages
        The tag of the language of all texts of the survey here, and those that it has.
    public_texts
        What people read of the attributes in ``public``, by attribute id: the text, and the
        options' labels in the order of their ids.
    public
        Attributes that are sent as they are, not randomized: the options by attribute id.
    travels_together
        Whether the reports of one respondent are sent as one (linkage ``joint``).
    waves
        For a survey that asks again: when, and what is sent then, in words.
    for_life
        What this device's lifetime cap lets a publisher learn who asks the same question again
        under other topics, in words; None where no device was asked.
    changes
        In words, what was promised of reports in the versions that this device knew, and is not
        in this one.
    odds
        The cost of all these answers together, over all waves: the product of theirs.
    """

    title: str
    questions: tuple[QuestionPreview, ...]
    public: Mapping[str, tuple[str, ...]]
    travels_together: bool
    purpose: str
    manifest: str
    language: str
    languages: tuple[str, ...]
    public_texts: Mapping[str, tuple[str, tuple[str, ...]]]
    waves: str | None = None
    for_life: str | None = None
    changes: tuple[str, ...] = ()

    @property
    def odds(self) -> Fraction:
        """The odds of all answers together: their product."""
        return compose(question.odds for question in self.questions)

    @property
    def epsilon(self) -> Decimal:
        """ln(odds), rounded up."""
        return epsilon(self.odds)

    @property
    def delta(self) -> Fraction:
        """The chance, at worst, that the reports together tell more: the sum of theirs."""
        return sum((question.delta for question in self.questions), start=Fraction(0))

    def __str__(self) -> str:
        changes = [f"changed in this version: {words}" for words in self.changes]
        lines = [self.title, *changes, *map(str, self.questions)]
        if self.waves is not None:
            lines.append(self.waves)
        if self.public:
            lines.append(f"sent as it is, not randomized: {', '.join(self.public)}")
        lines.append(f"all together: {_promise(self.odds, self.epsilon, self.delta)}")
        lines += [f"for life: {self.for_life}"] if self.for_life else []
        return "\n".join(lines)


def _promise(odds: Fraction, epsilon_shown: Decimal, delta: Fraction) -> str:
    """Return what is promised of some answers together."""
    promise = f"at most {odds_as_text(odds)} (epsilon {epsilon_shown})"
    if not delta:
        return promise
    return f"{promise}, but for a chance of at most {chance_as_text(delta)} to tell more"


def preview(survey: Survey, names: Iterable[str] | None = None, language: object = None) -> Preview:
    """Return what answering these questions, or all of them, can send.

    Parameters
    ----------
    language
        One of the survey's; None for its first.

    Raises
    ------
    AnswerRefused
        If a name is neither a question's nor an attribute's, no question is named, or the survey
        is not in that language.
    """
    asked = survey.questions if names is None else _asked(survey, tuple(names))
    language = _language(survey, language)
    return Preview(
        title=survey.title[language],
        purpose=survey.purpose[language],
        manifest=survey.digest,
        language=language,
        languages=survey.languages,
        public_texts={a.id: _words(a, language) for a in survey.attributes},
        questions=tuple(_question(survey, question, language) for question in asked),
        public={attribute.id: _options(attribute) for attribute in survey.attributes},
        travels_together=survey.linkage == "joint",
        waves=None if survey.waves is None else _in_waves(survey.waves) + _memo(asked),
    )


def _language(survey: Survey, wanted: object) -> str:
    if wanted is None:
        return survey.languages[0]
    if type(wanted) is str and wanted in survey.languages:
        return wanted
    raise AnswerRefused(f"survey {survey.id!r} is in {', '.join(survey.languages)} only")


def _words(attribute: Attribute, language: str) -> tuple[str, tuple[str, ...]]:
    labels = tuple(option.label[language] for option in attribute.options)
    return attribute.text[language], labels


def _asked(survey: Survey, names: Sequence[object]) -> tuple[Question, ...]:
    known = [question.id for question in survey.questions]
    known += [attribute.id for attribute in survey.attributes]
    if not all(name in known for name in names):
        raise AnswerRefused(f"survey {survey.id!r} asks {', '.join(known)}, and nothing else")
    named = tuple(question for question in survey.questions if question.id in names)
    if not named:
        raise AnswerRefused("no question is named; preview() without any shows all")
    return survey.questions if survey.linkage == "joint" else named


def _in_waves(waves: Waves) -> str:
    """Return when a survey asks, and what becomes of an answer then."""
    length = "1 day" if waves.days == 1 else f"{waves.days} days"
    when = f"in {waves.count} waves of {length} from {waves.first.isoformat()} on"
    if waves.times is None:
        return (
            f"{when}. The coins for your answer are tossed once, the first time; this device keeps"
            " what they say, never your answer, and reports it again in each wave without asking"
        )
    if waves.times == waves.count:
        return f"{when}. Your answer may change; new coins are tossed in each"
    number = "1 of them" if waves.times == 1 else f"{waves.times} of them"
    return f"{when}. You are asked in {number}, chosen by coins; new coins are tossed each time"


def _memo(questions: Iterable[Question]) -> str:
    """Return what a device keeps for answers that change; nothing if it keeps nothing."""
    if not any(question.mechanism.has_memo for question in questions):
        return ""
    return (
        ". Before it looks at your first answer this device tosses coins that it keeps for all"
        " waves: they say nothing of your answers, and make what you send alike while those stay"
    )


def _question(survey: Survey, question: Question, language: str) -> QuestionPreview:
    """Return the preview of a question, with the odds of a single report if those are smaller."""
    shown = _once(question, language)
    odds = survey.cost(question)
    once = shown.odds if shown.odds != odds else None
    shown = replace(shown, odds=odds, one_report=once, delta=survey.chance(question))
    mechanism, waves = question.mechanism, survey.waves
    if waves is None or waves.times is None or not mechanism.has_memo:
        return shown
    return replace(
        shown,
        reports_alone=waves.odds_of_reports(mechanism),
        while_steady=mechanism.odds_if_steady(waves.times),
    )


def _once(question: Question, language: str) -> QuestionPreview:
    mechanism = question.mechanism
    labels = {option.id: option.label[language] for option in question.options}
    words = _in_other_words(question, language)
    if words is not None:
        text, odds = question.text[language], mechanism.odds
        words += f" (it counts {question.unit[language]})" if question.unit else ""
        return QuestionPreview(question.id, text, {}, odds, number=words, labels=labels)
    stated = mechanism.stated()
    in_brief = stated.sentence in {"option", "ticks"}
    answers, reports = _WORDS.get(stated.sentence) or (question.answer_ids, _reports(question))
    ticks = stated.sentence == "ticks"
    return QuestionPreview(
        id=question.id,
        text=question.text[language],
        chances={
            answer: dict(zip(reports, row, strict=True))
            for answer, row in zip(answers, stated.chances, strict=True)
        },
        odds=mechanism.odds,
        names_several=stated.names_several,
        in_brief=in_brief,
        several=_which(stated) if ticks else None,
        labels=labels,
    )


#: What answers and reports are called where the chances are those of one option.
_WORDS: Final = {
    "option": (("another", "the option"), ("not named", "named")),
    "ticks": (("not ticked", "ticked"), ("not ticked", "ticked")),
}


def _in_other_words(question: Question, language: str) -> str | None:
    """Return what becomes of an answer where there are no chances to list; None where there are."""
    labels = [option.label[language] for option in question.options]
    words = question.domain.becomes(question.mechanism, labels)
    if words is not None:
        return words
    stated = question.mechanism.stated()
    if stated.sentence == "ranks":
        return _order(labels, stated)
    return _statements(labels, stated) if stated.sentence == "statements" else None


def _reports(question: Question) -> tuple[str, ...]:
    """Return what can be sent, by its number: an answer, or how many cards are red."""
    cards = question.mechanism.stated().numbers.get("cards")
    if cards is None:
        return question.answer_ids
    return tuple(f"{red} red card{'' if red == 1 else 's'} of {cards}" for red in range(cards + 1))


def _order(options: Sequence[str], stated: Stated) -> str:
    """Return what becomes of an order before anything is sent."""
    lines = [
        f"    your number {rank} is sent {_times(chance)}"
        for rank, chance in enumerate(stated.rates, start=1)
    ]
    return "\n".join([f"an order of {', '.join(options)}; one of them alone is sent:", *lines])


def _statements(labels: Sequence[str], stated: Stated) -> str:
    """Return what becomes of what is true of two statements before anything is sent."""
    own, other, forced = stated.rates
    return (
        f"two statements ({'; '.join(labels)}): none, one or both may be true.\n"
        "  Coins decide which of the two a report is about, or neither. First one of them is drawn,"
        " each half the time;\n  the report then\n"
        f"    is about the one that was drawn {_times(own)}\n"
        f"    is about the other one {_times(other)}\n"
        f"    says yes, whatever is true, {_times(forced)}, and no as often\n"
        "  It says yes or no, and which one was drawn, never which one it is about. Whatever is"
        " true,\n  yes is sent"
        f" {_times(forced)} at least, and {_times(1 - forced)} at most"
    )


def _which(stated: Stated) -> str:
    """Return how many options may be ticked, and which of them are asked."""
    options, most, asked = (stated.numbers[key] for key in ("options", "most", "asked"))
    ticks = "any of them" if most == options else f"at most {most}"
    if asked == options:
        return f"of {options} options you may tick {ticks}; each is sent by a coin of its own"
    which = "one of them, drawn by chance, is" if asked == 1 else f"{asked} drawn by chance are"
    own = "" if asked == 1 else ", each by a coin of its own"
    return (
        f"of {options} options you may tick {ticks}; {which} sent{own}, and nothing of the others"
    )


def _options(attribute: Attribute) -> tuple[str, ...]:
    return tuple(option.id for option in attribute.options)


def _times(chance: Fraction) -> str:
    """Return "75 of 100 times", or the exact fraction where a hundred does not divide.

    Fractions of large integers are rounded to "about 72.2 of 100 times".
    """
    hundred = chance * 100
    if hundred.denominator == 1:
        return f"{hundred.numerator} of 100 times"
    if chance.denominator > _LONGEST_RATIO:
        tenths = int(hundred * 10 + Fraction(1, 2))
        return f"about {tenths // 10}.{tenths % 10} of 100 times"
    return f"{chance.numerator} of {chance.denominator} times"
