"""Closed surveys of every kind, to be sealed."""

from random import Random

import every_kind
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.server.surveys.file import load_survey
from tossup.server.surveys.lifecycle import close, publish
from tossup.shared.coins import Coins
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.wire import Batch, encode_batch

WIDE = """
question_cap = 81
id = "wide"
title = "Wide"
purpose = "Masks, and reports of two bytes."
minimum_batch = 30
linkage = "joint"
[publisher]
name = "Example University"
contact = "irb@example.org"
[[attribute]]
id = "region"
text = "Where?"
[[attribute.option]]
id = "north"
label = "North"
[[attribute.option]]
id = "south"
label = "South"
[[question]]
id = "mask"
text = "Which one?"
answers = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b1", "b2"]
mechanism = "optimized-unary"
[[question]]
id = "hash"
text = "Which one?"
answers = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b1", "b2"]
mechanism = "local-hashing"
"""


@pytest.fixture
def archive_key():
    """The key that signs footers; fixed, so that failures repeat."""
    return Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))


def wide_body(survey, region, random, n=15):
    """Return joint reports of one region: a mask of eleven bits, and a number of two bytes."""
    answers, coins = (
        [(place % 11, (3 * place + region) % 11) for place in range(n)],
        random.randbytes,
    )
    tossed = {
        question.id: tuple(question.perturb(pair[at], Coins(coins)) for pair in answers)
        for at, question in enumerate(survey.questions)
    }
    ids = tuple(random.randbytes(16) for _ in answers)
    return encode_batch(Batch(survey.digest, ids, tossed, {"region": (region,) * n}), survey)


@pytest.fixture
def filled(store, services, publisher_key):
    """Return the ids of closed surveys of every kind, with reports of two groups or waves.

    Those of the first one are the same in every run, so that the bytes of its file are.
    """
    key, random = public_bytes(publisher_key), Random(1)
    wide, *others = load_survey(WIDE, key), *every_kind.surveys(key)
    for survey in (wide, *others):
        publish(store, sign_manifest(survey.payload, publisher_key))
    for region in (0, 1, 0):
        services.ingest.receive(wide_body(wide, region, random))
    for survey in others:
        for batch in every_kind.reports(survey, 20):
            services.ingest.receive(encode_batch(batch, survey))
    for survey in (wide, *others):
        close(store, survey.id)
    return [survey.id for survey in (wide, *others)]
