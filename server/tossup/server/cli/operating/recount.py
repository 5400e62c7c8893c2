"""``tossup recount``: compare a survey's counters with its stored reports."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tossup.server.cli.api import survey_argument
from tossup.server.cli.operating.folder import data_option, load_config, open_store
from tossup.server.cli.output import Failure, emit, json_option, note
from tossup.server.cli.suggestions import did_you_mean

if TYPE_CHECKING:
    from tossup.server.ingest.recount import Recount


@click.command()
@survey_argument
@data_option
@json_option
def recount(*, survey_id: str, data: Path | None, as_json: bool) -> None:
    """Count the stored reports of SURVEY again; exit with 1 on any difference.

    Works on the data folder, also while the server runs.
    """
    from tossup.server.ingest.recount import recount as count_again

    with open_store(load_config(data=data)) as store:
        known = store.survey_ids()
        if survey_id not in known:
            raise Failure(
                f"no survey has this id here{did_you_mean(survey_id, known)}", "tossup survey list"
            )
        found = count_again(store, survey_id)
    value = {
        "survey": survey_id,
        "reports": found.reports,
        "differences": _differences(found),
        "repeated": found.repeated,
        "unreadable": found.unreadable,
    }
    verdict = "agree" if found.agrees else "DISAGREE"
    emit(value, f"{found.reports} stored reports and the counters {verdict}.", as_json=as_json)
    if not found.agrees:
        _explain(found)
        raise Failure(
            f"{survey_id} does not add up, so its estimates cannot be trusted",
            "restore the data folder from a backup",
        )


def _differences(found: "Recount") -> list[dict[str, object]]:
    return [
        {
            "question": difference.place.question,
            "day": difference.place.day.isoformat(),
            "stratum": list(difference.place.stratum),
            "value": difference.place.value,
            "counted": difference.counted,
            "stored": difference.stored,
        }
        for difference in found.differences
    ]


def _explain(found: "Recount") -> None:
    for line in _differences(found):
        note(
            "{question}, {day}, stratum {stratum}, report {value}:"
            " counter {counted}, stored {stored}".format(**line)
        )
    if found.repeated:
        note(f"{found.repeated} report id(s) stand more than once")
    if found.unreadable:
        note(f"{found.unreadable} group(s) of reports cannot be read")
