"""The survey manifest as values: what is asked, with which coins, and what it costs.

Stage: before any answer. Parsing is strict and the same on device and server: an unknown field,
version or mechanism is refused, and the odds are computed here, whatever the manifest claims.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from math import prod
from typing import TYPE_CHECKING, Final, Literal

from tossup.shared import strict_json
from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, ManifestError, MechanismError, WireError
from tossup.shared.figures import in_full
from tossup.shared.kinds import FROM_JSON, of_options
from tossup.shared.kinds.base import Domain, Place
from tossup.shared.kinds.yes_no import YesNo
from tossup.shared.mechanisms import Mechanism, from_spec
from tossup.shared.odds import compose, epsilon
from tossup.shared.signing import b64url, unb64url

if TYPE_CHECKING:
    from tossup.shared.waves import Waves

Text = Mapping[str, str]  # language tag to text
Linkage = Literal["none", "joint"]
Refusal = Literal["silent", "randomized"]
Shown = Literal["live", "daily", "closed"]

MANIFEST_VERSION: Final = 1
MAX_PAYLOAD_BYTES: Final = 128 * 1024
MAX_QUESTIONS: Final = 64
MAX_OPTIONS: Final = 1024
MAX_ATTRIBUTE_OPTIONS: Final = 256  # an index travels as one byte
MAX_STRATA: Final = 1024
#: The most answers times reports of all questions with a delta: a device takes seconds for these.
MAX_DELTA_CELLS: Final = 1 << 24
MAX_TEXT: Final = 2000
MAX_SHORT: Final = 40
MAX_LATE_DAYS: Final = 365
MAX_ID: Final = 64

NO, YES = 0, 1

#: Two answers, and an option for not answering.
_FEWEST_WITH_REFUSAL: Final = 3

_MAY_BE_LEFT_OUT: Final = ("late_days", "same_meaning", "shown", "waves")

#: The public attribute that says which wave a report is for; its options are "1", "2" and so on.
WAVE: Final = "wave"

#: What a survey's own title and purpose are called where ids stand; ids hold no colon.
TITLE: Final = "survey:title"
PURPOSE: Final = "survey:purpose"

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_MEANING = re.compile(rf"{_ID.pattern}(\.{_ID.pattern})?|{TITLE}|{PURPOSE}")
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id: of a survey, a question, an option."""
    return _ID.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Publisher:
    """Who asks: a name, the 32-byte Ed25519 key that signs, and where to write."""

    name: str
    key: bytes
    contact: str


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a choice or of a public attribute: its id and its label by language."""

    id: str
    label: Text


@dataclass(frozen=True, slots=True)
class Question:
    """A question whose answer is randomized on the device.

    Where no ``domain`` is given the answers are the ``options``, or yes and no if there are none.
    ``topic`` is what a device answers once for life; two wordings of the same question share it.

    ``refusal`` says what becomes of it if a respondent would rather not answer. ``"silent"``:
    nothing is sent, and in manifests that do not say. ``"randomized"``: the last option stands for
    it, and goes through the coins like any other.

    ``unit`` says what a number counts, by language, such as hours; None where nobody says.

    ``short`` names the question in a row of results; None, and in manifests that do not say: its
    text does. Respondents are not shown it.
    """

    id: str
    topic: str
    text: Text
    options: tuple[Option, ...]
    mechanism: Mechanism
    domain: Domain = YesNo()  # noqa: RUF009 - a frozen value
    refusal: Refusal = "silent"
    unit: Text | None = None
    short: Text | None = None

    def __post_init__(self) -> None:
        if not self.domain or not self.domain.field:  # the options say it all
            ids = tuple(option.id for option in self.options)
            object.__setattr__(self, "domain", of_options(ids))

    @property
    def kind(self) -> str:
        """The name of its kind: the server's part of it is found by this."""
        return self.domain.kind

    @property
    def is_yes_no(self) -> bool:
        """Whether the answers are no and yes."""
        return self.domain.is_yes_no

    @property
    def answer_ids(self) -> tuple[str, ...]:
        """The ids of the options; ``("no", "yes")`` for yes/no; none for numbers and texts."""
        return self.domain.answer_ids

    def place(self, answer: object) -> Place:
        """Return where a true answer lies among the possible ones.

        Raises
        ------
        AnswerError
            If the answer is none of this question, look-alikes included. The message does not
            show it.
        """
        place = self.domain.place(answer)
        if place is None:
            raise AnswerError(f"question {self.id!r} takes {self.domain.takes}, and nothing else")
        return place

    def perturb(self, place: Place, coins: Coins) -> int:
        """Return the randomized report for the answer at a place that `place` returned."""
        return self.mechanism.perturb(self._answer(place, coins), coins)

    def keep(self, place: Place, coins: Coins) -> int:
        """Return what a device keeps of the answer at a place, to report it wave after wave."""
        return self.mechanism.memory.perturb(self._answer(place, coins), coins)

    def through(self, memo: int, place: Place, coins: Coins) -> int:
        """Return the report of a wave for the answer at a place, through a device's memo."""
        mechanism = self.mechanism
        if not mechanism.has_memo:  # before a coin decides on which side of a step a number falls
            raise TypeError(f"{mechanism.name} has no memo")
        return mechanism.through(memo, self._answer(place, coins), coins)

    def _answer(self, place: Place, coins: Coins) -> int:
        """Return the index of an answer that mechanisms take."""
        return self.domain.index(place, self.mechanism, coins)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A public attribute, such as a region: sent as it is, not randomized, and labelled so."""

    id: str
    text: Text
    options: tuple[Option, ...]

    def index(self, value: object) -> int:
        """Return the index of the option with this id.

        Raises
        ------
        AnswerError
            If the value is not exactly the id of an option, as a ``str``.
        """
        ids = [option.id for option in self.options]
        if type(value) is str and value in ids:
            return ids.index(value)
        raise AnswerError(f"attribute {self.id!r} takes one of {', '.join(ids)}, as a str")


@dataclass(frozen=True)
class Survey:
    """A survey as its publisher signed it.

    Attributes
    ----------
    id, version, previous
        The survey's id; its version, from 1; the SHA-256 of the version before (None for 1).
    linkage
        ``"none"``: each answer travels as its own report with its own id. ``"joint"``: the
        answers of one respondent travel together, so that tables and regressions are possible.
    minimum_batch
        No estimate is shown for fewer reports than this.
    opens, closes
        First day and last day on which answers are given (UTC); None: no such day. A device
        tosses for no answer outside of them, and the server counts no report before them.
    late_days
        For how many days after the last one the server still counts what devices tossed in time
        and could not send; 0 for none, and in manifests that do not say.
    results
        ``"public"`` or ``"private"``: whether estimates are shown without an API key.
    shown
        When public estimates are: ``"live"``, ``"daily"`` (of whole days, up to yesterday), or
        ``"closed"``, once no report is counted any more. A device that saw a version which shows
        them later tosses nothing for one that shows them sooner before a preview has said so.
    waves
        When the questions are asked again; None for a survey that asks once. With waves the
        last public attribute is ``wave``, which the device fills in.
    same_meaning
        What has other words than in an earlier version and means the same, which its publisher
        signs: ids of questions and attributes, ``id.option`` for their options, `TITLE` and
        `PURPOSE`, sorted. A device need not look at it: it changes nothing that is sent.
    """

    id: str
    version: int
    previous: str | None
    publisher: Publisher
    title: Text
    purpose: Text
    languages: tuple[str, ...]
    questions: tuple[Question, ...]
    attributes: tuple[Attribute, ...]
    linkage: Linkage
    minimum_batch: int
    opens: date | None
    closes: date | None
    retention_days: int
    results: Literal["public", "private"]
    waves: "Waves | None" = None
    late_days: int = 0
    same_meaning: tuple[str, ...] = ()
    shown: Shown = "live"

    def __post_init__(self) -> None:
        _check(self)

    @property
    def odds(self) -> Fraction:
        """The exact odds of all that answering everything may send: the product of `cost`."""
        return compose(self.cost(question) for question in self.questions)

    def cost(self, question: Question) -> Fraction:
        """Return the exact odds of all that is ever sent about a question, over all waves."""
        return self.odds_a_toss(question) ** self.tosses

    def odds_a_toss(self, question: Question) -> Fraction:
        """Return the exact odds of what is tossed for an answer once."""
        return self._odds[question.id]

    @cached_property
    def _odds(self) -> Mapping[str, Fraction]:
        """The odds of a toss by question: a process that answers for many works them out once."""
        return {question.id: self.tossed(question).odds for question in self.questions}

    def chance(self, question: Question) -> Fraction:
        """Return the chance for which these odds are not promised, over all waves."""
        return self.tossed(question).delta * self.tosses

    def tossed(self, question: Question) -> Mechanism:
        """Return what a device tosses for an answer: a ledger is charged its odds and its delta."""
        return self.waves.tossed(question.mechanism) if self.waves else question.mechanism

    @property
    def tosses(self) -> int:
        """How often a device may toss for a question, over all waves."""
        return self.waves.tosses if self.waves else 1

    @property
    def counts_until(self) -> date | None:
        """The last day on which the server counts what was tossed in time; None if none is."""
        if self.closes is None:
            return None
        return self.closes + min(timedelta(self.late_days), date.max - self.closes)

    def days_since_close(self, day: date) -> int:
        """Return how many days a day is after the last one; 0 up to it, or if there is none."""
        return max(0, (day - self.closes).days) if self.closes else 0

    def days_until_open(self, day: date) -> int:
        """Return how many days a day is before the first one; 0 from it on, or if none is."""
        return max(0, (self.opens - day).days) if self.opens else 0

    @property
    def asked_attributes(self) -> tuple[Attribute, ...]:
        """The public attributes that a respondent is asked for: all but the wave."""
        return self.attributes[:-1] if self.waves else self.attributes

    @cached_property
    def delta(self) -> Fraction:
        """The exact chance for which these odds are not promised: the sum over all questions.

        0 where no mechanism has a delta (sequential composition: Dwork and Roth 2014, theorem
        3.16).
        """
        return sum((self.chance(question) for question in self.questions), start=Fraction(0))

    def question(self, question_id: str) -> Question:
        """Return the question with this id.

        Raises
        ------
        ManifestError
            If there is none.
        """
        for question in self.questions:
            if question.id == question_id:
                return question
        raise ManifestError(f"survey {self.id!r} has no question {question_id!r}")

    @cached_property
    def payload(self) -> bytes:
        """The manifest as bytes, ready to sign. Fields stand in a fixed order."""
        return strict_json.dumps(_to_json(self))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the payload, 64 hex digits: the name of this manifest everywhere."""
        return sha256(self.payload).hexdigest()

    @classmethod
    def parse(cls, payload: bytes) -> "Survey":
        """Return the survey of a manifest's payload bytes.

        Raises
        ------
        ManifestError
            If the bytes are not exactly what `payload` would write for some survey: malformed,
            of an unknown version, with unknown fields, or inconsistent.
        """
        survey = cls.read(payload)
        if survey.payload != payload:
            # One survey, one byte string: what is parsed is what was signed, field by field.
            raise ManifestError(
                "the manifest is not written in its one form, or claims another cost"
            )
        return survey

    @classmethod
    def read(cls, payload: bytes) -> "Survey":
        """Return the survey of payload bytes, whatever they claim that it costs.

        It serves to check the claim; everything that follows a manifest uses `parse`.

        Raises
        ------
        ManifestError
            If the bytes are no manifest, of an unknown version, or inconsistent.
        """
        try:
            return _from_json(strict_json.loads(payload, MAX_PAYLOAD_BYTES))
        except (WireError, MechanismError) as error:
            raise ManifestError(f"the manifest is refused: {error}") from error


