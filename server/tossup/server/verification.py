"""Recompute what a manifest guarantees, from its signed bytes alone.

Stage: before any answer, for whoever doubts. Nothing that the manifest claims is used but to be
compared: odds are found by enumerating every channel, and a claim below the cost is refused.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from hashlib import sha256
from typing import Any, Final

from tossup.server.catalogue import channel, is_listable
from tossup.server.envelopes import unverified_payload
from tossup.shared import strict_json
from tossup.shared.accounting import compose, epsilon
from tossup.shared.errors import ManifestError
from tossup.shared.mechanisms import Mechanism, TableMechanism
from tossup.shared.signing import b64url, key_id, verify_manifest
from tossup.shared.survey import MAX_PAYLOAD_BYTES, Survey

#: Larger tables of integers are not enumerated.
MAX_WEIGHTS: Final = 1 << 22

#: What a snoop believes before a report, where an example is shown.
BELIEF: Final = Fraction(1, 10)


class UnderstatedError(ManifestError):
    """A manifest that claims less than its answers cost."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one answer costs.

    Attributes
    ----------
    question
        The question's id.
    mechanism
        Its mechanism.
    odds
        The largest ratio of probabilities of all that is sent about it, over all pairs of answers.
    once
        The same of a single report: smaller, where a survey asks in waves.
    """

    question: str
    mechanism: Mechanism
    odds: Fraction
    once: Fraction

    @property
    def proof(self) -> str:
        """How the odds are known: ``"enumeration"`` of all cells, or the mechanism's ``"formula"``.

        A formula is used where there are too many reports to go through; its proof page says why
        it holds.
        """
        return "enumeration" if is_enumerable(self.mechanism) else "formula"

    def to_json(self) -> dict[str, object]:
        """Return the cost as plain JSON types."""
        return {
            "id": self.question,
            "mechanism": self.mechanism.spec(),
            "odds": str(self.odds),
            "odds_of_one_report": str(self.once),
            "epsilon": str(epsilon(self.odds)),
            "proof": self.proof,
            "belief": str(belief_after(self.odds)),
        }


@dataclass(frozen=True, slots=True)
class Verification:
    """A manifest whose signature is valid and whose claims cover its cost.

    Attributes
    ----------
    survey
        What it asks.
    digest
        SHA-256 of the signed payload: the name of this manifest everywhere.
    pinned
        Whether the key was given from elsewhere; otherwise it is the one the manifest names,
        which proves that one key signed it, not whose key that is.
    costs
        One a question, recomputed.
    """

    survey: Survey
    digest: str
    pinned: bool
    costs: tuple[Cost, ...]

    @property
    def odds(self) -> Fraction:
        """The odds of answering everything: the product over the questions."""
        return compose(cost.odds for cost in self.costs)

    def to_json(self) -> dict[str, object]:
        """Return the verification as plain JSON types."""
        survey = self.survey
        return {
            "survey": survey.id,
            "version": survey.version,
            "manifest": self.digest,
            "publisher": {
                "name": survey.publisher.name,
                "key": b64url(survey.publisher.key),
                "key_id": key_id(survey.publisher.key),
                "pinned": self.pinned,
            },
            "questions": [cost.to_json() for cost in self.costs],
            "odds": str(self.odds),
            "epsilon": str(epsilon(self.odds)),
            "delta": "0",  # every mechanism of this version keeps its odds with certainty
            "belief": {"before": str(BELIEF), "after": str(belief_after(self.odds))},
            "attributes": [
                {"id": each.id, "options": [option.id for option in each.options]}
                for each in survey.attributes
            ],
            "waves": survey.waves and survey.waves.to_json(),
        }


def verify(envelope: bytes, key: bytes | None = None) -> Verification:
    """Return what the signed manifest guarantees, recomputed.

    Parameters
    ----------
    envelope
        The signed envelope, as the server hands it out.
    key
        The publisher's 32-byte key, from the respondents' link or the publisher's own site; the
        one that the manifest names by default.

    Raises
    ------
    SignatureError
        If the key did not sign these bytes.
    UnderstatedError
        If the manifest claims smaller odds or a smaller epsilon than it costs.
    ManifestError
        If the manifest is malformed, names another key, or is written in another form.
    """
    payload = unverified_payload(envelope)
    survey = Survey.read(payload)
    verify_manifest(envelope, survey.publisher.key if key is None else key)
    if key not in {None, survey.publisher.key}:
        raise ManifestError("the manifest is signed by the given key, but names another")
    costs = tuple(_costs(survey))
    _check_claims(payload, compose(cost.odds for cost in costs))
    return Verification(Survey.parse(payload), sha256(payload).hexdigest(), key is not None, costs)


def recomputed_odds(mechanism: Mechanism) -> Fraction:
    """Return the odds of a mechanism from every cell of its channel.

    >>> from tossup.shared.mechanisms import TwoCoin
    >>> recomputed_odds(TwoCoin())
    Fraction(3, 1)

    Raises
    ------
    UnderstatedError
        If a row is no distribution, or a report proves that some answer was not given.
    """
    if not is_enumerable(mechanism):
        return mechanism.odds
    rows, whole = _rows(mechanism)
    if {sum(row) for row in rows} != {whole} or any(min(row) < 0 for row in rows):
        raise UnderstatedError(f"the channel of {mechanism.name} is not one of probabilities")
    possible = [column for column in zip(*rows, strict=True) if any(column)]
    if any(min(column) == 0 for column in possible):
        raise UnderstatedError(f"a report of {mechanism.name} proves what was not answered")
    return max(Fraction(max(column), min(column)) for column in possible)


def is_enumerable(mechanism: Mechanism) -> bool:
    """Return whether there are few enough cells to go through; more where they are integers."""
    if isinstance(mechanism, TableMechanism):
        return mechanism.answers * mechanism.reports <= MAX_WEIGHTS
    return is_listable(mechanism)


def _rows(mechanism: Mechanism) -> tuple[Sequence[Sequence[Fraction | int]], int]:
    """Return each answer's probabilities, or integers in proportion, and what they sum to."""
    if isinstance(mechanism, TableMechanism):
        return mechanism.weights, sum(mechanism.weights[0])
    return channel(mechanism), 1


