"""Reports as bytes, both ways, bounded.

Stage: outbox to ingest. A batch is a small JSON envelope around packed columns, so that a yes/no
report costs 21.5 bytes and is checked without a loop over objects::

    {"v":1,"manifest":"<sha256>","ids":"<base64 of 16 n bytes>",
     "columns":{"ever_tried":"<base64>"},"attributes":{"region":"<base64>"}}

A column of a two-report mechanism has one bit a report, least significant bit first, and zero
bits after the last; any other has as many whole bytes a report as its largest report needs,
least significant byte first. With linkage ``none`` a batch holds one question, with ``joint`` all
of them. Every text has exactly one form.
"""

import binascii
import re
import struct
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tossup.shared import strict_json
from tossup.shared.errors import WireError
from tossup.shared.survey import Attribute, Question, Survey, is_id

PROTOCOL_VERSION: Final = 1
ID_BYTES: Final = 16
MAX_REPORTS: Final = 10_000
MAX_BODY_BYTES: Final = 1 << 19
MAX_RECEIPT_BYTES: Final = 1 << 19

REPORTS_TYPE: Final = "application/vnd.tossup.reports+json"
WITHDRAWALS_TYPE: Final = "application/vnd.tossup.withdrawals+json"
RECEIPT_TYPE: Final = "application/vnd.tossup.receipt+json"
MANIFEST_TYPE: Final = "application/vnd.tossup.manifest+json"
PROBLEM_TYPE: Final = "application/problem+json"
PROBLEM_PREFIX: Final = "urn:tossup:error:"

_CODE = re.compile(r"[a-z][a-z-]{0,63}")

Columns = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Batch:
    """Randomized reports to one manifest, as columns of equal length.

    Attributes
    ----------
    manifest
        The manifest's digest, 64 hex digits.
    ids
        One random 16-byte id a report. A report id is a capability: anyone who knows it may
        withdraw the report.
    columns
        Report values by question id.
    attributes
        Option indexes by attribute id: public, not randomized.
    """

    manifest: str
    ids: tuple[bytes, ...]
    columns: Columns
    attributes: Columns


@dataclass(frozen=True, slots=True)
class Failure:
    """A report that was refused: its place in the batch and the reason's code."""

    index: int
    code: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """How many reports the server has durably counted, now or before, and which it refused."""

    received: int
    failed: tuple[Failure, ...] = ()


def is_bit_column(part: Question | Attribute) -> bool:
    """Return whether a column travels as bits: two reports are possible."""
    return isinstance(part, Question) and part.mechanism.reports == 2


