"""The command line: everything a researcher does, in the words of the pages.

Stage: at the edge. Commands translate between a terminal and the rest; data goes to standard
output, notes and progress to standard error. Nothing heavy is imported before a command runs.
"""


def main() -> None:
    """Run the command line."""
    from tossup.server.cli.root import root

    root()
