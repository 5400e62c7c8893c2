"""The command ``tossup`` and the table of its commands, each loaded when it is called."""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import click

from tossup.server.cli.output import AS_JSON, WrongUsage, escape_what_cannot_be_shown
from tossup.server.version import product_version

#: Command: module, and the line that stands in ``tossup --help``.
COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "demo": ("operating.demo", "Run a survey of simulated respondents over the real road."),
    "serve": ("operating.serve", "Run the collection server."),
    "survey": ("authoring.survey", "Create, list, show and close surveys."),
    "answer": ("answering.answer", "Answer a survey from this device."),
    "device": ("answering.device", "See, send and withdraw what this device holds of a survey."),
    "estimate": (
        "reading.estimate",
        "Show what reports say: of a survey, a paper's counts, or a table.",
    ),
    "export": ("reading.results", "Write the estimates of a survey as CSV or JSON."),
    "recount": (
        "operating.recount",
        "Compare the tallies with the stored reports; fail on any difference.",
    ),
    "backup": ("operating.backup", "Copy a server's data while it runs, and count the copy again."),
    "restore": ("operating.backup", "Put a backup in a data folder that holds no data."),
    "migrate": (
        "operating.migrate",
        "Move a server's data to PostgreSQL, and count it on both sides.",
    ),
    "seal": ("archiving.seal", "Write the reports of a closed survey to Parquet files."),
    "aggregate": ("archiving.aggregate", "Estimate from sealed files, by any engine."),
    "expire": ("archiving.seal", "Delete reports in sealed files after their retention."),
    "mechanism": ("planning.mechanism", "List the mechanisms; show what a design costs and tells."),
    "verify": ("authoring.verify", "Recompute the guarantees of a signed manifest from its bytes."),
    "audit": ("planning.audit", "Test any program that randomizes answers, from outside."),
    "simulate": ("planning.simulate", "Try a design on made-up respondents, without a server."),
    "plan": ("planning.plan", "Show how exact a share will be, beside what a curator would get."),
    "compose": ("planning.compose", "Show what several answers cost together, by every bound."),
    "pages": ("operating.pages", "Write a survey's page for another web host."),
    "link": ("operating.access", "Make a new one-time sign-in link."),
    "key": ("operating.access", "Create, list and revoke API keys."),
    "member": ("operating.people", "Add, list and remove members; make links for them."),
    "record": ("operating.people", "Show who changed what on the server."),
    "clock": (
        "operating.clock",
        "Say whether the server believes its clock, or confirm that it is right.",
    ),
    "doctor": ("operating.doctor", "Check this machine, the data folder and the server."),
}


class _LazyGroup(click.Group):
    """A group that knows its commands' names and help without importing them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        escape_what_cannot_be_shown()
        ctx.meta[AS_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            if not ctx.meta[AS_JSON]:
                raise
            path = error.ctx.command_path if error.ctx else ctx.command_path
            raise WrongUsage(error.format_message(), f"{path} --help") from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from tossup.server.cli.suggestions import did_you_mean

            ctx.fail(f"No such command {args[0]!r}{did_you_mean(args[0], COMMANDS) or '.'}")

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"tossup.server.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _print_version(ctx: click.Context, _parameter: Any, value: bool) -> None:  # noqa: FBT001
    if value:
        click.echo(f"tossup {product_version() or 'unknown (not installed)'}")
        ctx.exit()


@click.command(
    "tossup",
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 90},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version.",
)
@click.pass_context
def root(ctx: click.Context) -> None:
    """Honest statistics about sensitive questions, without anyone holding an honest answer.

    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 too few reports, 4 refused for privacy,
    5 server unreachable.
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False
