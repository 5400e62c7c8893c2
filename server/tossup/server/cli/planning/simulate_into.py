"""``tossup simulate --into LINK``: made-up respondents fill a server, over the real wire."""

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

import click

from tossup.server.cli.api import Refused, Server
from tossup.server.cli.output import Failure, emit, note
from tossup.server.cli.planning.truths import example, shares, told

if TYPE_CHECKING:
    from tossup.server.kernels.base import Indexes
    from tossup.server.kinds.made_up.people import Population
    from tossup.shared.survey import Attribute, Question, Survey

#: Reports of one request; fewer where they would be more bytes than a request may have.
_BATCH: Final = 10_000
_TRIES: Final = 5
_PAUSE_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class _People:
    """Everyone who answers, as far as they are made up by ``--truth``."""

    survey: "Survey"
    answers: Mapping[str, "Population"]
    groups: Mapping[str, "Population"]


def send_into(
    link: str, written: Mapping[str, str], n: int, *, agreed: bool, as_json: bool
) -> None:
    """Let n made-up respondents answer the survey at a link, and send their reports.

    Report ids are always fresh: the same seed sent twice is counted twice.

    Raises
    ------
    Failure
        If the survey is not there, is not signed by the link's key, is in no wave, or a report is
        refused.
    """
    server, survey = _survey(link)
    people = _people(survey, written)
    if not agreed:
        _ask(server, survey, n)
    requests = 1 if survey.linkage == "joint" else len(survey.questions)
    started = time.monotonic()
    with click.progressbar(length=n * requests, label="Sending", file=sys.stderr) as bar:
        for count in _sent(server, _bodies(people, n)):
            bar.update(count)
    seconds = time.monotonic() - started
    value = {"survey": survey.id, "respondents": n, "reports": n * requests}
    emit(value, f"{n * requests} reports of {n} respondents", as_json=as_json)
    if not as_json:
        note(f"{n * requests / seconds:,.0f} reports a second. Now: tossup estimate {survey.id}")


def _survey(link: str) -> "tuple[Server, Survey]":
    """Return the server and the survey at a link, verified against the link's key."""
    from tossup.shared.errors import TossupError
    from tossup.shared.signing import unb64url, verify_manifest
    from tossup.shared.survey import Survey
    from tossup.shared.wire import MANIFEST_TYPE

    parts = urlsplit(link)
    prefix, found, _ = parts.path.partition("/v1/surveys/")
    if not found:
        raise Failure(
            f"{link!r} is no link to a survey", "the whole link that survey create printed"
        )
    server = Server(Server.of(f"{parts.scheme}://{parts.netloc}{prefix}", None).url)
    envelope = server.get_bytes(parts.path.removeprefix(prefix), MANIFEST_TYPE)
    try:
        key = parse_qs(parts.fragment).get("key", [""])[0]
        return server, Survey.parse(verify_manifest(envelope, unb64url(key)))
    except TossupError as error:
        raise Failure(
            f"the survey at LINK is not used: {error}", "the whole link that survey create printed"
        ) from error


def _ask(server: Server, survey: "Survey", n: int) -> None:
    """Let someone confirm who sees where it goes."""
    if not (sys.stdin and sys.stdin.isatty()):
        raise click.UsageError("there is no terminal to ask on; add --yes to send without asking")
    note(f"{survey.id} on {server.url}: reports of made-up people stay in its estimates for ever.")
    click.confirm(f"Send those of {n}?", abort=True, err=True)


def _people(survey: "Survey", written: Mapping[str, str]) -> _People:
    from tossup.shared.errors import AnswerError

    asked = {*(q.id for q in survey.questions), *(a.id for a in survey.asked_attributes)}
    if unknown := sorted(written.keys() - asked):
        raise click.UsageError(
            f"{survey.id} asks for no {unknown[0]}; write --truth QUESTION=SHARES, where QUESTION"
            f" is one of {', '.join(sorted(asked))}"
        )
    try:
        return _People(
            survey,
            {each.id: _answers(each, written.get(each.id)) for each in survey.questions},
            {each.id: _group(each, written.get(each.id)) for each in survey.asked_attributes},
        )
    except (AnswerError, ValueError) as error:
        raise click.UsageError(str(error)) from error


