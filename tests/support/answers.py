"""Answers of a server over HTTP, written out by hand."""

from tossup.shared import strict_json, wire

Answer = tuple[int, dict[str, str], bytes]


def problem(status: int, code: str, **headers: str) -> Answer:
    body = strict_json.dumps({"type": wire.PROBLEM_PREFIX + code, "status": status})
    return status, {"Content-Type": wire.PROBLEM_TYPE, **headers}, body


def receipt(received: int, *failed: wire.Failure) -> Answer:
    body = wire.encode_receipt(wire.Receipt(received, failed))
    return 200, {"Content-Type": wire.RECEIPT_TYPE}, body
