"""`tossup verify`: a manifest's guarantees, recomputed from its signed bytes."""

import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.server import verification
from tossup.server.cli.root import root
from tossup.server.verification import (
    UnderstatedError,
    belief_after,
    is_enumerable,
    recomputed_odds,
    verify,
)
from tossup.shared import strict_json
from tossup.shared.errors import ManifestError, SignatureError
from tossup.shared.mechanisms import (
    DiscreteLaplace,
    HadamardResponse,
    KaryRandomizedResponse,
    LocalHashing,
    OptimizedUnary,
    RandomizedResponse,
    SubsetSelection,
    TwoCoin,
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
    assert {"before": "1/10", "after": "1/2"} == found["belief"]
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
    assert "costs 9 (epsilon 2.1973)" in done.stderr


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
