"""`tossup verify`: a manifest's guarantees, recomputed from its signed bytes."""

import json
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sweeps import each

from tossup.server.accounting.guarantee import Guarantee, of_ratios
from tossup.server.cli.root import root
from tossup.server.surveys import verification
from tossup.server.surveys.verification import (
    Cost,
    UnderstatedError,
    belief_after,
    has_few_pairs,
    is_enumerable,
    recomputed_delta,
    recomputed_odds,
    verify,
)
from tossup.shared import strict_json
from tossup.shared.errors import ManifestError, SignatureError
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import (
    MECHANISMS,
    DiscreteGaussian,
    DiscreteLaplace,
    EntryGaussian,
    EntryLaplace,
    HadamardResponse,
    KaryRandomizedResponse,
    LocalHashing,
    Mechanism,
    OptimizedUnary,
    PerOptionBits,
    PrivUnit,
    RandomizedResponse,
    RankedChoice,
    SampledOptions,
    SubsetSelection,
    TableMechanism,
    TwoCoin,
    VectorLaplace,
)
from tossup.shared.signing import b64url, public_bytes, sign_manifest
from tossup.shared.survey import Option, Question


def claiming(survey, key, **claims: object) -> bytes:
    """Return the survey signed with other claims than its own."""
    fields = strict_json.loads(survey.payload, 1 << 20)
    return sign_manifest(strict_json.dumps(fields | claims), key)


@pytest.fixture
def run(tmp_path):
    """Verify an envelope from a file."""

    def verified(envelope: bytes, *arguments: str):
        path = tmp_path / "manifest"
        path.write_bytes(envelope)
        return CliRunner().invoke(root, ["verify", str(path), *arguments])

    return verified


def test_it_works(run, envelope, survey):
    """Two questions at 3:1 cost 9:1; a belief of 1 in 10 can become 1 in 2."""
    done = run(envelope, "--json")

    found = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (survey.id, survey.digest) == (found["survey"], found["manifest"])
    assert ("9", "2.1973", "0") == (found["odds"], found["epsilon"], found["delta"])
    assert {"before": "1/10", "after": "1/2", "but_for_a_chance_of": "0"} == found["belief"]
    assert ["1/4", "1/4"] == [question["belief"] for question in found["questions"]]
    assert {"enumeration"} == {question["proof"] for question in found["questions"]}
    assert [{"id": "region", "options": ["north", "south"]}] == found["attributes"]


def test_people_are_told_what_is_not_randomized(run, envelope):
    """The public attribute is named as sent as it is, and the key as not pinned."""
    done = run(envelope)

    assert "Sent as it is, not randomized: region (north, south)" in done.stdout
    assert "With --key KEY" in done.stderr


def test_a_pinned_key_says_whose_manifest_it_is(run, envelope, survey):
    """With the publisher's key from elsewhere nothing is left to trust."""
    done = run(envelope, "--key", b64url(survey.publisher.key), "--json")

    assert json.loads(done.stdout)["publisher"]["pinned"] is True


@pytest.mark.parametrize(
    "claims",
    [
        {"odds": "8"},
        {"odds": "899/100", "epsilon": "2.1973"},
        {"epsilon": "2.1972"},
        {"epsilon": "0"},
        {"odds": "1", "epsilon": "0.0000"},
    ],
)
def test_a_manifest_that_claims_less_than_it_costs_is_refused_with_4(
    run, survey, publisher_key, claims
):
    """Whichever claim is too small, by however little: 2.1972 is below ln 9."""
    done = run(claiming(survey, publisher_key, **claims))

    assert done.exit_code == 4
    assert "costs 9 (epsilon 2.1973, delta 0)" in done.stderr


@pytest.mark.parametrize(
    "claims",
    [
        {"odds": "10"},
        {"odds": "nine"},
        {"odds": "1/0"},
        {"odds": 9},
        {"epsilon": "x"},
        {"epsilon": "NaN"},
        {"requires": ["more"]},
        {"v": 2},
        {"questions": []},
    ],
)
def test_a_manifest_in_any_other_form_is_refused_with_1(run, survey, publisher_key, claims):
    """A claim above the cost misleads nobody, yet devices refuse it too."""
    assert run(claiming(survey, publisher_key, **claims)).exit_code == 1


