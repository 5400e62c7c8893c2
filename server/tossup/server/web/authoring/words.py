"""What forms call the ways to ask, and their fields: in the visitor's language."""

from collections.abc import Mapping

from tossup.server.kinds import Form
from tossup.server.web.pages.words.language import gettext


def offered(forms: Mapping[str, Form]) -> Mapping[str, Form]:
    """Return ways to ask, the commonest first; those that have no word here are last."""
    known = [*_forms()]
    return {
        name: forms[name]
        for name in sorted(forms, key=lambda each: known.index(each) if each in known else 99)
    }


def form_words(name: str) -> str:
    """Return what a way to ask is called; its name where there is no word yet."""
    return _called(name, _forms())


def field_words(name: str) -> str:
    """Return what a field of a kind is called; its name where there is no word yet."""
    return _called(name, _fields())


def form_hint(name: str) -> str:
    """Return what a way to ask is good for; nothing where its name says it."""
    return _hints().get(name, "")


def _called(name: str, known: Mapping[str, str]) -> str:
    return known.get(name, name)


def _forms() -> Mapping[str, str]:
    return {
        "yes_no": gettext("Yes or no"),
        "choice": gettext("One of some options"),
        "several": gettext("Several of some options"),
        "ranking": gettext("An order of options"),
        "integers": gettext("A whole number"),
        "numbers": gettext("A number in steps"),
        "text": gettext("A word that nobody listed"),
        "vector": gettext("Numbers that belong together"),
        "moments": gettext("Numbers, and how they go together"),
    }


def _hints() -> Mapping[str, str]:
    vector = gettext("Coins hide all of them at once. They are for apps: no browser has them.")
    return {
        "text": gettext(
            "It takes thousands of people. If you can list the answers, list them. Oracle, buckets"
            " and salt may stay empty."
        ),
        "vector": vector,
        "moments": vector,
    }


def _fields() -> Mapping[str, str]:
    return {
        "low": gettext("Lowest answer"),
        "high": gettext("Highest answer"),
        "step": gettext("Step"),
        "most": gettext("How many may be ticked; all, if empty"),
        "scores": gettext("Points by rank, best first, with commas; equal steps, if empty"),
        "characters": gettext("Characters, such as a-z0-9 and the space"),
        "longest": gettext("Characters of the longest answer"),
        "others": gettext("Count what does not fit as “another text”"),
        "oracle": gettext("Oracle"),
        "buckets": gettext("Buckets"),
        "salt": gettext("Salt"),
        "norm": gettext("Greatest length of all numbers together"),
    }
