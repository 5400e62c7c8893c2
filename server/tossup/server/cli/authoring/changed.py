"""What a next version promises its respondents less of: shown, and refused until it is meant."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from tossup.server.cli.output import Failure, note

if TYPE_CHECKING:
    from tossup.shared.survey import Survey

#: The fields of a survey file that say what respondents were promised.
_FIELDS: Final = ("results", "shown", "retention_days", "linkage")

changed_promise_option: Callable[[Any], Any] = click.option(
    "--changed-promise", "changed", multiple=True, type=click.Choice(_FIELDS),
    help="With --next-version: this promise to respondents changes, and that is meant.",
)  # fmt: skip


def check_promises(made: "Survey", before: "Survey", meant: tuple[str, ...]) -> None:
    """Refuse a next version that promises less than the one before, unless that is meant.

    Raises
    ------
    Failure
        If results become public, reports are kept longer, or answers travel otherwise, and the
        field is not among those that are meant.
    """
    from tossup.server.surveys.publishing.promised import weaker

    found = dict(weaker(made, before))
    silent = [field for field in found if field not in meant]
    if silent:
        lines = "\n".join(f"  {found[field]}" for field in silent)
        flags = " ".join(f"--changed-promise {field}" for field in silent)
        raise Failure(
            f"respondents were promised otherwise by version {before.version}:\n{lines}",
            f"change the file back; or say that it is meant: {flags}",
        )
    for line in found.values():
        note(f"Promised otherwise from now on: {line}")
