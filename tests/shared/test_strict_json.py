"""JSON is read strictly, at a bounded cost."""

from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sweeps import each

from tossup.shared import strict_json
from tossup.shared.errors import WireError

LIMIT = 1 << 20

HOSTILE = {
    "NaN": b'{"v":NaN}',
    "infinity": b'{"v":Infinity}',
    "negative infinity": b'{"v":-Infinity}',
    "overflowing float": b'{"v":1e999}',
    "float": b'{"v":1.0}',
    "exponent": b'{"v":1e3}',
    "duplicate key": b'{"v":1,"v":2}',
    "nested duplicate key": b'{"a":{"v":1,"v":1}}',
    "deep list": b"[" * 100_000,
    "deep object": b'{"a":' * 100_000,
    "nine deep": b"[" * 9 + b"]" * 9,
    "huge integer": b"9" * 5000,
    "nineteen digits": b"1234567890123456789",
    "byte order mark": b"\xef\xbb\xbf{}",
    "utf-16": '{"v":1}'.encode("utf-16"),
    "not utf-8": b'{"v":"\xff"}',
    "lone surrogate escaped": b'{"v":"a\\uDfff"}',
    "lone surrogate as a key": b'{"\\ud800\\ud800":1}',
    "lone surrogate bytes": b'"\xed\xa0\x80"',
    "empty": b"",
    "white space": b"  ",
    "trailing comma": b"[1,]",
    "trailing text": b"{} {}",
    "comment": b"{} // no",
    "single quotes": b"{'v':1}",
    "unterminated string": b'{"v":"' + b'\\"' * 1000,
    "control character": b'"\x00"',
    "plus sign": b"+1",
    "leading zero": b"01",
    "hexadecimal": b"0x10",
}


@each("data", HOSTILE.values())
def test_what_is_not_strict_json_is_refused(data: bytes):
    """Every hostile text is a WireError that does not repeat it."""
    with pytest.raises(WireError) as refusal:
        strict_json.loads(data, LIMIT)

    assert data.decode("latin-1")[:8] not in str(refusal.value) or len(data) < 3


def test_size_is_checked_before_reading():
    """One byte above the limit is refused, whatever the text."""
    with pytest.raises(WireError, match="above the limit") as refusal:
        strict_json.loads(b" " * 11, 10)

    assert "too-large" == refusal.value.code


def test_brackets_inside_strings_do_not_count_as_depth():
    """A text full of brackets and escaped quotes is as shallow as it looks."""
    value = {"text": '[[[[[[[[[[{{{{\\"[[[[' * 10}

    assert value == strict_json.loads(strict_json.dumps(value), LIMIT)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**16), 10**16) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON.filter(lambda value: len(repr(value)) < 2000))
def test_what_is_written_is_read_back(value: object):
    """Reading inverts writing, for every value at most eight deep, without lone surrogates."""
    try:
        data = strict_json.dumps(value)
    except UnicodeEncodeError:
        return
    assume(not strict_json._is_deep(data))

    assert value == strict_json.loads(data, LIMIT)


@given(st.binary(max_size=64))
def test_any_bytes_are_a_value_or_a_wire_error(data: bytes):
    """No other exception leaves the reader."""
    with suppress(WireError):
        strict_json.loads(data, LIMIT)