def test_a_bad_signature_is_refused_with_1(run, envelope):
    """Every changed byte of the signature is noticed."""
    value = json.loads(envelope)
    signature = value["sigs"][0]["sig"]
    for place in range(0, len(signature), 7):
        other = "A" if signature[place] != "A" else "B"
        value["sigs"][0]["sig"] = signature[:place] + other + signature[place + 1 :]
        assert run(json.dumps(value).encode()).exit_code == 1


def test_another_key_is_refused(envelope):
    """A manifest of somebody else is not the pinned publisher's."""
    other = public_bytes(Ed25519PrivateKey.from_private_bytes(bytes(32)))

    with pytest.raises(SignatureError):
        verify(envelope, other)


def test_a_manifest_that_names_another_key_than_it_is_signed_with_is_refused(survey):
    """The pinned key signed it, but devices would pin the one it names."""
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))

    with pytest.raises(ManifestError, match="names another"):
        verify(sign_manifest(survey.payload, other), public_bytes(other))


@pytest.mark.parametrize("words", [b"", b"{}", b"\xff", b"[" * 100])
def test_what_is_no_manifest_is_refused_with_1(run, words):
    """Any file may be given."""
    assert run(words).exit_code == 1


def test_a_missing_file_and_a_wrong_key_are_said(run, envelope):
    """Exit 1 for what cannot be read, 2 for what cannot be a key."""
    assert CliRunner().invoke(root, ["verify", "no-such-file"]).exit_code == 1
    assert run(envelope, "--key", "short").exit_code == 2
    assert run(envelope, "--key", "!").exit_code == 2


@pytest.mark.parametrize("options", [2, 3, 5, 16, 100, 256])
def test_odds_come_from_the_channel_and_not_from_the_mechanism(options, monkeypatch):
    """A mechanism that says less of itself is found out by its own channel."""
    design = KaryRandomizedResponse(options, 9, 2)
    monkeypatch.setattr(KaryRandomizedResponse, "odds", Fraction(1))

    assert Fraction(9, 2) == recomputed_odds(design)


def test_devices_may_not_charge_less_than_an_answer_costs(survey, envelope, monkeypatch):
    """If the ledger's figure is below the channel's, the manifest is refused."""
    monkeypatch.setattr(TwoCoin, "odds", Fraction(2))

    with pytest.raises(UnderstatedError, match="more than devices would charge"):
        verify(envelope)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (((4, 0), (1, 3)), "proves what was not answered"),
        (((5, -1), (1, 3)), "not one of probabilities"),
        (((3, 1), (1, 4)), "not one of probabilities"),
    ],
)
def test_channels_without_any_odds_are_refused(table, words, monkeypatch):
    """A report that one answer never gives proves something; a negative chance is none."""
    monkeypatch.setattr(RandomizedResponse, "__post_init__", lambda self: None)

    with pytest.raises(UnderstatedError, match=words):
        recomputed_odds(RandomizedResponse(table))


def test_a_channel_that_misses_a_report_is_refused(monkeypatch):
    """Probabilities that sum to less than 1 hide a report, and what it costs."""
    oracle = HadamardResponse(4)
    monkeypatch.setattr(HadamardResponse, "reports", 7)

    with pytest.raises(UnderstatedError, match="not one of probabilities"):
        recomputed_odds(oracle)


@pytest.mark.parametrize("kind", [SubsetSelection, OptimizedUnary, HadamardResponse, LocalHashing])
def test_odds_of_oracles_come_from_every_report(kind, monkeypatch):
    """Whatever the oracle says of itself, its probabilities say 5/2."""
    design = kind.from_odds(Fraction(5, 2), 6)
    monkeypatch.setattr(kind, "odds", Fraction(1))

    assert Fraction(5, 2) == recomputed_odds(design)


