"""JSON read strictly: the protocol refuses some texts that the standard library accepts.

Stage: bytes to values, on both ends. Python's own reader accepts NaN, keeps the last of two equal
keys, takes half of a surrogate pair, which no file and no database can hold, and answers deep
nesting with RecursionError. This module refuses all of these, before or while reading, at a
cost linear in the size.
"""

import json
import re
from typing import NoReturn

from tossup.shared.errors import WireError

MAX_DEPTH = 8

# Possessive and open-ended, so that hostile quotes and backslashes cost linear time.
_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_SURROGATE = re.compile(rb"\\u[dD][89abcdefABCDEF]")
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


def loads(data: bytes, max_bytes: int) -> object:
    """Return the value of a JSON text in UTF-8, read strictly.

    Parameters
    ----------
    data
        The text, at most ``max_bytes`` long and nested at most 8 deep.
    max_bytes
        The limit, checked before anything is read.

    Raises
    ------
    WireError
        If the text is too long, too deep, not UTF-8, not JSON, names a key twice, or holds
        NaN, an infinity, a fraction, an integer of more than 18 digits, or a lone surrogate.
    """
    if len(data) > max_bytes:
        raise WireError(f"{len(data)} bytes are above the limit of {max_bytes}", "too-large")
    if _is_deep(data):
        raise WireError(f"nested deeper than {MAX_DEPTH} levels")
    try:
        value: object = _READER.decode(data.decode("utf-8"))
        if _SURROGATE.search(data):  # only an escape can bring one in
            dumps(value)
    except UnicodeEncodeError as error:
        raise WireError("a text holds a lone surrogate, half of a character") from error
    except (ValueError, RecursionError) as error:
        raise WireError("not JSON in UTF-8") from error
    return value


def dumps(value: object) -> bytes:
    """Return the compact JSON text of a value, in UTF-8, keys in the order given."""
    return _WRITER.encode(value).encode()


def _is_deep(data: bytes) -> bool:
    depth = 0
    for byte in _STRINGS.sub(b"", data).translate(None, delete=_NOT_BRACKETS):
        depth += 1 if byte in b"[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise WireError("an object names the same key twice")
    return value


def _integer(text: str) -> int:
    if len(text) > 18:
        raise WireError("an integer has more than 18 digits")
    return int(text)


def _refuse_number(_text: str) -> NoReturn:
    raise WireError("numbers must be integers")


# Made once: `json` would make one for every text, which takes as long as a short text.
_READER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_constant=_refuse_number,
    parse_float=_refuse_number,
    parse_int=_integer,
)
_WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
