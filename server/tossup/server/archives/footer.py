"""The signed footer of an archive: which reports a file holds, and what they add up to.

Stage: after a survey. A footer is three entries of the file's own metadata: the exact bytes of a
JSON object, an Ed25519 signature over them, and the manifest's signed envelope, so that a file can
be counted wherever it lies. The counts stay true when the reports are deleted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tossup.server.archives.errors import ArchiveDamaged, ArchiveUntrusted
from tossup.server.store.envelopes import verified_survey
from tossup.server.store.parsed import radix_digits
from tossup.server.store.tally import Cell, SparseCounts
from tossup.shared import strict_json
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.signing import b64url, key_id, public_bytes, unb64url
from tossup.shared.survey import Survey

#: What the file's metadata call the three entries.
FOOTER: Final = b"tossup.footer"
SIGNATURE: Final = b"tossup.signature"
MANIFEST: Final = b"tossup.manifest"
ENTRIES: Final = (FOOTER, SIGNATURE, MANIFEST)

_TYPE: Final = b"tossup.archive.v1"
_MAX_BYTES: Final = 64 << 20

#: Counters above 0 by place, for each question and each stratum's number.
Counted = Mapping[str, Mapping[int, Mapping[int, int]]]


@dataclass(frozen=True, slots=True)
class Footer:
    """What one file says of itself.

    Attributes
    ----------
    survey
        The manifest that the reports answer.
    question
        The question's id; None where one report answers all of them (linkage ``joint``).
    day
        The server's day (UTC) on which the reports arrived.
    part
        1, and more where reports of the same day were sealed apart.
    n
        How many reports the file was sealed with.
    sealed
        How many reports of the whole survey were sealed with it, in all files.
    delete_after
        The last day on which single reports may be kept, by the manifest's ``retention_days``.
    counted
        What the reports add up to.
    """

    survey: Survey
    question: str | None
    day: date
    part: int
    n: int
    sealed: int
    delete_after: date
    counted: Counted

    def cells(self) -> Iterator[Cell]:
        """Yield the cells of the tally, question by question and stratum by stratum."""
        for question, strata in self.counted.items():
            size = self.survey.question(question).mechanism.counters
            for stratum, counts in strata.items():
                digits = radix_digits(stratum, self.survey)
                kept = SparseCounts(counts, size)
                yield Cell(self.survey.digest, question, self.day, digits, kept)


def to_metadata(footer: Footer, envelope: bytes, key: Ed25519PrivateKey) -> dict[bytes, bytes]:
    """Return the metadata of a file: footer, signature and manifest."""
    payload = strict_json.dumps(
        {
            "v": 1,
            "manifest": footer.survey.digest,
            "question": footer.question,
            "day": footer.day.isoformat(),
            "part": footer.part,
            "n": footer.n,
            "sealed": footer.sealed,
            "delete_after": footer.delete_after.isoformat(),
            "counts": {
                question: [[stratum, sorted(counts.items())] for stratum, counts in strata.items()]
                for question, strata in footer.counted.items()
            },
        }
    )
    signature = public_bytes(key) + key.sign(_to_sign(payload))
    return {FOOTER: payload, SIGNATURE: b64url(signature).encode("ascii"), MANIFEST: envelope}


def from_metadata(
    metadata: Mapping[bytes, bytes] | None, trusted: bytes | None
) -> tuple[Footer, bytes]:
    """Return the footer in a file's metadata, and the public key that signed it.

    Parameters
    ----------
    metadata
        The file's entries.
    trusted
        The public key that must have signed it; None for any, which proves only that one key
        signed all of the footer.

    Raises
    ------
    ArchiveUntrusted
        If the file is not signed, or not by this key.
    ArchiveDamaged
        If the footer or the manifest in it cannot be read, or they do not fit.
    """
    entries = metadata or {}
    if not entries.keys() >= set(ENTRIES):
        raise ArchiveUntrusted("the file has no signed footer, so tossup did not seal it")
    signer = _verified(entries[FOOTER], entries[SIGNATURE], trusted)
    try:
        survey = verified_survey(entries[MANIFEST])
        return _read(strict_json.loads(entries[FOOTER], _MAX_BYTES), survey), signer
    except (ManifestError, WireError, ValueError, KeyError, TypeError) as error:
        raise ArchiveDamaged(f"the file's footer cannot be read: {error}") from error


def _verified(payload: bytes, signature: bytes, trusted: bytes | None) -> bytes:
    """Return the public key of a valid signature."""
    try:
        raw = unb64url(signature.decode("ascii"))
        signer = raw[:32]
        Ed25519PublicKey.from_public_bytes(signer).verify(raw[32:], _to_sign(payload))
    except (WireError, ValueError, InvalidSignature) as error:
        raise ArchiveUntrusted("the signature of the file's footer is not valid") from error
    if trusted is not None and signer != trusted:
        raise ArchiveUntrusted(
            f"the file is signed by the key {key_id(signer)}, and not by {key_id(trusted)}"
        )
    return signer


def _read(value: Any, survey: Survey) -> Footer:
    if value["v"] != 1:
        raise ValueError(f"its version is {value['v']}; upgrade tossup")
    if value["manifest"] != survey.digest:
        raise ValueError("it names another manifest than the one beside it")
    return Footer(
        survey=survey,
        question=value["question"],
        day=date.fromisoformat(value["day"]),
        part=value["part"],
        n=value["n"],
        sealed=value["sealed"],
        delete_after=date.fromisoformat(value["delete_after"]),
        counted={
            survey.question(question).id: {stratum: dict(counts) for stratum, counts in strata}
            for question, strata in value["counts"].items()
        },
    )


def _to_sign(payload: bytes) -> bytes:
    return b"".join(len(part).to_bytes(8, "little") + part for part in (_TYPE, payload))