def report_bytes(part: Question | Attribute) -> int:
    """Return the bytes of one value in a column that does not travel as bits."""
    largest = part.mechanism.reports if isinstance(part, Question) else len(part.options)
    return max(1, -(-(largest - 1).bit_length() // 8))


def column_bytes(part: Question | Attribute, n: int) -> int:
    """Return the packed length of a column of ``n`` reports."""
    return -(-n // 8) if is_bit_column(part) else n * report_bytes(part)


def is_value(part: Question | Attribute, value: int) -> bool:
    """Return whether a column may hold a value: a possible report, or the index of an option."""
    if isinstance(part, Question):
        return part.mechanism.is_report(value)
    return 0 <= value < len(part.options)


def pack_column(values: Sequence[int], part: Question | Attribute) -> bytes:
    """Return the packed bytes of a column.

    Raises
    ------
    WireError
        If a value is not an integer that the column may hold.
    """
    if any(type(value) is not int or not is_value(part, value) for value in values):
        raise WireError(f"column {part.id!r} holds a value outside its range")
    if not is_bit_column(part):
        width = report_bytes(part)
        return b"".join(value.to_bytes(width, "little") for value in values)
    bits = sum(value << place for place, value in enumerate(values))
    return bits.to_bytes(column_bytes(part, len(values)), "little")


def unpack_column(data: bytes, n: int, part: Question | Attribute) -> tuple[int, ...]:
    """Return the ``n`` values of a packed column.

    Raises
    ------
    WireError
        If the length is wrong, a value is out of range, or a padding bit is set.
    """
    if len(data) != column_bytes(part, n):
        raise WireError(f"column {part.id!r} has {len(data)} bytes for {n} reports")
    if is_bit_column(part):
        bits = int.from_bytes(data, "little")
        if bits >> n:
            raise WireError(f"column {part.id!r} has set bits after its last report")
        return tuple(bits >> place & 1 for place in range(n))
    width = report_bytes(part)
    values = [int.from_bytes(data[at : at + width], "little") for at in range(0, len(data), width)]
    if not all(is_value(part, value) for value in values):
        raise WireError(f"column {part.id!r} holds a value outside its range")
    return tuple(values)


def encode_batch(batch: Batch, survey: Survey) -> bytes:
    """Return the body of ``POST /v1/reports`` for a batch.

    Raises
    ------
    WireError
        If the batch does not fit the survey or the limits.
    """
    n = len(batch.ids)
    questions, attributes = batch_parts(survey, batch.columns, batch.attributes)
    columns = [*batch.columns.values(), *batch.attributes.values()]
    if batch.manifest != survey.digest or any(len(column) != n for column in columns):
        raise WireError("the batch names another manifest or its columns differ in length")
    if any(len(report_id) != ID_BYTES for report_id in batch.ids):
        raise WireError(f"report ids must have {ID_BYTES} bytes")
    if not 1 <= n <= MAX_REPORTS:
        raise WireError(f"a batch holds 1 to {MAX_REPORTS} reports", "too-many-reports")
    return encode_packed(
        batch.manifest,
        b"".join(batch.ids),
        {q.id: pack_column(batch.columns[q.id], q) for q in questions},
        {a.id: pack_column(batch.attributes[a.id], a) for a in attributes},
    )


def encode_packed(
    manifest: str,
    ids: bytes,
    columns: Mapping[str, bytes],
    attributes: Mapping[str, bytes],
) -> bytes:
    """Return the body of ``POST /v1/reports`` for columns that are packed, in the survey's order.

    Raises
    ------
    WireError
        If it is larger than the limit.
    """
    body: dict[str, object] = {
        "v": PROTOCOL_VERSION,
        "manifest": manifest,
        "ids": b64(ids),
        "columns": {name: b64(data) for name, data in columns.items()},
    }
    if attributes:
        body["attributes"] = {name: b64(data) for name, data in attributes.items()}
    data = strict_json.dumps(body)
    if len(data) > MAX_BODY_BYTES:
        raise WireError(f"the batch has more than {MAX_BODY_BYTES} bytes; send less", "too-large")
    return data


def decode_batch(body: bytes, survey: Survey) -> Batch:
    """Return the batch of a request body: the inverse of `encode_batch`.

    Raises
    ------
    WireError
        If the body is not exactly what `encode_batch` writes for some batch to this survey.
    """
    match strict_json.loads(body, MAX_BODY_BYTES):
        case {"v": v, "manifest": manifest, "ids": ids, "columns": dict(columns), **rest} if (
            _is_version(v)
        ):
            attributes = rest.pop("attributes", {})
        case _:
            raise WireError("a batch has v, manifest, ids, columns and attributes")
    if rest:
        raise WireError("a batch has only v, manifest, ids, columns and attributes")
    if manifest != survey.digest or not isinstance(attributes, dict):
        raise WireError("the batch names another manifest", "manifest-unknown")
    questions, publics = batch_parts(survey, columns, attributes)
    report_ids = split_ids(unb64(ids))
    n = len(report_ids)
    return Batch(
        manifest=manifest,
        ids=report_ids,
        columns={q.id: unpack_column(unb64(columns[q.id]), n, q) for q in questions},
        attributes={a.id: unpack_column(unb64(attributes[a.id]), n, a) for a in publics},
    )


def batch_parts(
    survey: Survey, columns: Mapping[str, object], attributes: Mapping[str, object]
) -> tuple[tuple[Question, ...], tuple[Attribute, ...]]:
    """Return the questions and attributes a batch must carry, in the manifest's order.

    Raises
    ------
    WireError
        If the batch carries others: with linkage ``none`` exactly one question, with ``joint``
        all of them, and in both cases every attribute.
    """
    questions = tuple(q for q in survey.questions if q.id in columns)
    expected = len(survey.questions) if survey.linkage == "joint" else 1
    if len(questions) != expected or len(columns) != expected:
        rule = "all questions" if survey.linkage == "joint" else "exactly one question"
        raise WireError(f"a batch of this survey (linkage {survey.linkage}) carries {rule}")
    if set(attributes) != {attribute.id for attribute in survey.attributes}:
        raise WireError("a batch carries every attribute of its survey and no other")
    return questions, survey.attributes


def split_ids(data: bytes) -> tuple[bytes, ...]:
    """Return the 16-byte report ids of a packed column of ids.

    Raises
    ------
    WireError
        If the length is not that of 1 to 10,000 ids, or an id stands twice.
    """
    if len(data) % ID_BYTES or not data:
        raise WireError(f"ids must be a positive multiple of {ID_BYTES} bytes")
    if len(data) > ID_BYTES * MAX_REPORTS:
        raise WireError(f"a batch holds at most {MAX_REPORTS} reports", "too-many-reports")
    ids = struct.unpack(f"{ID_BYTES}s" * (len(data) // ID_BYTES), data)
    if len(set(ids)) != len(ids):
        raise WireError("a report id stands twice in one batch")
    return ids


def encode_withdrawal(survey_id: str, ids: Sequence[bytes]) -> bytes:
    """Return the body of ``POST /v1/withdrawals``."""
    return strict_json.dumps(
        {"v": PROTOCOL_VERSION, "survey": survey_id, "ids": b64(b"".join(ids))}
    )


def decode_withdrawal(body: bytes) -> tuple[str, tuple[bytes, ...]]:
    """Return the survey id and the report ids of a withdrawal.

    Raises
    ------
    WireError
        If the body is malformed.
    """
    match strict_json.loads(body, MAX_BODY_BYTES):
        case {"v": v, "survey": str(survey_id), "ids": str(ids), **rest} if (
            _is_version(v) and is_id(survey_id) and not rest
        ):
            return survey_id, split_ids(unb64(ids))
        case _:
            raise WireError("a withdrawal has exactly v, survey, which is an id, and ids")


def encode_receipt(receipt: Receipt) -> bytes:
    """Return the body of a 200 answer."""
    failed = [{"i": failure.index, "code": failure.code} for failure in receipt.failed]
    return strict_json.dumps(
        {"v": PROTOCOL_VERSION, "received": receipt.received, "failed": failed}
    )


def decode_receipt(body: bytes, sent: int) -> Receipt:
    """Return the receipt for a request of ``sent`` reports.

    Raises
    ------
    WireError
        If it is malformed or does not account for every report exactly once. A page of a
        captive portal is malformed, and so is half a receipt.
    """
    match strict_json.loads(body, MAX_RECEIPT_BYTES):
        case {"v": v, "received": int(received), "failed": [*failed], **rest} if (
            _is_version(v) and not rest
        ):
            failures = tuple(_failure(failure) for failure in failed)
        case _:
            raise WireError("a receipt has exactly v, received and failed")
    places = [failure.index for failure in failures]
    if type(received) is not int or received + len(failures) != sent:
        raise WireError("the receipt does not account for every report")
    if places != sorted(set(places)) or any(not 0 <= place < sent for place in places):
        raise WireError("the receipt's failures are out of order or range")
    return Receipt(received, failures)


def _failure(value: object) -> Failure:
    match value:
        case {"i": int(index), "code": str(code), **rest} if (
            not rest and type(index) is int and _CODE.fullmatch(code)
        ):
            return Failure(index, code)
        case _:
            raise WireError("a failure has exactly i and code")


def _is_version(value: object) -> bool:
    """Return whether this is the protocol's version: the number 1, and not true."""
    return type(value) is int and value == PROTOCOL_VERSION


def b64(data: bytes) -> str:
    """Return standard base64 with padding."""
    return b64encode(data).decode("ascii")


def unb64(text: object) -> bytes:
    """Return the bytes of canonical standard base64.

    Raises
    ------
    WireError
        If the value is anything else: whitespace, a trailing newline, loose padding bits.
    """
    if not isinstance(text, str):
        raise WireError("base64 must be a string")
    try:
        data = b64decode(text.encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise WireError("not base64") from error
    if b64(data) != text:
        raise WireError("not canonical base64")
    return data
