"""``python -m tossup.server.cli``: the command line where no script is installed."""

from tossup.server.cli import main

main()
