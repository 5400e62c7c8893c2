"""Every error that device, server and shared code raise on purpose, made, copied and sent on."""

import copy
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module

import tossup.client
import tossup.server
import tossup.shared
from tossup.client.errors import Unreachable, VersionMissing
from tossup.server.refusals import Busy, Refused
from tossup.server.remote import RemoteRefusedError
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.meaning import Change, MeaningError
from tossup.server.surveys.publishing.publisher import KeyFileError
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.server.web.access import SignInRequired
from tossup.server.web.answers import NotReady
from tossup.server.web.aside import TooDear
from tossup.shared.errors import TossupError, WireError

SAID = "what happened, why, what next"
CHANGED = Change("tried", "text", "en", 1, "Ever tried?", "Never tried?")


def _of_a_file() -> SurveyFileError:
    """Return the error of a file that is refused, with its line."""
    try:
        load_survey('id = "habits"\ntitel = "Habits"\n', bytes(32))
    except SurveyFileError as error:
        return error
    raise AssertionError("a survey without a title was taken")


#: What is made from more, or from other things, than a message.
MADE: dict[type[TossupError], Callable[[], TossupError]] = {
    Busy: Busy,
    KeyFileError: lambda: KeyFileError(SAID, "a hint"),
    MeaningError: lambda: MeaningError([CHANGED], ["smoked"]),
    NotReady: lambda: NotReady(7),
    Refused: lambda: Refused(SAID, "too-many", 7),
    RemoteRefusedError: lambda: RemoteRefusedError(404, "survey-unknown", SAID),
    SignInRequired: SignInRequired,
    SurveyFileError: _of_a_file,
    TooDear: TooDear,
    Unreachable: lambda: Unreachable(SAID, "no-network"),
    VersionMissing: lambda: VersionMissing(SAID, "5f1c", 3),
    WireError: lambda: WireError(SAID, "too-long"),
}


def _kinds(kind: type[TossupError]) -> Iterator[type[TossupError]]:
    yield kind
    for more in kind.__subclasses__():
        yield from _kinds(more)


def _errors() -> Iterator[TossupError]:
    """Yield one error of every kind that the packages define."""
    for part in (tossup.client, tossup.server, tossup.shared):
        for module in pkgutil.walk_packages(part.__path__, f"{part.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    for kind in dict.fromkeys(_kinds(TossupError)):
        if kind.__module__.startswith("tossup."):
            yield MADE.get(kind, lambda kind=kind: kind(SAID))()


def test_every_error_is_copied_and_pickled_with_all_that_it_says() -> None:
    errors = list(_errors())
    assert {TossupError, *MADE} <= {type(error) for error in errors}
    for error in errors:
        error.add_note("while a survey was read")
        copies = [copy.copy(error), copy.deepcopy(error)]
        copies += [pickle.loads(pickle.dumps(error, by)) for by in range(6)]
        for other in copies:
            assert type(other) is type(error), error
            assert (str(other), repr(other)) == (str(error), repr(error)), type(error)
            assert str(other), type(error)
            assert other.args == error.args, type(error)
            assert vars(other) == vars(error), type(error)
