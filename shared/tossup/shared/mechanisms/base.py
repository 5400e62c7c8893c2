"""What every mechanism is: an exact channel from answers to reports, and a sampler of it.

Most have odds of two weights, or a small table: both families stand here, for a device loads them.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import Field, fields
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, NamedTuple, NoReturn, Self, get_args

from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, MechanismError
from tossup.shared.odds import largest_odds

#: ``report``: one of many is sent, and each may be, whatever the answer is. ``answers``: every
#: answer sends every other with its chance; ``scores``: so, and nearer ones are likelier.
#: ``option``: an option is named or not. ``ticks``: so is each that is asked. ``cards``: so many
#: are red. ``ranks``: an option is sent by its rank. ``statements``: one of two is told of.
Sentence = Literal["report", "answers", "scores", "option", "ticks", "cards", "ranks", "statements"]


class Stated(NamedTuple):
    """What a mechanism says of its reports, in exact chances: the facts of one sentence.

    The module that shows it has the words, in any language, by the name of the sentence. A named
    tuple, since every device imports it and a dataclass takes six times as long to make.

    Attributes
    ----------
    sentence
        Which one.
    chances
        ``chances[answer][report]``; of ``option`` and ``ticks`` those of one option: rows "not the
        answer" and "the answer", columns "not named" and "named".
    rates
        The few chances that the sentence names by themselves. Of ``cards``: a red one if no and
        if yes. Of ``ranks``: that of each rank, the best first. Of ``statements``: about the one
        that was drawn, about the other, a forced yes.
    numbers
        ``cards`` that are drawn; ``options`` that there are, may be ticked at ``most``, and are
        ``asked``.
    names_several
        Whether a report may name several options, or none.
    """

    sentence: Sentence
    chances: tuple[tuple[Fraction, ...], ...] = ()
    rates: tuple[Fraction, ...] = ()
    numbers: Mapping[str, int] = MappingProxyType({})
    names_several: bool = False


Table = tuple[tuple[int, ...], ...]
Channel = tuple[tuple[Fraction, ...], ...]

#: What a mechanism takes: no and yes or the options of a choice, or the answers of a domain.
AnswerKind = Literal["choice", "number", "ranking", "several", "text", "vector"]
#: How what lies between two answers becomes one of them before the toss.
Rounding = Literal["random", "nearest"]

#: What a tally tells, and how it is read: see `Mechanism.readout`.
Readout = Literal["named", "points", "asked", "cards", "scores", "samples", "vector", "text"]
#: How reports are told apart and counted: see `Mechanism.counting`.
Counting = Literal[
    "values",
    "coins",
    "kept bits",
    "decay",
    "orders",
    "sets",
    "bits",
    "blocks",
    "hadamard",
    "projective",
    "hashes",
    "bit an option",
    "sampled options",
    "digits",
    "slots",
]

#: What a key of a survey file holds: a number exactly as written or a list of such, an integer, or
#: what the mechanism reads itself.
KeyForm = Literal["ratio", "ratios", "integer", "any"]

_SHOWN_ANSWERS: Final = 32


class Mechanism(ABC):
    """A finite local mechanism: answers 0, ..., k - 1 in, reports out.

    Subclasses are frozen values that refuse parameters outside of the bounds they state
    (`MechanismError`). They give an exact `probability` and a sampler, `_sample`, and tests prove
    that one follows the other. Most are a `TableMechanism` or a `FrequencyOracle`.

    Attributes
    ----------
    answer_kind
        What it takes: ``"choice"`` for no and yes or one of some options; other kinds are for
        questions with a `tossup.shared.kinds.base.Domain`.
    rounding
        How an answer between two of these becomes one before the toss: ``"random"`` keeps the
        mean unbiased (up with the probability of the distance from the lower one, at the cost of
        at most a quarter of a squared step of variance), ``"nearest"`` keeps the order.
    in_manifests
        Keys of a manifest to fields, where they are not all fields under their own names.
    not_in_manifests
        Fields that the number of answers tells: see `told_by`.
    in_files
        What survey files call it, where that is not the stem of its name.
    questions
        Kinds of question of which survey files may name it, where these are not `answer_kind`.
    in_auto
        Whether ``mechanism = "auto"`` compares it with others; of equals the first that is
        registered is taken.
    keys
        What a question of a survey file may give for it alone, beside odds or an epsilon, and in
        which form.
    takes_delta
        Whether its odds may fail for a chance that its author chooses.
    takes_most
        Whether it is for several options, of which its author says how many one may tick.
    has_table
        Whether its whole channel is a small table of integers: see `TableMechanism`.
    has_memo
        Whether a device keeps coins for answers that change: see `MemoMechanism`.
    readout
        How a tally is read. ``"named"``: a report names some answers, each with a chance that is
        linear in its share, and ``"points"``: in its mean points over orders; ``"asked"``: so do
        the reports that ask it; ``"cards"``: the number that is reported is linear in the share
        of yes; ``"scores"``: a report counts for every answer, by the inverse of the channel;
        ``"samples"``: the rates of two samples are linear in two shares; ``"vector"``: sums of
        digits are in the means of components; ``"text"``: the shares of all texts that hash alike.
    counting
        How reports are told apart and counted, by the name of the array code that does so.
    names_each
        Whether `naming_chances` is the channel of each option by itself, the same for all.
    in_browsers
        Whether the browser SDK has its coins; the others are for programs.
    most_reports
        With a memo, of how many reports of one device the odds are worked out.
    example_fields
        The fields of each of its `examples`.
    weight_limit
        What weights of an epsilon asked sum to at most, so that reports of many bits have room.
    """

    name: ClassVar[str]
    answer_kind: ClassVar[AnswerKind] = "choice"
    rounding: ClassVar[Rounding] = "random"
    in_manifests: ClassVar[Mapping[str, str]] = {}
    not_in_manifests: ClassVar[Collection[str]] = ("options", "points")
    in_files: ClassVar[tuple[str, ...]] = ()
    questions: ClassVar[tuple[str, ...]] = ()
    in_auto: ClassVar[bool] = False
    keys: ClassVar[Mapping[str, KeyForm]] = {}
    takes_delta: ClassVar[bool] = False
    takes_most: ClassVar[bool] = False
    readout: ClassVar[Readout] = "named"
    counting: ClassVar[Counting] = "values"
    names_each: ClassVar[bool] = False
    has_table: ClassVar[bool] = False
    has_memo: ClassVar[bool] = False
    in_browsers: ClassVar[bool] = True
    most_reports: ClassVar[int] = 1
    example_fields: ClassVar[tuple[tuple[Any, ...], ...]] = ()
    weight_limit: ClassVar[int] = 1 << 14

    @property
    @abstractmethod
    def answers(self) -> int:
        """Answers are below this number; it may be huge, and not all below need be possible."""

    @property
    @abstractmethod
    def reports(self) -> int:
        """Reports are below this number; it may be huge, and not all below need be possible."""

    @property
    @abstractmethod
    def counters(self) -> int:
        """Length of a tally: how many numbers are kept of any number of reports."""

    @property
    @abstractmethod
    def odds(self) -> Fraction:
        """The exact guarantee: the largest Pr[y | x] / Pr[y | x'] over reports and answers.

        A report moves anyone's odds between two answers by at most this factor; epsilon = ln(odds)
        (Dwork and Roth 2014, definition 2.4). With a `delta` above 0 it does so but for that
        chance.
        """

    @property
    def delta(self) -> Fraction:
        """The exact chance for which the odds are not promised; 0 for all but a few mechanisms.

        The largest sum, over ordered pairs of answers x and x', of max(0, Pr[y | x] - odds
        Pr[y | x']) over all reports y.
        """
        return Fraction(0)

    @property
    def delta_cells(self) -> int:
        """How many cells of the channel a device goes through to find delta; 0 for most."""
        return 0

    @abstractmethod
    def probability(self, answer: int, report: int) -> Fraction:
        """Return Pr[report | answer], exactly; 0 for what is no report."""

    def in_proportion(
        self, answers: Sequence[int]
    ) -> tuple[Sequence[Sequence[Fraction | int]], int]:
        """Return the probabilities of every report given some answers, and the sum of each row."""
        reports = range(self.reports)
        return [[self.probability(answer, report) for report in reports] for answer in answers], 1

    def reports_counted(self, counts: Sequence[int]) -> int:
        """Return how many reports a tally is of: the sum, where each is counted once."""
        return sum(counts)

    def reports_behind(self, counts: Sequence[int]) -> tuple[int, ...]:
        """Return how many reports an estimate rests on: one number for all, or one an option."""
        return (self.reports_counted(counts),)

    @property
    def share_behind(self) -> Fraction:
        """The part of all reports that an estimate rests on, on average: all, for most."""
        return Fraction(1)

    @abstractmethod
    def _sample(self, answer: int, coins: Coins) -> int:
        """Return a report for a valid answer, without a branch on it."""

    def spec(self) -> dict[str, object]:
        """Return the mechanism as it stands in a manifest (JSON types only).

        The name, then every field but those that the question's answers tell (`told_by`).
        """
        fields = self._spec_fields()
        return {"name": self.name} | {
            key: _to_json(getattr(self, own.name)) for key, own in fields.items()
        }

    @classmethod
    def from_spec(cls, parameters: Mapping[str, object], answers: int) -> Self:
        """Return the mechanism for a manifest's parameters (all keys but ``name``).

        Raises
        ------
        MechanismError
            If they are not exactly those that `spec` writes, or no design has them.
        """
        fields = cls._spec_fields()
        if set(parameters) != set(fields):
            raise MechanismError(f"{cls.name} takes {_listed(fields)} and nothing else")
        for key, own in fields.items():
            if not _has_form(parameters[key], own.type):
                raise MechanismError(f"{key} of {cls.name} must be {_form_of(own.type)}")
        given = {own.name: _to_tuple(parameters[key]) for key, own in fields.items()}
        return cls(**given, **cls.told_by(answers, given))

    @classmethod
    def told_by(cls, answers: int, given: Mapping[str, Any]) -> dict[str, int]:  # noqa: ARG003
        """Return the fields that the number of answers tells, and no manifest repeats.

        Options of a choice and points of a number, unless a kind says otherwise. ``given`` has the
        other fields.
        """
        return {field.name: answers for field in fields(cls) if field.name in {"options", "points"}}  # type: ignore[arg-type]

    @classmethod
    def _spec_fields(cls) -> dict[str, "Field[Any]"]:
        """Return the fields that stand in a manifest, by their keys there."""
        own = {field.name: field for field in fields(cls)}  # type: ignore[arg-type]
        if cls.in_manifests:
            return {key: own[name] for key, name in cls.in_manifests.items()}
        return {name: field for name, field in own.items() if name not in cls.not_in_manifests}

    @property
    def is_summable(self) -> bool:
        """Whether probabilities of reports are ratios of integers that can be given."""
        return True

    def channel(self) -> Channel:
        """Return the exact channel: a row for each answer that there is, by report."""
        return tuple(
            tuple(self.probability(answer, report) for report in range(self.reports))
            for answer in range(self.answers)
            if self.is_answer(answer)
        )

    def naming_chances(self) -> Channel:
        """Return the channel, or where a report may name several options, that of naming one.

        A `TableMechanism` has its channel ``[answer][report]``. Others whose reports name options
        have the channel of each option by itself: rows "not the answer" and "the answer", columns
        "not named" and "named"; of reports that ask the option and answers that tick it, where
        several may be ticked; with rows "ranked last" and "ranked first", where they are ranked.

        Raises
        ------
        MechanismError
            If reports of this mechanism name no options.
        """
        raise MechanismError(f"reports of {self.name} name no options")

    def stated(self) -> Stated:
        """Return what it says of its reports; that any may be sent, unless a kind says more."""
        return Stated("report")

    @property
    def shares(self) -> int:
        """How many shares a tally tells: one an answer, or one an option."""
        return self.answers

    def score(self, report: int, answer: int) -> Fraction:  # noqa: ARG002
        """Return what a report counts for in the share of an answer, exactly.

        The average score of all reports estimates the share without bias: given an answer, the
        mean score for it is 1, and 0 for every other. Where several options may be ticked it is
        so for each option by itself, and where options are ranked the mean is its points.

        Raises
        ------
        MechanismError
            If a report has no such score by itself.
        """
        raise MechanismError(f"no report of {self.name} counts for a share by itself")

    def variance_at(self, share: Fraction) -> Fraction:  # noqa: ARG002
        """Return n times the variance of an estimated share, where the share is this one.

        Over respondents, who are a random sample, and coins; the largest, where it depends on more
        than the share.

        Raises
        ------
        MechanismError
            If it has no closed form.
        """
        raise MechanismError(f"the variance of a share by {self.name} has no closed form")

    @property
    def is_large(self) -> bool:
        """Whether `naming_chances` has too many cells to be shown: above 32 answers."""
        return False

    def chances_to_show(self) -> Channel:
        """Return `naming_chances`, or where that is large, the channel of one option by itself."""
        return self.naming_chances()

    @classmethod
    def spec_keys(cls) -> tuple[str, ...]:
        """Return the keys of `spec` beside the name."""
        return tuple(cls._spec_fields())

    @classmethod
    def answers_of(cls, options: int) -> int:
        """Return how many answers are made of so many options; each is one, unless a kind says."""
        return options

    @classmethod
    def why_not(cls, options: int) -> str:  # noqa: ARG003
        """Return the one thing that it is for, where other odds or sizes were asked, or nothing."""
        return ""

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return small, typical and extreme designs; vectors and sweeps are made from them.

        They are the designs of its vector file, in that order: new ones are added at the end.
        """
        return tuple(cls(*given) for given in cls.example_fields)

    @classmethod
    def from_odds(cls, odds: Fraction, answers: int) -> Self:  # noqa: ARG003
        """Return the best design of this kind whose odds never exceed these.

        Parameters
        ----------
        odds
            What one report may cost, above 1.
        answers
            Options, of a choice or to be ticked or ranked; points of a number.

        Raises
        ------
        MechanismError
            If there is none, or odds alone do not say which.
        """
        raise MechanismError(f"{cls.name} is not made from odds for {answers} answers alone")

    @classmethod
    def from_file(cls, part: Mapping[str, Any], odds: Fraction, answers: int) -> Self:
        """Return the design that a question of a survey file asks for.

        Parameters
        ----------
        part
            The question's table, its values read: ``mechanism`` is the name by which it asks for
            this, and beside it are `keys` and maybe ``weights``. It also has what else its
            answers are: of several options ``most`` that may be ticked, of a vector its
            ``radius`` and its ``components``, of a text its ``characters`` and ``longest``.
        odds, answers
            As in `from_odds`; 3 where the file asks for none.

        Raises
        ------
        MechanismError
            If what it asks for does not go together, or there is no such design.
        """
        if "weights" in part:
            raise MechanismError(
                f"mechanism {part['mechanism']} takes odds or epsilon; its weights follow"
            )
        return cls.from_odds(odds, answers)

    @classmethod
    def odds_within(cls, epsilon: Decimal, answers: int, part: Mapping[str, Any]) -> Fraction:  # noqa: ARG003
        """Return the largest odds up to e**epsilon that its integers leave room for.

        ``answers`` and ``part`` are as in `from_file`.

        Raises
        ------
        MechanismError
            If there are none.
        """
        return largest_odds(epsilon, limit=cls.weight_limit)

    @property
    def memory(self) -> "Mechanism":
        """What a device keeps where a question is asked in waves: by default the report itself.

        All reports are made from what is kept by `again`, whatever the answer was, so that together
        they have at most the odds of this mechanism.
        """
        return self

    @property
    def keeps_answer(self) -> bool:
        """Whether `memory` is another mechanism than this: a device keeps what that gives."""
        return self.memory != self

    def again(self, kept: int, coins: Coins) -> int:  # noqa: ARG002 - a second stage tosses
        """Return the report of a wave from what `memory` gave; by default that itself."""
        return kept

    def odds_of(self, reports: int) -> Fraction:  # noqa: ARG002
        """Return the exact odds of this many reports of one device, without what it keeps."""
        return self.odds

    @property
    def given_memo(self) -> "Mechanism":
        """What a report is to someone who has the memo, whichever it is; itself without one."""
        return self

    def memo(self, coins: Coins) -> int:  # noqa: ARG002
        """Toss the memo of a device, for a `MemoMechanism`."""
        self._refuse_memo()

    def through(self, memo: int, answer: int, coins: Coins) -> int:  # noqa: ARG002
        """Return the report of a wave through a memo, for a `MemoMechanism`."""
        self._refuse_memo()

    def odds_if_steady(self, reports: int) -> Fraction:  # noqa: ARG002
        """Return the odds of reports of an answer that stays, for a `MemoMechanism`."""
        self._refuse_memo()

    def _refuse_memo(self) -> NoReturn:
        raise TypeError(f"{self.name} has no memo")

    def is_answer(self, value: int) -> bool:
        """Return whether this is an answer; all below `answers` are, unless a kind limits them."""
        return 0 <= value < self.answers

    def is_for(self, *sizes: int) -> bool:  # noqa: ARG002
        """Return whether it is for a domain of these sizes, beside its number of answers.

        For a set, how many options there are and may be ticked; for a vector, its entries and
        components; for a text, its characters and length.
        """
        return True

    def is_report(self, value: int) -> bool:
        """Return whether some answer can give this report."""
        return 0 <= value < self.reports

    def perturb(self, answer: int, coins: Coins | None = None) -> int:
        """Return the randomized report for an answer.

        Draws a number of random bytes that depends on the design alone, never on the answer.

        Parameters
        ----------
        answer
            Exactly an ``int`` that `is_answer`: the index of the true answer.
        coins
            A fresh run of coins; the operating system's by default.

        Raises
        ------
        AnswerError
            If the answer is none of these. Nothing has been drawn then.
        """
        self.check_answer(answer)
        return self._sample(answer, Coins() if coins is None else coins)

    def check_answer(self, answer: int) -> None:
        """Refuse what is no answer.

        Raises
        ------
        AnswerError
            If it is not exactly an ``int`` that `is_answer`.
        """
        if type(answer) is not int or not self.is_answer(answer):
            raise AnswerError(
                f"{self.name} takes the index of an answer, an int from 0 to {self.answers - 1}"
            )


class RatioMechanism(Mechanism):
    """A mechanism whose odds are those of two weights, keep / lie.

    They hold exactly, but for a chance where there is a `delta`; noise of vectors may stay below.
    """

    keep: int
    lie: int

    @property
    def odds(self) -> Fraction:
        """Keep over lie."""
        return Fraction(self.keep, self.lie)


class TableMechanism(Mechanism):
    """A mechanism whose whole channel is a small table of integer weights.

    Its tally counts the reports of each value.
    """

    has_table: ClassVar[bool] = True

    def in_proportion(
        self, answers: Sequence[int]
    ) -> tuple[Sequence[Sequence[Fraction | int]], int]:
        """Return the rows of weights of some answers, and their sum."""
        weights = self.weights  # made anew whenever it is asked for
        return [weights[answer] for answer in answers], sum(weights[0])

    @property
    @abstractmethod
    def weights(self) -> Table:
        """Integer weights: ``weights[answer][report]``, every row with the same sum."""

    @property
    def answers(self) -> int:
        """Number of answers: rows of the table."""
        return len(self.weights)

    @property
    def reports(self) -> int:
        """Number of reports: columns of the table."""
        return len(self.weights[0])

    @property
    def counters(self) -> int:
        """One counter a report."""
        return self.reports

    @property
    def with_another(self) -> Fraction:
        """Pr[a report names the answer and another]: 0, where reports are answers."""
        return Fraction(0)

    def probability(self, answer: int, report: int) -> Fraction:
        """Return Pr[report | answer]: the weight over the sum of its row."""
        row = self.weights[answer]
        return Fraction(row[report] if self.is_report(report) else 0, sum(row))

    def channel(self) -> Channel:
        """Return the exact channel: ``channel[answer][report]`` = Pr[report | answer]."""
        weights = self.weights
        total = sum(weights[0])
        return tuple(tuple(Fraction(w, total) for w in row) for row in weights)

    def stated(self) -> Stated:
        """Return the chances of every answer, or where they are many, of one option by itself."""
        sentence: Sentence = "option" if self.is_large else "answers"
        return Stated(sentence, self.chances_to_show())

    def naming_chances(self) -> Channel:
        """Return the channel."""
        return self.channel()

    @property
    def is_large(self) -> bool:
        """Whether there are more than 32 answers."""
        return self.answers > _SHOWN_ANSWERS

    def chances_to_show(self) -> Channel:
        """Return the channel, or where it is large, that of one option by itself.

        >>> from tossup.shared.mechanisms import KaryRandomizedResponse
        >>> KaryRandomizedResponse(256).chances_to_show()[1]
        (Fraction(85, 86), Fraction(1, 86))
        """
        if not self.is_large:
            return self.channel()
        # A large table is that of a k-ary mechanism, in which all options are alike.
        return named_by(self.probability(1, 0), self.probability(0, 0))

    def score(self, report: int, answer: int) -> Fraction:
        """Return (1 - q) / (p - q) for the report that names the answer, -q / (p - q) for others.

        Raises
        ------
        MechanismError
            If the report is not equally likely under all other answers.
        """
        return score_by(report == answer, *self._rates_of(answer))

    def variance_at(self, share: Fraction) -> Fraction:
        """Return y (1 - y) / (p - q)**2, y being how likely the last answer is named."""
        return binomial_variance(share, *self._rates_of(self.answers - 1))

    def _rates_of(self, answer: int) -> tuple[Fraction, Fraction]:
        """Return how likely an answer is named by reports of others, and by its own."""
        others = {row[answer] for other, row in enumerate(self.weights) if other != answer}
        if self.reports != self.answers or len(others) != 1:
            raise MechanismError(
                f"report {answer} of {self.name} is not equally likely under all other answers,"
                " so its count alone does not tell the share"
            )
        total = sum(self.weights[answer])
        return Fraction(others.pop(), total), Fraction(self.weights[answer][answer], total)

    @property
    def odds(self) -> Fraction:
        """The largest ratio of two weights in one column."""
        return max(Fraction(max(column), min(column)) for column in zip(*self.weights, strict=True))


def score_by(named: bool, q: Fraction, p: Fraction) -> Fraction:  # noqa: FBT001
    """Return what a report counts for that names an option, or that does not.

    >>> score_by(True, Fraction(1, 4), Fraction(3, 4)), score_by(False, Fraction(1, 4), Fraction(1))
    (Fraction(3, 2), Fraction(-1, 3))
    """
    return Fraction(int(named) - q, p - q)


def binomial_variance(share: Fraction, q: Fraction, p: Fraction) -> Fraction:
    """Return n times the variance of a share from how many reports name it (Warner 1965)."""
    named = q + share * (p - q)
    return Fraction(named * (1 - named), (p - q) ** 2)


def named_by(q: Fraction, p: Fraction) -> Channel:
    """Return the channel of an option that is named with probability q, or p if it is the answer.

    Rows "not the answer" and "the answer", columns "not named" and "named".
    """
    return (1 - q, q), (1 - p, p)


def _to_json(value: object) -> object:
    return [_to_json(part) for part in value] if isinstance(value, tuple) else value


def _to_tuple(value: object) -> Any:
    return tuple(_to_tuple(part) for part in value) if isinstance(value, list) else value


def _has_form(value: object, form: object) -> bool:
    """Return whether a JSON value is an integer, or lists of them, as a field's type says."""
    if form is int:
        return type(value) is int
    return isinstance(value, list) and all(_has_form(part, get_args(form)[0]) for part in value)


def _form_of(form: object) -> str:
    if form is int:
        return "an integer"
    return "a list of integers" if get_args(form)[0] is int else "rows, each a list of integers"


def _listed(fields: Mapping[str, "Field[Any]"]) -> str:
    """Return keys and their forms in words."""
    listed = [f"{key} ({_form_of(field.type)})" for key, field in fields.items()]
    return ", ".join(listed) or "no parameters"
