"""Respondents: each one device SDK with a store of its own.

This runs in processes of its own that import the device SDK and nothing of the server.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Final

from tossup.client import Client, Outcome, Transport

_AT_ONCE: Final = 4
#: So long a respondent waits for an answer: the server shares this machine with all of them, and
#: nobody comes back to send what was given up.
_PATIENCE_SECONDS: Final = 300

Answers = Mapping[str, object]


def respond(link: str, folder: str, first: int, answers: Sequence[Answers]) -> int:
    """Answer and send for some respondents; return how many succeeded.

    Parameters
    ----------
    link
        The respondents' link.
    folder
        Where their stores are made, and removed once all is sent.
    first
        The number of the first of these respondents, which names its store.
    answers
        Their true answers.
    """
    stores = [Path(folder) / f"{first + place}.db" for place in range(len(answers))]
    with ThreadPoolExecutor(_AT_ONCE) as threads:  # each waits for its disk and its server
        return sum(threads.map(_respond, repeat(link), stores, answers))


def _respond(link: str, store: Path, answers: Answers) -> bool:
    client = Client(link, store=store, transport=_transport(), timeout_seconds=_PATIENCE_SECONDS)
    answered = client.answer(answers) is Outcome.QUEUED
    sent = client.flush()
    for file in store.parent.glob(f"{store.name}*"):
        file.unlink()
    return answered and sent.reason is None and sent.pending == sent.quarantined == 0


@cache
def _transport() -> Transport:
    # One a process: reading the system's certificates takes longer than answering a survey.
    from tossup.client.upload.urllib_transport import UrllibTransport

    return UrllibTransport()
