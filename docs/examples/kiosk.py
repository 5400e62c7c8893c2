"""One device, many people: each has a store of their own, and nobody sends another's report.

``python3 kiosk.py LINK FOLDER`` asks whoever stands before it, one after the other, until the end
of the input; ``python3 kiosk.py LINK FOLDER --send`` sends, by a timer at the end of the day.

Somebody who comes twice is tossed for twice and counts twice: hand out codes if that matters, as
``docs/how-to/embed.md`` says.
"""

import secrets
import sys
from pathlib import Path

from tossup.client import Client, Outcome, flush_store


def ask(link: str, folder: Path, kiosk: Client) -> Outcome | None:
    """Ask one person; return what became of it, or None at the end of the input."""
    shown, manifest = kiosk.preview(), kiosk.manifest()
    if shown is None:
        return Outcome.UNREACHABLE
    print(shown)
    print("yes or no? ", end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        return None
    answers = {shown.questions[0].id: line.strip().lower() == "yes"}
    places = {name: options[0] for name, options in shown.public.items()}  # where the kiosk stands
    person = Client(link, store=folder / f"{secrets.token_hex(16)}.db", manifest=manifest)
    return person.answer({**answers, **places}, manifest=shown.manifest)


def send(folder: Path) -> int:
    """Send what waits; delete the stores of which nothing is left. Return how many are kept."""
    for store in sorted(folder.glob("*.db")):
        results = flush_store(store).values()
        if results and all(result.pending == 0 and not result.reason for result in results):
            for file in folder.glob(f"{store.name}*"):
                file.unlink()
    return len(list(folder.glob("*.db")))


def main(link: str, folder: Path, *, sends: bool) -> int:
    """Ask, or send."""
    folder.mkdir(parents=True, exist_ok=True)
    if sends:
        return send(folder)
    kiosk = Client(link, store=folder / "kiosk" / "survey.db")  # it knows the survey, and no answer
    while (outcome := ask(link, folder, kiosk)) is not None:
        print(outcome.explanation)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]).absolute(), sends="--send" in sys.argv))
