"""Fixtures that every part of the tests shares: a publisher, and surveys as it signed them."""

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, settings

from tossup.shared.mechanisms import KaryRandomizedResponse, TwoCoin
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Attribute, Option, Publisher, Question, Survey

# No test asserts a time: a busy machine must not fail one. Examples are the same in every run, on
# every machine: what fails once fails always, and what has passed does not fail for other reasons.
settings.register_profile(
    "tossup", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tossup")


def text(words: str) -> dict[str, str]:
    return {"en": words}


@pytest.fixture(scope="session")
def publisher_key() -> Ed25519PrivateKey:
    """The signing key of the surveys below; fixed, so that failures repeat."""
    return Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture
def made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start no process for a dear answer, which says the same: `server/web/test_answers` holds it.

    The server is named, not imported: tests of the device load none.
    """
    monkeypatch.setattr("tossup.server.web.answers.Answers._is_dear", lambda *_: False)


@pytest.fixture(scope="session")
def survey(publisher_key: Ed25519PrivateKey) -> Survey:
    """A yes/no question, a five-way one and a public attribute, each answer on its own."""
    return Survey(
        id="habits-7",
        version=1,
        previous=None,
        publisher=Publisher("Example University", public_bytes(publisher_key), "irb@example.org"),
        title=text("Habits"),
        purpose=text("To learn how common a habit is."),
        languages=("en",),
        questions=(
            Question("ever_tried", "habit", text("Have you ever tried it?"), (), TwoCoin()),
            Question(
                "rating",
                "habit-rating",
                text("How do you rate it?"),
                tuple(Option(f"r{place}", text(f"{place} of 5")) for place in range(1, 6)),
                KaryRandomizedResponse(5),
            ),
        ),
        attributes=(
            Attribute(
                "region",
                text("Region"),
                (Option("north", text("North")), Option("south", text("South"))),
            ),
        ),
        linkage="none",
        minimum_batch=100,
        opens=None,
        closes=None,
        retention_days=365,
        results="private",
    )


@pytest.fixture(scope="session")
def joint_survey(survey: Survey) -> Survey:
    """The same questions, the answers of one respondent travelling together."""
    return replace(survey, id="habits-joint", linkage="joint")


@pytest.fixture(scope="session")
def envelope(survey: Survey, publisher_key: Ed25519PrivateKey) -> bytes:
    """The survey, signed."""
    return sign_manifest(survey.payload, publisher_key)
