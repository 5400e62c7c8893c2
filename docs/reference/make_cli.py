"""Print the reference of the command line, as Markdown, from the commands themselves.

``make fix`` writes it to docs/reference/cli.md; a test fails when the two differ.
"""

from collections.abc import Iterator
from pathlib import Path

import click

from tossup.server.cli.root import root

TARGET = Path(__file__).with_name("cli.md")

INTRODUCTION = """\
# The command line

Data goes to standard output, notes and progress to standard error.
Every command takes `--json`; [exit codes and errors](errors.md) are the same everywhere.
Colour is left out where standard output is no terminal, or `NO_COLOR` is set.
This page is made from the commands' own help.
"""


def commands(
    command: click.Command, name: str, parent: click.Context | None = None
) -> Iterator[tuple[str, click.Context]]:
    """Yield every command below this one that does something, with its full name."""
    settings = {**command.context_settings, "terminal_width": 88}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    if not isinstance(command, click.Group):
        yield context.command_path, context
        return
    for child in command.list_commands(context):
        found = command.get_command(context, child)
        if found is not None:
            yield from commands(found, child, context)


def reference() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION]
    for path, context in commands(root, "tossup"):
        parts.append(f"## {path}\n\n```text\n{context.command.get_help(context)}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
