"""One device, many people: each has a store of their own, and nobody sends another's report.

``python3 kiosk.py LINK FOLDER`` asks whoever stands before it, one after the other, until the end
of the input; ``python3 kiosk.py LINK FOLDER --send`` sends, by a timer at the end of the day.

Somebody who comes twice is tossed for twice and counts twice: hand out codes if that matters, as
``docs/how-to/embed.md`` says.
"""

import secrets
import sys
from pathlib import Path

from tossup.client import Client, Outcome, Preview, flush_store

ANSWERS = {"yes": True, "no": False}
THANKS = "Thank you. The coins were tossed; what they say is sent later, and nothing else."


def ask(shown: Preview, person: Client) -> Outcome | None:
    """Ask one person; return what became of it, or None at the end of the input."""
    print(shown)
    answer = typed()
    if answer is None:
        return None
    answers = {shown.questions[0].id: answer}
    places = {name: options[0] for name, options in shown.public.items()}  # where the kiosk stands
    return person.answer({**answers, **places}, manifest=shown.manifest)


def typed() -> bool | None:
    """Return an answer, and ask until it is one: what is no answer is not taken for a no."""
    print("yes or no? ", end="", flush=True)
    for line in iter(sys.stdin.readline, ""):
        said = line.strip().lower()
        if said in ANSWERS:
            return ANSWERS[said]
        print("Please type yes or no: ", end="", flush=True)
    return None


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
    while (shown := kiosk.preview()) is not None:
        store = folder / f"{secrets.token_hex(16)}.db"
        outcome = ask(shown, Client(link, store=store, manifest=kiosk.manifest()))
        if outcome is None:
            return 0
        print(THANKS if outcome is Outcome.QUEUED else outcome.explanation)
    print(f"Nobody can be asked: {kiosk.status().problem}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]).absolute(), sends="--send" in sys.argv))
