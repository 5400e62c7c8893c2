"""Respondents: each one device SDK with a store of its own.

This runs in processes of its own that import the device SDK and nothing of the server.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tossup.client import Client, Outcome


def respond(link: str, folder: str, first: int, answers: Sequence[Mapping[str, object]]) -> int:
    """Answer and send for some respondents; return how many succeeded.

    Parameters
    ----------
    link
        The respondents' link.
    folder
        Where their stores are made, one file each.
    first
        The number of the first of these respondents, which names its store.
    answers
        Their true answers.
    """
    stores = (Path(folder) / f"{first + place}.db" for place in range(len(answers)))
    return sum(map(_respond, [link] * len(answers), stores, answers))


def _respond(link: str, store: Path, answers: Mapping[str, object]) -> bool:
    client = Client(link, store=store)
    answered = client.answer(answers) is Outcome.QUEUED
    sent = client.flush()
    return answered and sent.reason is None and sent.pending == sent.quarantined == 0
