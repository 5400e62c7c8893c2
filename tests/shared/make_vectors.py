"""Write the test vectors that every SDK replays: bytes in, report out.

Run ``python tests/shared/make_vectors.py`` after adding a mechanism. Existing cases never change:
a mechanism's name is frozen, and `test_vectors.py` holds the files against this script.
"""

import json
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.shared import wire
from tossup.shared.coins import Coins
from tossup.shared.kinds.number import to_point
from tossup.shared.kinds.text import FreeText, characters_of
from tossup.shared.mechanisms import (
    MECHANISMS,
    EntryLaplace,
    FrequencyOracle,
    HadamardResponse,
    KaryRandomizedResponse,
    Mechanism,
    MemoMechanism,
    PrivUnit,
    ProjectiveGeometryResponse,
    SeveralMechanism,
    SubsetSelection,
    TwoCoin,
    VectorMechanism,
)
from tossup.shared.mechanisms.digits import from_digits
from tossup.shared.signing import b64url, public_bytes, sign_manifest
from tossup.shared.survey import Attribute, Option, Publisher, Question, Survey

FOLDER = Path(__file__).parents[2] / "shared/tossup/shared/vectors"

NOTE = (
    "keys are what the CSPRNG gives, in hex, read least significant bit first, with zeros after the"
    " end; values are the reports of the answers tried, in their order, in hex where they may be"
    " above 2**53"
)

#: Mechanisms whose reports have one byte, two bytes, and eleven.
WIDE: list[Mechanism] = [
    HadamardResponse(16, 3, 1),
    ProjectiveGeometryResponse(300, 5, 3, 1),
    SubsetSelection(81, 20, 3, 1),
]