def test_the_largest_grids_are_enumerated_too():
    """1,024 points and three ranges of reports: 3,142,656 integers, not a formula."""
    design = DiscreteLaplace.for_odds(1024, Fraction(3))

    assert is_enumerable(design)
    assert design.odds == recomputed_odds(design)


def test_impossible_reports_cost_nothing(monkeypatch):
    """A column of zeros is a report that nobody can send."""
    monkeypatch.setattr(RandomizedResponse, "__post_init__", lambda self: None)

    assert Fraction(3) == recomputed_odds(RandomizedResponse(((3, 1, 0), (1, 3, 0))))


def test_too_many_reports_are_taken_by_formula(monkeypatch, envelope):
    """Where enumeration ends the mechanism's own formula is used, and said so."""
    monkeypatch.setattr(verification, "MAX_WEIGHTS", 3)

    found = verify(envelope).to_json()

    assert ["formula", "formula"] == [question["proof"] for question in found["questions"]]


@pytest.mark.parametrize("limit", [3, 1 << 22])
def test_people_read_which_page_proves_a_formula(monkeypatch, run, envelope, limit):
    """One line a question that was not enumerated, and none for the others."""
    monkeypatch.setattr(verification, "MAX_WEIGHTS", limit)

    said = run(envelope).stdout
    assert (limit == 3) == ("the formula that docs/proofs/two-coin.md proves" in said)
    assert (limit == 3) == ("formula" in said)


@each("name", MECHANISMS)
def test_every_mechanism_has_the_page_that_is_named(name):
    """Whatever is taken by a formula, its proof can be read."""
    design = SimpleNamespace(name=name)
    page = Path(__file__).parents[3] / Cost("any", design, Fraction(3)).proof_page

    assert page.is_file()


@each(
    "design, proof",
    [
        (DiscreteLaplace.for_odds(1024, Fraction(3)), "enumeration"),
        (KaryRandomizedResponse(256), "enumeration"),
        (SubsetSelection(64, size=16), "formula"),
        (SampledOptions(64, 64), "formula"),
        (PerOptionBits(9, 9), "enumeration"),
        (PerOptionBits(10, 10), "formula"),
        (RankedChoice.linear(8, Fraction(3)), "formula"),
        (VectorLaplace(1, 4, window=9), "enumeration"),
        (VectorLaplace(2, 64, window=8252), "formula"),
        (EntryGaussian(2, 1, window=90, squared=150), "formula"),
        (EntryLaplace(1, 4, 1, window=9), "enumeration"),
        (EntryLaplace(2, 32, 2, window=4581), "formula"),
        (PrivUnit(1, 1, cap=9000), "formula"),
    ],
)
def test_what_is_enumerated_and_what_is_a_formula(design, proof):
    """An integral is never said to be enumerated, nor are two to the 64 masks."""
    assert proof == Cost("any", design, design.odds).proof


@pytest.mark.parametrize(
    ("odds", "before", "after"),
    [(1, "1/10", "1/10"), (3, "1/10", "1/4"), (9, "1/10", "1/2"), (3, "1/2", "3/4")],
)
def test_beliefs_by_bayes(odds, before, after):
    """The worst report multiplies the odds of a belief by the odds of the design."""
    assert Fraction(after) == belief_after(Fraction(odds), Fraction(before))


def test_epsilon_is_rounded_up(survey, envelope):
    """The figure shown is never below the logarithm of the odds."""
    assert Decimal(verify(envelope).to_json()["epsilon"]).exp() >= survey.odds


def test_equal_mechanisms_are_enumerated_once(survey, publisher_key, monkeypatch):
    """Forty questions among forty options go through one channel, not through forty."""
    enumerated = []
    monkeypatch.setattr(
        verification, "recomputed_odds", lambda design: enumerated.append(design) or design.odds
    )
    options = tuple(Option(f"o{place}", {"en": "o"}) for place in range(40))
    questions = tuple(
        Question(f"q{place}", f"t{place}", {"en": "q"}, options, KaryRandomizedResponse(40))
        for place in range(40)
    )
    large = replace(survey, questions=questions)

    assert Fraction(3) ** 40 == verify(sign_manifest(large.payload, publisher_key)).odds
    assert [KaryRandomizedResponse(40)] == enumerated