def _answers(question: "Question", written: str | None) -> "Population":
    """Return the population that ``--truth`` gives a question."""
    from tossup.server.kinds import kind_of

    if written is None:
        raise Failure(f"no truth is given for question {question.id}", example(question))
    return kind_of(question).people(question, told(question, written))


def _group(attribute: "Attribute", written: str | None) -> "Population":
    """Return the population of a public attribute: as written, or every option equally common."""
    from tossup.server.kinds.made_up.people import of_options

    count = len(attribute.options)
    each = shares(attribute.id, written) if written else (Fraction(1, count),) * count
    if len(each) != count:
        raise ValueError(f"attribute {attribute.id!r} takes {count} shares")
    return of_options(each)


def _bodies(people: _People, n: int) -> Iterator[tuple[int, bytes]]:
    """Yield how many reports a request has, and its body; each person stays in a group."""
    import numpy as np

    survey = people.survey
    joint = [survey.questions] if survey.linkage == "joint" else [(q,) for q in survey.questions]
    groups = {name: group.draw(n) for name, group in people.groups.items()}
    groups |= {name: np.full(n, place) for name, place in _wave(survey).items()}
    for questions in joint:
        size = _most(survey, questions)
        for start in range(0, n, size):
            theirs = {name: places[start : start + size] for name, places in groups.items()}
            count = min(size, n - start)
            yield count, _body(people, questions, theirs, count)


def _body(
    people: _People,
    questions: "tuple[Question, ...]",
    groups: "Mapping[str, Indexes]",
    n: int,
) -> bytes:
    """Return what the devices of n respondents would send, in one request."""
    from tossup.server.ingest.decoding import pack_columns
    from tossup.server.kernels.base import column_of
    from tossup.server.kinds import toss
    from tossup.shared.wire import ID_BYTES, encode_packed

    columns = {each.id: toss(each, people.answers[each.id], n) for each in questions}
    attributes = people.survey.attributes
    places = {each.id: column_of(groups[each.id], len(each.options)) for each in attributes}
    return encode_packed(
        people.survey.digest,
        os.urandom(ID_BYTES * n),
        {each.id: pack_columns([columns[each.id]], [each]) for each in questions},
        {each.id: pack_columns([places[each.id]], [each]) for each in attributes},
    )


def _most(survey: "Survey", questions: "tuple[Question, ...]") -> int:
    """Return how many reports fit one request."""
    from tossup.shared.wire import ID_BYTES, MAX_BODY_BYTES, column_bytes

    of_questions = sum(column_bytes(question, 8) for question in questions) / 8
    each = ID_BYTES + of_questions + len(survey.attributes)
    return max(1, min(_BATCH, int((MAX_BODY_BYTES - 4096) * 3 / 4 / each)))


def _wave(survey: "Survey") -> Mapping[str, int]:
    """Return the public attribute of the wave that today is in; none without waves."""
    from tossup.server.clock import today
    from tossup.shared.survey import WAVE

    if survey.waves is None:
        return {}
    wave = survey.waves.on(today())
    if wave is None:
        raise Failure(
            f"{survey.id} is in none of its waves today", "another first day of the waves"
        )
    return {WAVE: wave - 1}


def _sent(server: Server, bodies: Iterable[tuple[int, bytes]]) -> Iterator[int]:
    """Yield how many reports each request had, once it is sent; the next one is made meanwhile."""
    sending: Future[int] | None = None
    with ThreadPoolExecutor(max_workers=1) as sender:
        for count, body in bodies:
            if sending is not None:
                yield sending.result()
            sending = sender.submit(_send, server, body, count)
        if sending is not None:
            yield sending.result()


def _send(server: Server, body: bytes, count: int) -> int:
    """Send one request, the same bytes again while the server is busy; return its reports."""
    from tossup.shared.wire import decode_receipt

    for left in range(_TRIES - 1, -1, -1):
        try:
            answer = server.post_reports(body)
            break
        except Refused as error:
            if error.status not in {429, 503} or not left:
                raise
            time.sleep(_PAUSE_SECONDS)
    receipt = decode_receipt(answer, count)
    if receipt.failed:
        raise Failure(f"the server refused {len(receipt.failed)} reports: {receipt.failed[0].code}")
    return count