def _to_json(survey: Survey) -> dict[str, object]:
    return {
        "v": MANIFEST_VERSION,
        "survey": survey.id,
        "version": survey.version,
        "previous": survey.previous,
        "publisher": {
            "name": survey.publisher.name,
            "key": b64url(survey.publisher.key),
            "contact": survey.publisher.contact,
        },
        "title": dict(survey.title),
        "purpose": dict(survey.purpose),
        "languages": list(survey.languages),
        "questions": [_question_to_json(question) for question in survey.questions],
        "attributes": [
            {"id": a.id, "text": dict(a.text), "options": _options_to_json(a.options)}
            for a in survey.attributes
        ],
        "linkage": survey.linkage,
        "odds": in_full(survey.odds),
        "epsilon": str(epsilon(survey.odds)),
        "delta": in_full(survey.delta),
        "minimum_batch": survey.minimum_batch,
        "opens": survey.opens and survey.opens.isoformat(),
        "closes": survey.closes and survey.closes.isoformat(),
        **({"late_days": survey.late_days} if survey.late_days else {}),
        "retention_days": survey.retention_days,
        "results": survey.results,
        **({"shown": survey.shown} if survey.shown != "live" else {}),
        **({"waves": survey.waves.to_json()} if survey.waves else {}),
        **({"same_meaning": list(survey.same_meaning)} if survey.same_meaning else {}),
        "requires": _required(survey.waves),
    }


