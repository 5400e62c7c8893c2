"""``tossup demo``: a survey of simulated respondents over the real road."""

import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from tossup.server.cli.output import (
    Failure,
    emit,
    json_option,
    note,
    percent,
    percent_and_ends,
    table,
)

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from tossup.server.demo.populations import Population
    from tossup.server.demo.run import Outcome


@click.command()
@click.option("-n", "--respondents", type=click.IntRange(200, 100_000), default=1000,
              show_default=True, help="How many respondents answer.")  # fmt: skip
@click.option("--fair", is_flag=True, help="Ask the 6,366 women of Fair's survey instead.")
@click.option("--serve", "keep", is_flag=True, help="Leave the pages open until Ctrl-C.")
@json_option
def demo(*, respondents: int, fair: bool, keep: bool, as_json: bool) -> None:
    """Run a survey over the real road and show estimates beside the truth.

    Starts a server on a free port of this machine with a temporary data folder; every
    respondent is a device SDK with a store of its own, answering over HTTP.
    """
    from tossup.server.demo.process import ServerDidNotStart
    from tossup.server.demo.run import DemoFailed, run
    from tossup.server.remote import RemoteError

    # Told to stop, end as after Ctrl-C: the server must not outlive its demonstration. A shell
    # starts what runs in the background with Ctrl-C ignored, so that is undone as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    population = _population(respondents, fair=fair)
    try:
        with _progress(len(population.answers)) as bar, run(population, bar.update) as outcome:
            bar.render_finish()
            _show(outcome, as_json=as_json)
            if keep:
                _wait(outcome)
    except (DemoFailed, RemoteError, ServerDidNotStart) as error:
        raise Failure(str(error), "tossup doctor") from error


def _population(respondents: int, *, fair: bool) -> "Population":
    from tossup.server.demo import populations

    if not fair:
        return populations.students(respondents)
    try:
        return populations.fair()
    except populations.StatsmodelsMissing as error:
        raise Failure(str(error), "pip install statsmodels") from error


def _progress(respondents: int) -> "ProgressBar[int]":
    return click.progressbar(length=respondents, label="Answering", file=sys.stderr)


def _show(outcome: "Outcome", *, as_json: bool) -> None:
    rows = [
        {
            "question": line.id,
            "truth": percent(line.truth, line.high - line.low),
            "estimate": percent(line.estimate, line.high - line.low),
            "95 % interval": " to ".join(percent_and_ends(line.estimate, line.low, line.high)[1:]),
        }
        for line in outcome.lines
    ]
    emit(outcome.to_json(), table(rows, list(rows[0])), as_json=as_json)
    note(
        f"\n{outcome.n} respondents; the server holds their tossed reports, never an answer."
        "\nOf twenty such intervals, about nineteen hold the truth."
    )


def _wait(outcome: "Outcome") -> None:
    with suppress(KeyboardInterrupt):  # which may come as soon as the words are there
        note(f"\nAnswer yourself: {outcome.link}")
        note(f"The pages: {outcome.server.sign_in}\nCtrl-C ends the server and removes its data.")
        signal.pause()
