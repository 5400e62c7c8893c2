"""Recompute what a manifest guarantees, from its signed bytes alone.

Stage: before any answer, for those who doubt a manifest. What it claims is compared and not used:
odds are found by enumerating every channel, and a claim below the cost is refused. Where a
mechanism declares odds that may fail with a chance, enumeration finds that chance at those odds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from hashlib import sha256
from math import lcm
from typing import Any, Final

import numpy as np

from tossup.server.accounting.guarantee import Guarantee, of_ratios
from tossup.server.catalogue import channel, is_listable
from tossup.server.store.envelopes import unverified_payload
from tossup.shared import strict_json
from tossup.shared.errors import ManifestError
from tossup.shared.figures import brief, in_full, read_in_full
from tossup.shared.mechanisms import Mechanism
from tossup.shared.odds import compose, epsilon
from tossup.shared.signing import b64url, key_id, verify_manifest
from tossup.shared.survey import MAX_PAYLOAD_BYTES, Survey

#: Larger tables of integers are not enumerated.
MAX_WEIGHTS: Final = 1 << 22
#: No more terms are summed for a delta: pairs of answers, times reports. They take two seconds.
MAX_TERMS: Final = 1 << 24

#: The belief before a report, where an example is shown.
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
        The largest ratio of probabilities of all that is sent about it, over all pairs of answers;
        where the mechanism has a delta, the odds that it declares.
    delta
        The chance for which these odds do not hold, over all pairs of answers and all waves.
    once
        The odds of a single report, which are smaller where a survey asks in waves; None if equal.
    alone
        The odds of all reports together, for someone who never has what a device keeps; None if
        equal. They follow from the mechanism's formula, whose proof page says why it holds.
    """

    question: str
    mechanism: Mechanism
    odds: Fraction
    delta: Fraction = Fraction(0)
    once: Fraction | None = None
    alone: Fraction | None = None

    @property
    def proof(self) -> str:
        """How this is known: ``"enumeration"`` of all cells, or the mechanism's ``"formula"``.

        A formula is used where there are too many reports to go through, and for a delta too many
        pairs of answers; its proof page says why it holds.
        """
        pairs = self.delta and not has_few_pairs(self.mechanism)
        return "formula" if pairs or not is_enumerable(self.mechanism) else "enumeration"

    @property
    def proof_page(self) -> str:
        """Where the repository proves the mechanism's formula."""
        return f"docs/proofs/{self.mechanism.name.partition('/')[0]}.md"

    @property
    def guarantee(self) -> Guarantee:
        """The cost as a promise of (epsilon, delta), both rounded up."""
        return of_ratios(self.odds, self.delta)

    def to_json(self) -> dict[str, object]:
        """Return the cost as plain JSON types."""
        return {
            "id": self.question,
            "mechanism": self.mechanism.spec(),
            "odds": in_full(self.odds),
            "odds_of_one_report": in_full(self.once or self.odds),
            "odds_of_all_reports": in_full(self.alone or self.odds),
            "epsilon": str(epsilon(self.odds)),
            "delta": in_full(self.delta),
            "proof": self.proof,
            "proof_page": self.proof_page,
            "belief": in_full(belief_after(self.odds)),
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

    @property
    def delta(self) -> Fraction:
        """The chance for which these odds do not hold: the sum over the questions."""
        return sum((cost.delta for cost in self.costs), start=Fraction(0))

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
            "odds": in_full(self.odds),
            "epsilon": str(epsilon(self.odds)),
            "delta": in_full(self.delta),
            "belief": {
                "before": str(BELIEF),
                "after": in_full(belief_after(self.odds)),
                "but_for_a_chance_of": in_full(self.delta),
            },
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
        If the manifest claims smaller odds, epsilon or delta than it costs.
    ManifestError
        If the manifest is malformed, names another key, or is written in another form.
    """
    payload = unverified_payload(envelope)
    survey = Survey.read(payload)
    verify_manifest(envelope, survey.publisher.key if key is None else key)
    if key not in {None, survey.publisher.key}:
        raise ManifestError("the manifest is signed by the given key, but names another")
    costs = tuple(_costs(survey))
    found = Verification(survey, sha256(payload).hexdigest(), key is not None, costs)
    _check_claims(payload, found)
    return replace(found, survey=Survey.parse(payload))


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
    _check_rows(mechanism, rows, whole)
    possible = [column for column in zip(*rows, strict=True) if any(column)]
    if any(min(column) == 0 for column in possible):
        raise UnderstatedError(f"a report of {mechanism.name} proves what was not answered")
    return max(Fraction(max(column), min(column)) for column in possible)


def recomputed_delta(mechanism: Mechanism) -> Fraction:
    """Return the chance for which a mechanism's declared odds do not hold, from every cell.

    The largest sum, over ordered pairs of answers, of max(0, Pr[y | x] - odds Pr[y | x']) over all
    reports y. It is the mechanism's own delta where there are too many pairs.

    Raises
    ------
    UnderstatedError
        If a row is no distribution.
    """
    if not has_few_pairs(mechanism):
        return mechanism.delta
    rows, whole = _rows(mechanism)
    _check_rows(mechanism, rows, whole)
    keep, lie = mechanism.odds.as_integer_ratio()
    scale = lcm(*(chance.denominator for row in rows for chance in row))
    # Python's integers: exact, whatever the weights.
    table = np.array([[int(chance * scale) for chance in row] for row in rows], dtype=object)
    most = 0
    for row in table:
        gains = lie * row - keep * table
        most = max(most, np.where(gains > 0, gains, 0).sum(axis=1).max())
    return Fraction(most, lie * whole * scale)


def has_few_pairs(mechanism: Mechanism) -> bool:
    """Return whether there are few enough pairs of answers, times reports, to go through."""
    return is_enumerable(mechanism) and mechanism.answers**2 * mechanism.reports <= MAX_TERMS


def is_enumerable(mechanism: Mechanism) -> bool:
    """Return whether there are few enough cells to go through; more where they are integers."""
    if mechanism.has_table:
        return mechanism.answers * mechanism.reports <= MAX_WEIGHTS
    return is_listable(mechanism)


def _check_rows(mechanism: Mechanism, rows: Sequence[Sequence[Fraction | int]], whole: int) -> None:
    if {sum(row) for row in rows} != {whole} or any(min(row) < 0 for row in rows):
        raise UnderstatedError(f"the channel of {mechanism.name} is not one of probabilities")


def _rows(mechanism: Mechanism) -> tuple[Sequence[Sequence[Fraction | int]], int]:
    """Return each answer's probabilities, or integers in proportion, and their sum."""
    if mechanism.has_table:
        return mechanism.in_proportion(range(mechanism.answers))
    return channel(mechanism), 1


def belief_after(odds: Fraction, before: Fraction = BELIEF) -> Fraction:
    """Return the most that a belief can become by a report of these odds (Bayes' rule).

    >>> belief_after(Fraction(3))
    Fraction(1, 4)
    """
    return before * odds / (1 + before * (odds - 1))


def _costs(survey: Survey) -> Iterator[Cost]:
    known: dict[Mechanism, tuple[Fraction, Fraction]] = {}
    for question in survey.questions:
        # In waves that toss once, all reports are made from what a device keeps; with a memo, a
        # wave is charged what it tells someone who has that.
        mechanism, tossed = question.mechanism, survey.tossed(question)
        for each in (mechanism, tossed):
            if each not in known:
                known[each] = _recomputed(each)
        odds, delta = known[tossed]
        tosses = survey.tosses
        yield Cost(
            question.id,
            mechanism,
            odds**tosses,
            delta * tosses,
            known[mechanism][0],
            survey.waves.odds_of_reports(mechanism) if survey.waves else None,
        )


def _recomputed(mechanism: Mechanism) -> tuple[Fraction, Fraction]:
    """Return odds and delta; refuse a mechanism that says less, since devices charge what it says.

    A mechanism that declares a delta is taken at the odds that it declares; one that declares no
    delta must keep its odds without exception.
    """
    if mechanism.delta:
        odds, delta = mechanism.odds, recomputed_delta(mechanism)
    else:
        odds, delta = recomputed_odds(mechanism), Fraction(0)
    if mechanism.odds < odds or mechanism.delta < delta:
        raise UnderstatedError(f"{mechanism.name} costs more than devices would charge for it")
    return odds, delta


def _check_claims(payload: bytes, found: Verification) -> None:
    claims: Any = strict_json.loads(payload, MAX_PAYLOAD_BYTES)
    try:
        odds, delta = read_in_full(str(claims["odds"])), read_in_full(str(claims["delta"]))
        claimed_epsilon = Decimal(claims["epsilon"])
        understated = (
            odds < found.odds or claimed_epsilon < epsilon(found.odds) or delta < found.delta
        )
    except (TypeError, ValueError, ZeroDivisionError, InvalidOperation) as error:
        raise ManifestError("the manifest's odds, epsilon or delta is no number") from error
    if understated:
        raise UnderstatedError(
            f"the manifest claims odds of {brief(odds)} (epsilon {claimed_epsilon}, delta"
            f" {brief(delta)}); answering it costs {brief(found.odds)} (epsilon"
            f" {epsilon(found.odds)}, delta {brief(found.delta)})"
        )
