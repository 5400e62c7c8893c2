"""``tossup clock``: may reports be deleted by the day that this machine's clock shows?"""

from pathlib import Path

import click

from tossup.server.cli.operating.folder import data_option, load_config, open_store
from tossup.server.cli.output import Failure, emit, json_option


@click.command()
@click.option("--confirm", is_flag=True, help="Say that the clock is right, however far it went.")
@data_option
@json_option
def clock(*, confirm: bool, data: Path | None, as_json: bool) -> None:
    """Say whether the server believes its clock; exit with 1 if it does not.

    A day that is more than a week beyond the last one that the server noted is not believed: then
    no report is deleted at the end of its retention, and no survey ends by its last day. Set the
    clock right, or confirm it, such as after the server was switched off for weeks. Nor is a day
    before the last one noted: the server goes by that one. Confirm the clock once it is right.
    """
    from tossup.server.clock import today
    from tossup.server.ingest.known_day import doubt

    day = today()
    with open_store(load_config(data=data)) as store:
        if confirm:
            store.note_day(day, confirmed=True)
        found, known = doubt(store, day), store.known_day()
    noted = known.isoformat() if known else None
    value = {"day": day.isoformat(), "noted": noted, "believed": found is None}
    emit(value, f"The clock says {day}; last noted {noted or 'none'}.", as_json=as_json)
    if found is not None:
        raise Failure(found, "date -u; then set the clock right, or: tossup clock --confirm")
