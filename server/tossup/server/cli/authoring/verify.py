"""``tossup verify``: recompute the guarantees of a signed manifest."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import click

from tossup.server.cli.api import Server
from tossup.server.cli.output import Failure, RefusedForPrivacy, emit, json_option, note, table
from tossup.shared.figures import brief, read_in_full

if TYPE_CHECKING:
    from tossup.server.surveys.verification import Verification


@click.command()
@click.argument("manifest")
@click.option("--key", help="The publisher's key, base64url; by default that of the link.")
@json_option
def verify(*, manifest: str, key: str | None, as_json: bool) -> None:
    """Recompute every guarantee of MANIFEST: a signed file, - or a respondent's link.

    Nothing that it claims is believed: the odds come from enumerating each channel, or where that
    has too many cells, or integrals, from a formula, and it is said which page proves that.
    Exits with 4 if the manifest claims less than it costs, with 1 if its signature is not valid.
    """
    from tossup.server.surveys import verification
    from tossup.shared.errors import ManifestError

    envelope, linked = _read(manifest)
    try:
        found = verification.verify(envelope, _key(key or linked))
    except verification.UnderstatedError as error:
        raise RefusedForPrivacy(str(error), "do not answer it; tell the publisher") from error
    except ManifestError as error:
        raise Failure(str(error)) from error
    emit(found.to_json(), _as_text(found), as_json=as_json)
    if not found.pinned and not as_json:
        note(
            "The key is the one that the manifest names. With --key KEY, from the publisher, you"
            " also learn whose manifest it is."
        )


def _read(manifest: str) -> tuple[bytes, str | None]:
    """Return the envelope, and the key that a link carries."""
    from tossup.shared.wire import MANIFEST_TYPE

    parts = urlsplit(manifest)
    if parts.scheme in {"http", "https"}:
        server = Server.of(f"{parts.scheme}://{parts.netloc}", None)
        keys = parse_qs(parts.fragment).get("key", [])
        envelope = Server(server.url).get_bytes(parts.path, MANIFEST_TYPE)
        return envelope, keys[0] if keys else None
    try:
        with click.open_file(manifest, "rb") as file:
            return file.read().decode("utf-8-sig").encode(), None
    except UnicodeError as error:
        raise Failure(f"{manifest} is no manifest: it is not text in UTF-8") from error
    except OSError as error:
        raise Failure(f"{manifest} cannot be read: {error.strerror}") from error


def _key(text: str | None) -> bytes | None:
    from tossup.shared.errors import WireError
    from tossup.shared.signing import unb64url

    if text is None:
        return None
    try:
        key = unb64url(text)
    except WireError as error:
        raise click.UsageError(f"--key: {error}") from error
    if len(key) != 32:
        raise click.UsageError("--key: a publisher's key has 32 bytes, 43 characters of base64url")
    return key


def _of_one(cost: dict[str, Any]) -> dict[str, object]:
    """Return the odds of a single report and of all, beside what all waves are charged."""
    from tossup.shared.odds import odds_as_text

    one, all_of_them = cost["odds_of_one_report"], cost["odds_of_all_reports"]
    return {
        "of one report": odds_as_text(Fraction(one)),
        "of all reports": odds_as_text(Fraction(all_of_them)),
    }


def _formulas(found: "Verification") -> list[str]:
    """Return what was not enumerated, and where its formula is proven."""
    return [
        f"{cost.question}: the channel of {cost.mechanism.name} is not enumerated; its cost is by"
        f" the formula that {cost.proof_page} proves."
        for cost in found.costs
        if cost.proof == "formula"
    ]


def _waves(waves: dict[str, Any] | None) -> list[str]:
    """Return what a device tosses in a survey with waves; nothing without."""
    if waves is None:
        return []
    times = waves["times"]
    toss = "tosses once for life" if times is None else f"tosses afresh in {times} of them"
    return [
        f"Asked in {waves['count']} waves; a device {toss}. Odds are for all of them, also for"
        " whoever takes the device; those of all reports are for whoever links its reports alone."
    ]


def _as_text(found: "Verification") -> str:
    from tossup.server.surveys.verification import belief_after
    from tossup.shared.odds import chance_as_text, odds_as_text

    described: dict[str, Any] = found.to_json()
    publisher = described["publisher"]
    rows = [
        {
            "question": cost["id"],
            "mechanism": cost["mechanism"]["name"],
            "odds": odds_as_text(read_in_full(cost["odds"])),
            **(_of_one(cost) if described["waves"] else {}),
            "epsilon": cost["epsilon"],
            "delta": chance_as_text(read_in_full(cost["delta"])),
            "1 in 10 becomes": brief(read_in_full(cost["belief"])),
            "known by": cost["proof"],
        }
        for cost in described["questions"]
    ]
    total = (
        f"Answering everything: odds {odds_as_text(found.odds)} (epsilon {described['epsilon']},"
        f" delta {brief(found.delta)}). A belief of {described['belief']['before']} can become"
        f" {brief(belief_after(found.odds))}, {_not_more(found.delta)}."
    )
    public = [
        f"Sent as it is, not randomized: {each['id']} ({', '.join(each['options'])})"
        for each in described["attributes"]
    ]
    return "\n".join(
        [
            f"{described['survey']}, version {described['version']}, is signed by"
            f" {publisher['name']} (key {publisher['key_id']})",
            f"Manifest {described['manifest']}",
            table(rows, list(rows[0])),
            total,
            *_formulas(found),
            *_waves(described["waves"]),
            *public,
        ]
    )


def _not_more(delta: Fraction) -> str:
    from tossup.shared.odds import chance_as_text

    return f"but for a chance of {chance_as_text(delta)} not more" if delta else "not more"