def stream(name: str, length: int) -> bytes:
    """Return bytes that anyone can recompute: SHA-256 of the name and a counter."""
    blocks = (sha256(f"{name}/{place}".encode()).digest() for place in range(-(-length // 32)))
    return b"".join(blocks)[:length]


def recorded(data: bytes) -> Coins:
    """Return coins that replay ``data``, and zeros after it."""
    feed = iter(data)
    return Coins(lambda count: bytes(next(feed, 0) for _ in range(count)))


def inputs(mechanism: Mechanism) -> list[bytes]:
    """Return what the CSPRNG gives: every byte where one is drawn, else recorded streams."""
    draw = 0 if isinstance(mechanism, VectorMechanism) else drawn_by(mechanism)
    if draw == 1:
        return [bytes([byte]) for byte in range(256)]
    name = f"{mechanism.spec()}/{mechanism.answers}"
    if isinstance(mechanism, FrequencyOracle | SeveralMechanism | MemoMechanism):
        streams = [stream(f"{name}/{place}", draw) for place in range(4)]
        return [*streams, b"", b"\xff" * (draw // 4), b"\x01"]
    if isinstance(mechanism, VectorMechanism):
        # Enough for every report tried: how much one draws depends on how often it is redrawn.
        length = 800 if isinstance(mechanism, PrivUnit | EntryLaplace) else 200
        return [stream(f"{name}/{place}", length) for place in range(3)]
    streams = [stream(f"{name}/{place}", min(draw, 16)) for place in range(8)]
    return [*streams, b"\xff" * 6 + stream(f"{name}/late", 10), b"", b"\xff" * 4, b"\x01"]


def drawn_by(mechanism: Mechanism) -> int:
    """Return how many bytes one answer draws."""
    drawn: list[int] = []

    def source(count: int) -> bytes:
        drawn.append(count)
        return bytes(count)

    mechanism.perturb(0, Coins(source))
    return sum(drawn)


def written(mechanism: Mechanism, report: int) -> int | str:
    """Return a report as it stands in a vector file: JavaScript's numbers end at 2**53."""
    return report if mechanism.reports <= 1 << 53 else f"{report:x}"


def tried(mechanism: Mechanism) -> list[int]:
    """Return some answers, first and last included; of a vector the middle and two others."""
    if not isinstance(mechanism, VectorMechanism):
        last = mechanism.answers - 1
        if isinstance(mechanism, SeveralMechanism):  # as many of the last options as one may tick
            last -= (1 << mechanism.options - mechanism.most) - 1
        return sorted({0, 1, mechanism.answers // 2, last})
    radius, zeros = mechanism.radius, [mechanism.radius] * (mechanism.dimension - 1)
    points = [[first, *zeros] for first in (0, radius, 2 * radius)]
    return [from_digits(point, 2 * radius + 1) for point in points]


def design_vectors(mechanism: Mechanism) -> dict[str, object]:
    """Return one design: for every input the reports of some answers, first and last included."""
    answers = tried(mechanism)
    return {
        "mechanism": mechanism.spec(),
        "answers": mechanism.answers,
        "odds": str(mechanism.odds),
        **({"delta": str(mechanism.delta)} if mechanism.delta else {}),
        "tried": answers,
        "reports": {
            data.hex(): [
                written(mechanism, mechanism.perturb(answer, recorded(data))) for answer in answers
            ]
            for data in inputs(mechanism)
        },
    }


def mechanism_vectors(designs: Sequence[Mechanism]) -> dict[str, object]:
    """Return the vector file of one mechanism name."""
    return {"note": NOTE, "designs": [design_vectors(design) for design in designs]}


def coin_vectors() -> dict[str, object]:
    """Return the vector file of the coins: runs of choices on one stream of bytes."""
    runs = []
    for place, sizes in enumerate([[2] * 12, [4, 2, 4], [3, 5, 7], [6] * 8, [256, 2], [1 << 32]]):
        data = stream(f"coins/{place}", 64)
        coins = recorded(data)
        runs.append(
            {"bytes": data.hex(), "below": sizes, "choices": [coins.below(n) for n in sizes]}
        )
    return {"note": "bytes, choices below n in turn, and what was chosen", "runs": runs}


def grid_vectors() -> dict[str, object]:
    """Return the vector file of the rounding of numbers to the points of a grid."""
    places = [Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(36030, 10007), Fraction(10)]
    draws = [b"", b"\xff" * 16, *(stream(f"grid/{place}", 16) for place in range(8))]
    return {
        "note": "place in steps, and the point taken for the bytes in hex, or the nearest",
        "places": [
            {
                "place": str(place),
                "nearest": to_point(place, "nearest", Coins()),
                "random": {data.hex(): to_point(place, "random", recorded(data)) for data in draws},
            }
            for place in places
        ],
    }


def text_vectors() -> dict[str, object]:
    """Return the vector file of the one form of a text, and of its number."""
    written = [
        "Alice",
        "  BOB\tb ",
        "Zoe\u0308",
        "zo\u00eb",
        "\u5317\u4eac",
        "a-1",
        "",
        "far too long",
    ]
    kinds = [
        FreeText(characters_of("a-z "), 8),
        FreeText(characters_of("a-z\u00e0-\u00f6\u00f8-\u00ff"), 8),
        FreeText(characters_of("\u4e00-\u9fff"), 3),
        FreeText(characters_of("A-Za-z0-9-"), 5, others=True),
    ]
    return {
        "note": "the number of what was written, as a manifest's texts has it; null is refused",
        "kinds": [
            {"texts": kind.to_json(), "numbers": {text: kind.place(text) for text in written}}
            for kind in kinds
        ],
    }


def example_survey(key: Ed25519PrivateKey) -> Survey:
    """Return the survey of the wire and manifest vectors, in two languages."""

    def text(en: str, zh: str) -> dict[str, str]:
        return {"en": en, "zh-Hans": zh}

    options = tuple(Option(f"r{n}", text(f"{n} of 5", f"{n} / 5")) for n in range(1, 6))
    return Survey(
        id="habits-7",
        version=1,
        previous=None,
        publisher=Publisher("Example University", public_bytes(key), "irb@example.org"),
        title=text("Habits", "习惯"),
        purpose=text("To learn how common a habit is.", "了解某种习惯有多普遍。"),
        languages=("en", "zh-Hans"),
        questions=(
            Question("ever_tried", "habit", text("Ever tried it?", "试过吗?"), (), TwoCoin()),
            Question(
                "rating",
                "habit-rating",
                text("Your rating?", "您的评价?"),
                options,
                KaryRandomizedResponse(5),
            ),
        ),
        attributes=(
            Attribute(
                "region",
                text("Region", "地区"),
                (Option("north", text("North", "北")), Option("south", text("South", "南"))),
            ),
        ),
        linkage="none",
        minimum_batch=100,
        opens=None,
        closes=None,
        retention_days=365,
        results="private",
    )


def column_vector(mechanism: Mechanism) -> dict[str, object]:
    """Return five reports of a mechanism and their packed column."""
    text = {"en": "?"}
    options = tuple(Option(f"o{place}", text) for place in range(mechanism.answers))
    question = Question("wide", "wide", text, options, mechanism)
    reports = [
        mechanism.perturb(place, recorded(stream(f"column/{place}", 4096))) for place in range(5)
    ]
    return {
        "mechanism": mechanism.spec(),
        "answers": mechanism.answers,
        "reports": [f"{report:x}" for report in reports],
        "packed": wire.b64(wire.pack_column(reports, question)),
    }


def wire_vectors() -> dict[str, object]:
    """Return the vector file of manifests, batches, withdrawals and receipts."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    survey = example_survey(key)
    bodies = []
    for n, part in [(1, 0), (8, 0), (9, 0), (3, 1)]:
        question = survey.questions[part]
        values = [byte % question.mechanism.reports for byte in stream(f"values/{n}", n)]
        regions = [byte % 2 for byte in stream(f"regions/{n}", n)]
        ids = wire.split_ids(stream(f"ids/{n}", 16 * n))
        batch = wire.Batch(
            survey.digest, ids, {question.id: tuple(values)}, {"region": tuple(regions)}
        )
        bodies.append(
            {
                "ids": [report_id.hex() for report_id in ids],
                "columns": {question.id: values},
                "attributes": {"region": regions},
                "body": wire.encode_batch(batch, survey).decode(),
            }
        )
    withdrawn = wire.split_ids(stream("ids/2", 32))
    receipt = wire.Receipt(received=8, failed=(wire.Failure(3, "survey-closed"),))
    return {
        "publisher_key": b64url(public_bytes(key)),
        "payload": survey.payload.decode(),
        "digest": survey.digest,
        "envelope": sign_manifest(survey.payload, key).decode(),
        "batches": bodies,
        "columns": [column_vector(mechanism) for mechanism in WIDE],
        "withdrawal": {
            "survey": survey.id,
            "ids": [report_id.hex() for report_id in withdrawn],
            "body": wire.encode_withdrawal(survey.id, withdrawn).decode(),
        },
        "receipt": {
            "sent": 9,
            "received": 8,
            "failed": [[3, "survey-closed"]],
            "body": wire.encode_receipt(receipt).decode(),
        },
    }


def vectors() -> dict[str, dict[str, object]]:
    """Return every vector file by its stem."""
    files = {
        name.replace("/", "-"): mechanism_vectors(kind.examples())
        for name, kind in MECHANISMS.items()
    }
    return {
        **files,
        "coins": coin_vectors(),
        "grid": grid_vectors(),
        "text": text_vectors(),
        "wire": wire_vectors(),
    }


if __name__ == "__main__":
    for stem, content in vectors().items():
        lines = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        (FOLDER / f"{stem}.json").write_text(lines + "\n", encoding="utf-8")