def _required(waves: object) -> list[str]:
    """Return what a device must understand, or else refuse the manifest."""
    return ["waves"] if waves else []


def _question_to_json(question: Question) -> dict[str, object]:
    return {
        "id": question.id,
        "topic": question.topic,
        "text": dict(question.text),
        **({"short": dict(question.short)} if question.short else {}),
        **_answers_to_json(question),
        **({"unit": dict(question.unit)} if question.unit else {}),
        **({"refusal": question.refusal} if question.refusal != "silent" else {}),
        "mechanism": question.mechanism.spec(),
    }


def _answers_to_json(question: Question) -> dict[str, object]:
    """Return ``options`` where there are any or nothing else, then the domain under its key."""
    domain = question.domain
    options: dict[str, object] = {"options": _options_to_json(question.options)}
    if not domain.field:
        return options
    return (options if question.options else {}) | {domain.field: domain.to_json()}


def _options_to_json(options: Iterable[Option]) -> list[dict[str, object]]:
    return [{"id": option.id, "label": dict(option.label)} for option in options]


def _from_json(value: object) -> Survey:
    match value:
        case {"v": int(version)} if version != MANIFEST_VERSION:
            raise WireError(f"manifest version {version} is unknown; upgrade tossup")
    fields_ = _object(
        value,
        "the manifest",
        "v survey version previous publisher title purpose languages questions attributes linkage"
        " odds epsilon delta minimum_batch opens closes retention_days results requires"
        + "".join(
            f" {name}" for name in _MAY_BE_LEFT_OUT if isinstance(value, dict) and name in value
        ),
    )
    if fields_["requires"] != _required(fields_.get("waves")):
        raise WireError("the manifest requires something this version does not know; upgrade")
    return Survey(
        id=_string(fields_["survey"], "survey"),
        version=_integer(fields_["version"], "version"),
        previous=None if fields_["previous"] is None else _string(fields_["previous"], "previous"),
        publisher=_publisher(fields_["publisher"]),
        title=_text(fields_["title"], "title"),
        purpose=_text(fields_["purpose"], "purpose"),
        languages=tuple(_string(tag, "languages") for tag in _list(fields_["languages"])),
        questions=tuple(_question(question) for question in _list(fields_["questions"])),
        attributes=tuple(_attribute(attribute) for attribute in _list(fields_["attributes"])),
        linkage=_one_of(fields_["linkage"], "linkage", "none", "joint"),  # type: ignore[arg-type]
        minimum_batch=_integer(fields_["minimum_batch"], "minimum_batch"),
        opens=_day(fields_["opens"], "opens"),
        closes=_day(fields_["closes"], "closes"),
        retention_days=_integer(fields_["retention_days"], "retention_days"),
        results=_one_of(fields_["results"], "results", "public", "private"),  # type: ignore[arg-type]
        waves=_waves(fields_["waves"]) if "waves" in fields_ else None,
        late_days=_integer(fields_.get("late_days", 0), "late_days"),
        same_meaning=tuple(
            _string(name, "same_meaning") for name in _list(fields_.get("same_meaning", []))
        ),
        shown=_shown(fields_),
    )