def belief_after(odds: Fraction, before: Fraction = BELIEF) -> Fraction:
    """Return the most that a belief can become by a report of these odds (Bayes' rule).

    >>> belief_after(Fraction(3))
    Fraction(1, 4)
    """
    return before * odds / (1 + before * (odds - 1))


def _costs(survey: Survey) -> Iterator[Cost]:
    known: dict[Mechanism, Fraction] = {}
    waves = survey.waves
    for question in survey.questions:
        mechanism = question.mechanism
        # In waves that toss once, all reports are made from what a device keeps.
        tossed = mechanism.memory if waves and waves.are_permanent else mechanism
        for each in (mechanism, tossed):
            if each not in known:
                known[each] = recomputed_odds(each)
            if each.odds < known[each]:  # what devices charge
                raise UnderstatedError(f"{each.name} costs more than devices would charge for it")
        tosses = waves.times or 1 if waves else 1
        yield Cost(question.id, mechanism, known[tossed] ** tosses, known[mechanism])


def _check_claims(payload: bytes, odds: Fraction) -> None:
    claims: Any = strict_json.loads(payload, MAX_PAYLOAD_BYTES)
    try:
        claimed, claimed_epsilon = Fraction(claims["odds"]), Decimal(claims["epsilon"])
        understated = claimed < odds or claimed_epsilon < epsilon(odds)
    except (TypeError, ValueError, ZeroDivisionError, InvalidOperation) as error:
        raise ManifestError("the manifest's odds or epsilon is no number") from error
    if understated:
        raise UnderstatedError(
            f"the manifest claims odds of {claimed} (epsilon {claimed_epsilon}); answering it"
            f" costs {odds} (epsilon {epsilon(odds)})"
        )