MILLIONTH = Fraction(1, 10**6)


def about_hours(survey, mechanism: Mechanism):
    """The survey with one more question, about a number."""
    grid = Grid.integers(0, mechanism.answers - 1)
    question = Question("hours", "hours", {"en": "How many?"}, (), mechanism, grid)
    return replace(survey, questions=(*survey.questions, question))


def test_a_delta_is_recomputed_and_said(run, survey, publisher_key):
    """Odds of all three questions multiply; the chance of the one is that of all."""
    normal = DiscreteGaussian.for_odds(11, Fraction(3), MILLIONTH)
    envelope = sign_manifest(about_hours(survey, normal).payload, publisher_key)
    found = json.loads(run(envelope, "--json").stdout)

    assert ("27", str(normal.delta)) == (found["odds"], found["delta"])
    assert ["0", "0", str(normal.delta)] == [each["delta"] for each in found["questions"]]
    assert str(normal.delta) == found["belief"]["but_for_a_chance_of"]
    assert {"enumeration"} == {each["proof"] for each in found["questions"]}
    assert "can become 3/4, but for a chance of 1 in 1,000,458 not more" in run(envelope).stdout


def test_two_deltas_add_up(survey, publisher_key):
    """The manifest claims their sum, and verification finds it."""
    normal = DiscreteGaussian.for_odds(5, Fraction(3), MILLIONTH)
    one = about_hours(survey, normal)
    both = replace(
        one, questions=(*one.questions, replace(one.questions[-1], id="more", topic="more"))
    )

    assert both.delta == 2 * normal.delta
    assert both.delta == verify(sign_manifest(both.payload, publisher_key)).delta


@pytest.mark.parametrize("part", [Fraction(0), Fraction(1, 2), Fraction(10**9 - 1, 10**9)])
def test_a_manifest_that_claims_a_smaller_delta_is_refused_with_4(
    run, survey, publisher_key, part: Fraction
):
    """By however little: its respondents would be promised what is not so."""
    asked = about_hours(survey, DiscreteGaussian.for_odds(11, Fraction(3), MILLIONTH))
    done = run(claiming(asked, publisher_key, delta=str(asked.delta * part)))

    assert done.exit_code == 4
    assert f"delta {asked.delta})" in done.stderr


@pytest.mark.parametrize("delta", ["1/10", "x", "1/0", 0, "nan", None])
def test_another_delta_than_the_exact_one_is_refused(run, survey, publisher_key, delta):
    """A larger one misleads nobody, but is not the one form; the rest is no chance."""
    assert run(claiming(survey, publisher_key, delta=delta)).exit_code == 1


@pytest.mark.parametrize("points", [2, 3, 7, 16])
@pytest.mark.parametrize("odds", [Fraction(3, 2), Fraction(3), Fraction(19, 7)])
@pytest.mark.parametrize("margin", [1, 4, 9])
def test_deltas_come_from_the_channel_and_not_from_the_mechanism(
    points: int, odds: Fraction, margin: int, monkeypatch
):
    """A mechanism that says less of itself is found out, over a sweep of designs."""
    design = DiscreteGaussian.for_odds(points, odds, MILLIONTH, margin * (points - 1))
    exact = design.delta
    monkeypatch.setattr(DiscreteGaussian, "delta", exact / 2)

    assert exact == recomputed_delta(design)


def test_devices_may_not_charge_a_smaller_chance(survey, publisher_key, monkeypatch):
    """If the ledger's chance is below the channel's, the manifest is refused."""
    asked = about_hours(survey, DiscreteGaussian.for_odds(5, Fraction(3), MILLIONTH))
    envelope = sign_manifest(asked.payload, publisher_key)
    monkeypatch.setattr(DiscreteGaussian, "delta", MILLIONTH / 2)

    with pytest.raises(UnderstatedError, match="more than devices would charge"):
        verify(envelope)