def _shown(fields_: Mapping[str, object]) -> Shown:
    if "shown" not in fields_:
        return "live"
    return _one_of(fields_["shown"], "shown", "daily", "closed")  # type: ignore[return-value]


def _waves(value: object) -> "Waves":
    from tossup.shared.waves import Waves

    return Waves.from_json(value)


def _publisher(value: object) -> Publisher:
    parts = _object(value, "publisher", "name key contact")
    return Publisher(
        name=_string(parts["name"], "publisher.name"),
        key=unb64url(_string(parts["key"], "publisher.key")),
        contact=_string(parts["contact"], "publisher.contact"),
    )


def _question(value: object) -> Question:
    kinds = _kinds(value)
    stated = value if isinstance(value, dict) else {}
    more = [name for name in ("short", "unit", "refusal") if name in stated]
    parts = _object(value, "a question", " ".join(("id topic text", *kinds, *more, "mechanism")))
    options = _options(parts["options"]) if "options" in kinds else ()
    ids = tuple(option.id for option in options)
    domains = [FROM_JSON[kind](parts[kind], ids) for kind in kinds if kind != "options"]
    domain = domains[0] if domains else of_options(ids)
    mechanism = parts["mechanism"]
    if not isinstance(mechanism, dict):
        raise WireError("a question's mechanism must be an object")
    return Question(
        id=_string(parts["id"], "question.id"),
        topic=_string(parts["topic"], "question.topic"),
        text=_text(parts["text"], "question.text"),
        options=options,
        mechanism=from_spec(mechanism, answers=domain.answers),
        domain=domain,
        refusal=_one_of(parts.get("refusal", "silent"), "refusal", "silent", "randomized"),  # type: ignore[arg-type]
        unit=_text(parts["unit"], "question.unit") if "unit" in parts else None,
        short=_text(parts["short"], "question.short") if "short" in parts else None,
    )


