"""The command line: everything a researcher does, in the words of the pages.

Stage: at the edge. Commands translate between a terminal and the rest; data goes to standard
output, notes and progress to standard error. Nothing heavy is imported before a command runs.
"""

import sys


def main() -> None:
    """Run the command line; say in one line what is missing where only the device is installed."""
    try:
        from tossup.server.cli.root import root
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        sys.exit("tossup: the command line needs the server: pip install 'tossup[server]'")
    root()
