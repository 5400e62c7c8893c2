"""What the browser SDK makes of a manifest is what Python makes of it: the same survey, or none."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest
from sweeps import proving

from tossup.shared.errors import ManifestError
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import Duchi, TwoCoin
from tossup.shared.signing import b64url, public_bytes, sign_manifest, verify_manifest
from tossup.shared.strict_json import dumps
from tossup.shared.survey import Attribute, Option, Question, Survey
from tossup.shared.waves import Waves

#: What takes the place of a part of a manifest, one after the other.
INSTEAD = (
    *(None, True, False, 0, 1, -1, 2, 3, 256, 257, 1000001, 10**17, 1.5, "", "a", "A", "é", "1"),
    *("en", "zh-Hans", "wave", "joint", "none", "public", "3", "9", "27", "1.0987", "2.1973"),
    *("2026-02-28", "2026-02-29", "0001-01-01", "10000-01-01", "2026-2-3", "20260228", "x" * 2000),
    *("x" * 2001, "𝄞" * 1001, "a\nb", "a\tb", "a\u202eb", "a\u2066b", "می\u200cخواهم", "\u2028"),
    *([], [1], ["waves"], ["en"], ["en", "zh-Hans"], {}, {"en": "x"}, {"name": "two-coin/1"}),
    *({"name": "two-coin/1", "keep": 3}, {"name": "no-such/1"}, {"__proto__": 1}, {"name": None}),
    *("private", "live", "daily", "closed", ["closed"]),
    *({"en": "x", "zh-Hans": "y"}, {"zh-Hans": "y", "en": "x"}, {"en": "x", "zh-Hans": 1}),
)


def words(en: str) -> dict[str, str]:
    return {"en": en, "zh-Hans": f"“{en}”"}


def options(*names: str) -> tuple[Option, ...]:
    return tuple(Option(name, words(name)) for name in names)


@pytest.fixture(scope="module")
def surveys(survey: Survey) -> tuple[Survey, ...]:
    """Surveys with all fields that a manifest may have."""
    regions = Attribute("region", words("Region?"), options("north", "south"))
    wave = Attribute("wave", words("Wave?"), options("1", "2", "3"))
    questions = (
        Question("1984", "a", words("Have you\never?"), (), TwoCoin()),
        Question("7", "b", words("And this?"), (), TwoCoin(), short=words("This " + "𝄞" * 33)),
    )
    plain = replace(
        survey,
        version=2,
        previous="0f" * 32,
        title=words("Title"),
        purpose=words("Why"),
        languages=("en", "zh-Hans"),
        questions=questions,
        attributes=(regions,),
        opens=date(2026, 1, 1),
        closes=date(2026, 12, 31),
        late_days=3,
        same_meaning=("7", "region.north", "survey:title"),
        results="public",
        shown="daily",
    )
    hours = Question("h", "c", words("How long?"), (), Duchi(10), Grid.integers(0, 9))
    questions = (*questions, replace(hours, unit=words("hours")))
    first = replace(plain, version=1, previous=None, same_meaning=())
    joint = replace(first, linkage="joint", questions=questions)
    in_waves = replace(
        plain, attributes=(regions, wave), waves=Waves(3, date(2026, 1, 5), 7, times=2)
    )
    permanent = replace(plain, attributes=(wave,), waves=Waves(3, date(2026, 1, 5), 7))
    return plain, joint, in_waves, permanent


@pytest.fixture(scope="module")
def browser_sdk(built):
    """Return what the browser SDK says of many envelopes, each with the key that is pinned."""

    def ask(cases: list[tuple[bytes, bytes]]) -> list[dict[str, object]]:
        lines = [json.dumps({"envelope": b64url(e), "key": b64url(k)}) for e, k in cases]
        program = ["node", "tests/client/web/verify.mjs", built / "package/readable/testing.js"]
        said = subprocess.run(
            program, input="\n".join(lines), capture_output=True, text=True, check=True
        )
        return [json.loads(line) for line in said.stdout.splitlines()]

    return ask


def of_python(envelope: bytes, key: bytes) -> dict[str, object]:
    try:
        survey = Survey.parse(verify_manifest(envelope, key))
    except ManifestError as error:
        return {"refused": "refused-manifest", "why": str(error)}
    costs = [
        [q.id, f"{c.numerator}/{c.denominator}", f"{d.numerator}/{d.denominator}"]
        for q, c, d in ((q, survey.cost(q), survey.chance(q)) for q in survey.questions)
    ]
    return {
        "digest": survey.digest,
        "odds": json.loads(survey.payload)["odds"],
        "costs": costs,
    }


def agree(browser_sdk, cases: dict[str, tuple[bytes, bytes]]) -> int:
    """Compare what both make of all cases; return how many are accepted."""
    told = browser_sdk(list(cases.values()))
    assert len(told) == len(cases)
    ours = [of_python(*case) for case in cases.values()]
    differ = [
        (name, theirs, mine)
        for name, theirs, mine in zip(cases, told, ours, strict=True)
        if (theirs.get("refused") != mine.get("refused") if "refused" in theirs else theirs != mine)
    ]
    assert differ[:5] == [], len(differ)
    return sum("refused" not in mine for mine in ours)


def variants(value: object, place: str = "") -> Iterator[tuple[str, object]]:
    """Yield a manifest with one part replaced, left out, doubled or moved, for every part."""
    for instead in INSTEAD:
        if instead != value or type(instead) is not type(value):
            yield f"{place} = {instead!r:.40}", instead
    match value:
        case dict():
            for name, part in value.items():
                rest = {key: other for key, other in value.items() if key != name}
                yield f"{place}.{name} left out", rest
                yield f"{place}.{name} last", {**rest, name: part}
                yield f"{place}.{name} renamed", {**rest, f"{name}_": part}
                for where, other in variants(part, f"{place}.{name}"):
                    yield where, {**value, name: other}
        case list():
            for at, part in enumerate(value):
                yield f"{place}[{at}] left out", value[:at] + value[at + 1 :]
                yield f"{place}[{at}] twice", [*value[: at + 1], *value[at:]]
                for where, other in variants(part, f"{place}[{at}]"):
                    yield where, [*value[:at], other, *value[at + 1 :]]


@pytest.mark.parametrize("every", proving((3, 41), but=(41,)))
def test_both_make_the_same_of_every_variant(browser_sdk, surveys, publisher_key, every):
    """A part that is replaced, left out, doubled, renamed or moved: refused by both, or by none."""
    key = public_bytes(publisher_key)
    cases = {}
    for survey in surveys:
        manifest = json.loads(survey.payload)
        changed = {"as it is": manifest, **dict(list(variants(manifest))[::every])}
        for name, value in changed.items():
            envelope = sign_manifest(dumps(value), publisher_key)
            cases[f"{survey.linkage} {survey.waves is not None} {survey.tosses} {name}"] = (
                envelope,
                key,
            )

    accepted = agree(browser_sdk, cases)

    assert len(cases) > 15_000 // every
    assert accepted > 100 // every


def test_both_refuse_what_is_not_written_in_its_one_form(browser_sdk, surveys, publisher_key):
    """Spaces, escapes, doubled keys, other numbers, bytes that are no text."""
    payload = surveys[0].payload
    forms = [
        payload + b" ",
        payload.replace(b":", b": ", 1),
        payload.replace(b'"v":1', b'"v":1,"v":1'),
        payload.replace(b'"v":1', b'"v":1.0'),
        payload.replace(b'"v":1', b'"v":1e0'),
        payload.replace(b"Title", b"T\\u0069tle"),
        payload.replace(b"Title", b"\xff"),
        payload.replace(b"Title", b"\\ud800"),
        payload.replace(b"Title", "T\u2028".encode()),
        payload.replace(b"Title", b'\\"\\\\'),
        payload.replace(b"Title", b"\\/"),
        payload.replace(b"365", b"365000000000000000000"),
        b"\xef\xbb\xbf" + payload,
        b"",
        b"null",
        b"[" * 100_000,
        payload.replace(b"Title", b"x" * (1 << 17)),
    ]
    key = public_bytes(publisher_key)
    cases = {repr(form[:40]): (sign_manifest(form, publisher_key), key) for form in forms}

    assert agree(browser_sdk, cases) <= 2


def test_both_refuse_what_the_pinned_key_did_not_sign(browser_sdk, surveys, publisher_key):
    """Another key, another signature, another type, more or fewer signatures than allowed."""
    key = public_bytes(publisher_key)
    envelope = json.loads(sign_manifest(surveys[0].payload, publisher_key))
    (sig,) = envelope["sigs"]
    wrong = {"kid": sig["kid"], "sig": "A" * 86}
    forms = {
        "as it is": envelope,
        "a wrong one first": envelope | {"sigs": [wrong, sig]},
        "four": envelope | {"sigs": [wrong, wrong, wrong, sig]},
        "five": envelope | {"sigs": [wrong, wrong, wrong, wrong, sig]},
        "none": envelope | {"sigs": []},
        "only a wrong one": envelope | {"sigs": [wrong]},
        "by another key": envelope | {"sigs": [sig | {"kid": "0" * 16}]},
        "more": envelope | {"more": 1},
        "another type": envelope | {"type": "tossup.manifest.v2"},
        "padded": envelope | {"payload": envelope["payload"] + "="},
        "standard base64": envelope | {"payload": envelope["payload"] + "+"},
        "a bit flipped": envelope | {"payload": "A" + envelope["payload"][1:]},
        "no payload": envelope | {"payload": ""},
    }
    cases = {name: (dumps(form), key) for name, form in forms.items()}
    cases["another pinned key"] = (dumps(envelope), bytes(32))
    cases["no envelope"] = (b"<html>", key)
    cases["too long"] = (b" " * (1 << 19), key)

    assert agree(browser_sdk, cases) == 3