def test_too_many_pairs_are_taken_by_formula():
    """Beyond, the mechanism's own delta is used, and said so."""
    design = DiscreteGaussian.for_odds(301, Fraction(3), MILLIONTH)

    assert not has_few_pairs(design)
    assert design.delta == recomputed_delta(design)
    assert "formula" == Cost("hours", design, design.odds, design.delta).proof


@dataclass(frozen=True)
class Claiming(TableMechanism):
    """Any table, with the odds and the delta that it claims."""

    name = "claiming/1"
    table: tuple[tuple[int, ...], ...]
    claimed: Fraction
    said: Fraction

    @property
    def weights(self):
        return self.table

    @property
    def odds(self):
        return self.claimed

    @property
    def delta(self):
        return self.said

    def _sample(self, answer, coins):
        raise NotImplementedError

    def spec(self):
        rows = [list(row) for row in self.table]
        return {"name": self.name, "rows": rows, "odds": str(self.odds), "delta": str(self.delta)}

    @classmethod
    def from_spec(cls, parameters, answers):
        rows = tuple(tuple(row) for row in parameters["rows"])
        return cls(rows, Fraction(parameters["odds"]), Fraction(parameters["delta"]))


def leaking(leak: int, said: Fraction) -> Claiming:
    """Send the truth as it is in ``leak`` of 400 cases, and by two coins otherwise.

    Reports 0 and 1 are leaks of no and yes; 2 and 3 come from the coins.
    """
    truth, lie = 3 * (400 - leak) // 4, (400 - leak) // 4
    return Claiming(((leak, 0, truth, lie), (0, leak, lie, truth)), Fraction(3), said)


@pytest.fixture
def asked_with(survey, publisher_key, monkeypatch):
    """Sign a survey with a mechanism that is in this version's registry for once."""
    monkeypatch.setitem(MECHANISMS.loaded, Claiming.name, Claiming)

    def signed(mechanism: Mechanism) -> bytes:
        question = replace(survey.questions[0], mechanism=mechanism)
        return sign_manifest(replace(survey, questions=(question,)).payload, publisher_key)

    return signed


@pytest.mark.parametrize("leak", [4, 40, 200])
def test_a_rare_leak_is_stated_as_a_chance(asked_with, leak: int):
    """(e0, 0) but for a leak of everything with probability p is (e0, p), never (e0, 0)."""
    (cost,) = verify(asked_with(leaking(leak, Fraction(leak, 400)))).costs

    assert Guarantee.of_odds(Fraction(3)).epsilon == cost.guarantee.epsilon
    assert Decimal(leak) / 400 == cost.guarantee.delta
    assert str(Fraction(leak, 400)) == cost.to_json()["delta"]


@pytest.mark.parametrize("said", [Fraction(0), Fraction(1, 101)])
def test_a_leak_that_is_kept_quiet_is_refused(asked_with, said: Fraction):
    """It leaks in 4 of 400 cases, and says never, or in a few fewer."""
    with pytest.raises(UnderstatedError):
        verify(asked_with(leaking(4, said)))


def test_a_leak_beside_a_delta_counts_both(asked_with):
    """(e0, d0) with a leak of probability p is (e0, p + (1 - p) d0): here 2 in 98, then 2 in 100.

    Without the leak, (10, 4, 84) against (4, 10, 84) of 98 has a delta of 2 / 98 at odds 2.
    """
    rows = ((2, 0, 10, 4, 84), (0, 2, 4, 10, 84))
    otherwise = of_ratios(Fraction(2), Fraction(2, 98))
    (cost,) = verify(asked_with(Claiming(rows, Fraction(2), Fraction(4, 100)))).costs

    assert Fraction(4, 100) == cost.delta
    assert cost.guarantee.epsilon == otherwise.epsilon
    together = Decimal("0.02") + Decimal("0.98") * otherwise.delta
    assert abs(cost.guarantee.delta - together) < Decimal("1e-27")
