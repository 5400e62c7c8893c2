"""Run a demonstration: server, survey, respondents, estimates."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.server import remote
from tossup.server.demo.populations import Population
from tossup.server.demo.process import RunningServer, running_server
from tossup.server.demo.respondents import respond
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.link import respondent_link
from tossup.shared.errors import TossupError
from tossup.shared.signing import public_bytes, sign_manifest
from tossup.shared.survey import Survey
from tossup.shared.wire import MANIFEST_TYPE

_PER_TASK: Final = 20

Progress = Callable[[int], None]


class DemoFailed(TossupError):  # noqa: N818 - reads as the condition
    """Some respondent's reports did not arrive."""


@dataclass(frozen=True, slots=True)
class DemoLine:
    """The truth about one answer beside its estimate and 95 % interval."""

    id: str
    truth: float
    estimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a demonstration found, while its server still runs.

    Attributes
    ----------
    n
        Number of respondents.
    lines
        One for each yes/no question, and one for each option of a choice.
    results
        All that the server says, as ``GET /v1/surveys/{id}/results`` answers.
    server
        The running server.
    link
        The respondents' link: whoever opens it is asked, too.
    """

    n: int
    lines: tuple[DemoLine, ...]
    results: dict[str, Any]
    server: RunningServer
    link: str

    def to_json(self) -> dict[str, object]:
        """Return ``{"n", "questions": [{"id", "truth", "estimate", "low", "high"}]}``."""
        return {"n": self.n, "questions": [asdict(line) for line in self.lines]}


@contextmanager
def run(population: Population, progress: Progress) -> Iterator[Outcome]:
    """Survey a population over the real road; the server runs until the block ends.

    Parameters
    ----------
    population
        Who is asked what.
    progress
        Called with the number of respondents that have just finished.

    Raises
    ------
    DemoFailed
        If a respondent's reports did not arrive.
    RemoteError
        If the server does not take the survey, or does not answer.
    """
    with (
        TemporaryDirectory(prefix="tossup-demo-") as data,
        TemporaryDirectory(prefix="tossup-devices-", dir=_memory()) as devices,
        running_server(Path(data) / "server") as started,
    ):
        survey = _publish(population, started)
        link = respondent_link(started.url, survey)
        _let_answer(population, link, devices, progress)
        address = f"{started.url}/v1/surveys/{survey.id}/results"
        results = remote.json_object(remote.send(address, started.api_key))
        lines = tuple(_lines(population, survey, results))
        yield Outcome(len(population.answers), lines, results, started, link)


def _memory() -> str | None:
    """Return a folder in memory, if there is one.

    A thousand devices have a thousand disks; here they share one, and would wait for it in turn.
    """
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108


def _publish(population: Population, server: RunningServer) -> Survey:
    key = Ed25519PrivateKey.generate()
    survey = load_survey(population.survey_file, public_bytes(key))
    remote.send(
        f"{server.url}/v1/surveys",
        server.api_key,
        method="POST",
        body=sign_manifest(survey.payload, key),
        headers={"Content-Type": MANIFEST_TYPE},
    )
    return survey


def _let_answer(population: Population, link: str, folder: str, progress: Progress) -> None:
    answers, arrived = population.answers, 0
    with _workers() as pool:
        tasks = {
            pool.submit(respond, link, folder, first, answers[first : first + _PER_TASK])
            for first in range(0, len(answers), _PER_TASK)
        }
        for task in as_completed(tasks):
            arrived += task.result()
            progress(task.result())
    if arrived != len(answers):
        raise DemoFailed(f"only {arrived} of {len(answers)} respondents' reports arrived")


@contextmanager
def _workers() -> Iterator[ProcessPoolExecutor]:
    """Run as many processes as there are processors; drop what is left when interrupted."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _lines(population: Population, survey: Survey, results: dict[str, Any]) -> Iterator[DemoLine]:
    for found in results["questions"]:
        question = survey.question(found["id"])
        for estimate in found["estimates"]:
            answer = estimate["answer"]
            yield DemoLine(
                id=question.id if question.is_yes_no else f"{question.id}/{answer}",
                truth=float(population.truth(question, answer)),
                estimate=estimate["value"],
                low=estimate["low"],
                high=estimate["high"],
            )
