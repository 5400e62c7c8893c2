"""``python -m tossup.server.cli``: the command line where no script is installed."""

from tossup.server.cli import main

if __name__ == "__main__":
    main()