def _kinds(value: object) -> list[str]:
    """Return the fields that say what a question's answers are: options, a domain, or both."""
    known = ("options", *FROM_JSON)
    found = [kind for kind in known if isinstance(value, dict) and kind in value] or ["options"]
    if len(found) > 1 + ("options" in found):
        raise WireError(f"a question has one of {', '.join(FROM_JSON)}, or none")
    return found


def _attribute(value: object) -> Attribute:
    parts = _object(value, "an attribute", "id text options")
    return Attribute(
        id=_string(parts["id"], "attribute.id"),
        text=_text(parts["text"], "attribute.text"),
        options=_options(parts["options"]),
    )


def _options(value: object) -> tuple[Option, ...]:
    parts = [_object(option, "an option", "id label") for option in _list(value)]
    return tuple(
        Option(_string(part["id"], "option.id"), _text(part["label"], "option.label"))
        for part in parts
    )


def _object(value: object, what: str, names: str) -> dict[str, object]:
    expected = names.split()
    if not isinstance(value, dict) or set(value) != set(expected):
        raise WireError(f"{what} must be an object with exactly the fields {', '.join(expected)}")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise WireError("a list was expected in the manifest")
    return value


def _string(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise WireError(f"{what} must be a string")
    return value


def _integer(value: object, what: str) -> int:
    if type(value) is not int:
        raise WireError(f"{what} must be an integer")
    return value


def _one_of(value: object, what: str, *allowed: str) -> str:
    if value not in allowed:
        raise WireError(f"{what} must be one of {', '.join(allowed)}")
    return str(value)


def _day(value: object, what: str) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(_string(value, what))
    except ValueError as error:
        raise WireError(f"{what} must be a day, YYYY-MM-DD") from error


def _text(value: object, what: str) -> Text:
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise WireError(f"{what} must map languages to texts")
    return value


def _check(survey: Survey) -> None:
    """Refuse a survey whose parts do not fit together."""
    _check_ids([survey.id], "survey id")
    _check_ids([question.id for question in survey.questions], "question ids")
    _check_ids([question.topic for question in survey.questions], "topics")
    _check_ids([attribute.id for attribute in survey.attributes], "attribute ids")
    names = [question.id for question in survey.questions]
    names += [attribute.id for attribute in survey.attributes]
    if len(set(names)) != len(names):
        raise ManifestError("a question and an attribute share an id")
    _check_numbers(survey)
    _check_questions(survey)
    _check_waves(survey)
    if survey.delta >= 1:
        raise ManifestError("the deltas of all questions sum to 1 or more: nothing is promised")
    _check_texts(survey)
    _check_same_meaning(survey)
    if survey.shown != "live" and survey.results != "public":
        raise ManifestError("shown says when public results are; these are private: leave it out")


def _check_same_meaning(survey: Survey) -> None:
    names = survey.same_meaning
    if names and survey.previous is None:
        raise ManifestError("the first version has nothing before it to mean the same as")
    if not all(_MEANING.fullmatch(name) for name in names) or sorted(set(names)) != [*names]:
        raise ManifestError("same_meaning must name ids, id.option or the survey's texts, sorted")


def _check_waves(survey: Survey) -> None:
    """Refuse waves that the attributes do not tell, or that would mark a device."""
    places = [p for p, attribute in enumerate(survey.attributes) if attribute.id == WAVE]
    if survey.waves is None:
        if places:
            raise ManifestError(f"only a survey with waves has an attribute called {WAVE!r}")
        return
    last = survey.attributes[-1] if survey.attributes else None
    if last is None or places != [len(survey.attributes) - 1]:
        raise ManifestError(f"with waves the last attribute is {WAVE!r}")
    if tuple(option.id for option in last.options) != survey.waves.options:
        raise ManifestError(f"the options of attribute {WAVE!r} are the waves, 1, 2 and so on")
    if survey.waves.are_permanent and survey.linkage == "joint":
        raise ManifestError(
            "with linkage joint the same answers together, wave after wave, would mark a device;"
            " use linkage none, or give waves.times"
        )
    memos = [q for q in survey.questions if q.mechanism.has_memo]
    if memos and survey.linkage == "joint":
        raise ManifestError(
            f"{memos[0].mechanism.name} keeps coins for all waves; with linkage joint those of all"
            " questions together would mark a device: use linkage none"
        )
    for question in survey.questions:
        survey.waves.check(question.mechanism)


def _check_ids(ids: list[str], what: str) -> None:
    if not all(map(is_id, ids)):
        raise ManifestError(f"{what} must be 1 to 64 of a-z, 0-9, _ and -, starting with no sign")
    if len(set(ids)) != len(ids):
        raise ManifestError(f"{what} must differ")


def _check_numbers(survey: Survey) -> None:
    previous = survey.previous
    if not 1 <= survey.version <= 10**6 or (survey.version == 1) != (previous is None):
        raise ManifestError("version counts from 1; previous is null for version 1 only")
    if previous is not None and not _SHA256.fullmatch(previous):
        raise ManifestError("previous must be the SHA-256 of the version before, 64 hex digits")
    if len(survey.publisher.key) != 32:
        raise ManifestError("the publisher's key must be the 32 bytes of an Ed25519 public key")
    if not 1 <= survey.minimum_batch <= 10**9:
        raise ManifestError("minimum_batch must be from 1 to 10**9")
    if not 1 <= survey.retention_days <= 36_500:
        raise ManifestError("retention_days must be from 1 to 36500")
    if survey.opens and survey.closes and survey.opens > survey.closes:
        raise ManifestError("opens must not be after closes")
    if not 0 <= survey.late_days <= MAX_LATE_DAYS:
        raise ManifestError(f"late_days must be from 0 to {MAX_LATE_DAYS}")
    if survey.late_days and survey.closes is None:
        raise ManifestError("late_days are counted from closes; give the last day, too")


def _check_questions(survey: Survey) -> None:
    if not 1 <= len(survey.questions) <= MAX_QUESTIONS:
        raise ManifestError(f"a survey has 1 to {MAX_QUESTIONS} questions")
    parts: tuple[Question | Attribute, ...] = (*survey.questions, *survey.attributes)
    for part in parts:
        _check_ids([option.id for option in part.options], f"option ids of {part.id!r}")
        if _offers_too_few(part):
            raise ManifestError(f"{part.id!r} must offer at least two options")
        most = MAX_OPTIONS if isinstance(part, Question) else MAX_ATTRIBUTE_OPTIONS
        if len(part.options) > most:
            raise ManifestError(f"{part.id!r} offers more than {most} options")
    for question in survey.questions:
        _check_answers(question)
    if sum(question.mechanism.delta_cells for question in survey.questions) > MAX_DELTA_CELLS:
        raise ManifestError(
            "the questions with a delta have too many answers and reports for a device to find it;"
            " take coarser grids or smaller margins"
        )
    if prod(len(attribute.options) for attribute in survey.attributes) > MAX_STRATA:
        raise ManifestError(f"the attributes' options multiply to more than {MAX_STRATA} groups")


def _offers_too_few(part: Question | Attribute) -> bool:
    """Return whether there is nothing to choose between."""
    if isinstance(part, Attribute):
        return len(part.options) < 2
    return 0 < len(part.options) < part.domain.fewest_options


def _check_answers(question: Question) -> None:
    """Refuse a mechanism for other answers, and options that the answers are not made of."""
    domain, mechanism = question.domain, question.mechanism
    if not domain.fits(mechanism) or mechanism.answers != domain.answers:
        raise ManifestError(f"{question.id!r}: {mechanism.name} is not for its answers")
    if domain.options != tuple(option.id for option in question.options):
        raise ManifestError(f"{question.id!r} has options that its answers are not made of")
    if question.refusal == "randomized" and len(domain.options) < _FEWEST_WITH_REFUSAL:
        raise ManifestError(
            f"{question.id!r}: with refusal randomized the last of at least three options stands"
            " for not answering"
        )
    if question.refusal == "randomized" and not domain.may_offer_refusal:
        raise ManifestError(f"{question.id!r}: only a choice has an option for not answering")
    if question.unit is not None and not domain.may_have_unit:
        raise ManifestError(f"{question.id!r}: only a number has a unit")


def _check_texts(survey: Survey) -> None:
    languages = survey.languages
    if not languages or len(set(languages)) != len(languages):
        raise ManifestError("languages must name at least one language, each once")
    if not all(_LANGUAGE.fullmatch(tag) for tag in languages):
        raise ManifestError("languages must be tags such as en or zh-Hans")
    parts: tuple[Question | Attribute, ...] = (*survey.questions, *survey.attributes)
    texts = [("title", survey.title), ("purpose", survey.purpose)]
    texts += [(f"the text of {part.id!r}", part.text) for part in parts]
    texts += [(f"the unit of {q.id!r}", q.unit) for q in survey.questions if q.unit is not None]
    texts += [
        (f"a label of {part.id!r} ({option.id})", option.label)
        for part in parts
        for option in part.options
    ]
    texts += [(f"the short of {q.id!r}", q.short) for q in survey.questions if q.short is not None]
    for place, text in texts:
        if tuple(text) != languages:
            raise ManifestError(f"{place} must be given in {', '.join(languages)}, in that order")
    whole = [(place, word) for place, text in texts for word in text.values()]
    whole += [("publisher's name", survey.publisher.name), ("contact", survey.publisher.contact)]
    for place, word in whole:
        most = MAX_SHORT if place.startswith("the short of") else MAX_TEXT
        rule = f"{place} must have 1 to {most} printable characters"
        if not 0 < len(word) <= most:
            raise ManifestError(f"{rule}, not {len(word)}")
        if not word.isprintable():  # nearly all texts are, and need no look at each character
            from tossup.shared.wording import fault

            wrong = fault(word, lines=place == "purpose" or place.startswith("the text of"))
            if wrong:
                raise ManifestError(f"{rule}, and {wrong}")
